// Output as the arguments of a tool call; an invalid call is answered with the error, and a valid one ends the run.

import { agentLoop, defineTool, type Message, type Provider } from "../index.ts";

type Input = Record<string, unknown>;
const call = (id: string, name: string, input: Input = {}): Message => ({ type: "tool_call", id, name, input });
// A scripted model: it gives an invalid color, then a valid one, while it puts the brush away.
const answers = [
  [call("a", "color", { hex: "blue" })],
  [call("b", "color", { hex: "#0000ff" }), call("c", "put_away")],
];
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages, tools }) {
    console.log(tools.map(({ name }) => name).join(), "|", JSON.stringify(messages.at(-1)));
    return { messages: answers.shift()!, stop_reason: "tool_use" };
  },
};
const execute = () => (console.log("puts the brush away"), "Done.");
const tools = [defineTool({ name: "put_away", input_schema: { type: "object" }, execute })];
const hex = { type: "string", pattern: "^#[0-9a-f]{6}$" };
const schema = { type: "object", properties: { hex }, required: ["hex"] };
const options = { output_by: "tool", output_format: { name: "color", schema } } as const;
const { status, turns, output } = await agentLoop({ provider, tools, options, input: "The sky?" }).result;
console.log(`${status} after ${turns} turns:`, output);
