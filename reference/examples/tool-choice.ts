// A model that must call a tool first: the choice applies to the first turn, and a model that ignores it is reminded once.

import { agentLoop, defineTool, initSession, type ModelResponse, type Provider } from "../index.ts";

const call = { type: "tool_call" as const, id: "c1", name: "look_up", input: { word: "loop" } };
const answers: ModelResponse[] = [
  { messages: [{ role: "assistant", content: "A loop is a ring." }], stop_reason: "end_turn" },
  { messages: [call], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "A curve that meets itself." }], stop_reason: "end_turn" },
];
const provider: Provider = {
  name: "scripted",
  async invokeModel({ tool_choice = "auto", messages }) {
    console.log(JSON.stringify(tool_choice), JSON.stringify(messages.at(-1)));
    return answers.shift()!;
  },
};
const execute = () => "a curve that meets itself";
const look_up = defineTool({ name: "look_up", input_schema: { type: "object" }, execute });

const options = { tool_choice: { name: "look_up" } };
const session = initSession({ id: "word", user: "What is a loop?" });
const run = agentLoop({ provider, tools: [look_up], options, session });
console.log((await run.result).final_text);
