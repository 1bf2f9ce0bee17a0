// Another model from the next turn on, requested while the run is under way.

import { agentLoop, defineTool, initSession, type InvokeModel } from "../index.ts";

// A scripted provider with two models: the small one tries, the large one answers.
const invokeModel: InvokeModel = async ({ model }) =>
  model === "large"
    ? { messages: [{ role: "assistant", content: "It is a riddle about time." }], stop_reason: "end_turn" }
    : { messages: [{ type: "tool_call", id: "", name: "guess", input: {} }], stop_reason: "tool_use" };
const execute = () => {
  run.switchModel("large");
  return "wrong";
};
const guess = defineTool({ name: "guess", input_schema: { type: "object" }, execute });

const session = initSession({ id: "riddle", user: "Solve it." });
const run = agentLoop({ provider: { name: "scripted", invokeModel }, model: "small", tools: [guess], session });
for await (const event of run) {
  if (event.type === "model_start") console.log(`turn ${event.turn} asks ${event.model}`);
  if (event.type === "switch_model") console.log(`after turn ${event.turn}: switch to ${event.model}`);
}
console.log((await run.result).final_text);
