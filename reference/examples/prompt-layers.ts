// Instructions from layers: stable text comes first, so that the provider's prompt cache applies.

import { agentLoop, defineTool, initSession, type Provider } from "../index.ts";
import { promptLayers, type PromptLayer } from "../patterns/prompt-layers.ts";

const layers: PromptLayer[] = [
  { name: "who", text: "You look after a garden.", priority: -1 },
  { name: "watering", text: "Water nothing twice.", tags: ["water"] },
  { name: "mowing", text: "Mow in straight lines.", tags: ["lawn"] },
  { name: "so far", text: ({ context }) => `Watered so far: ${String(context["watered"])}.`, parent: "watering" },
];
// A scripted model that shows its instructions, waters once, and is done.
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages: [system, , ...rest] }) {
    console.log(JSON.stringify(system && "content" in system && system.content));
    if (rest.length > 0) return { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
    return { messages: [{ type: "tool_call", id: "w1", name: "water", input: {} }], stop_reason: "tool_use" };
  },
};
const execute = () => ({ output: "ok", context_updates: { watered: "roses" } });
const tools = [defineTool({ name: "water", input_schema: { type: "object" }, execute })];
const session = initSession({ id: "garden", user: "Water the roses." });
const instructions = promptLayers(layers, { tags: ["water"] });
await agentLoop({ provider, tools, session, instructions, context: { watered: "nothing" } }).result;
