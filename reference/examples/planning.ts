// Planning: the first turn makes a plan, which is part of the instructions from then on.

import { agentLoop, defineTool, initSession, type ModelResponse, type Provider } from "../index.ts";
import { planFirst } from "../patterns/planning.ts";

const answers: ModelResponse[] = [
  { messages: [{ role: "assistant", content: "1. Weigh. 2. Bake." }], stop_reason: "end_turn" },
  { messages: [{ type: "tool_call", id: "c1", name: "bake", input: {} }], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "The cake is ready." }], stop_reason: "end_turn" },
];
// A scripted model that shows its instructions, and whether it may call a tool.
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages: [system], tool_choice = "auto" }) {
    console.log(tool_choice, JSON.stringify(system && "content" in system && system.content));
    return answers.shift()!;
  },
};
const bake = defineTool({ name: "bake", input_schema: { type: "object" }, execute: async () => "baked" });
const session = initSession({ id: "cake", user: "A cake!" });
const setup = { provider, tools: [bake], instructions: "You bake.", session };
const { final_text, turns } = await agentLoop(planFirst(setup, { ask: "Make a plan first." })).result;
console.log(`${final_text} (${turns} turns)`);
