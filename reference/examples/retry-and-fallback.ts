// A failing model call: it is retried after a delay, then falls back to another model, all in one turn.

import { agentLoop, initSession, type InvokeModel, type LoopError } from "../index.ts";

// A scripted provider: the large model is always overloaded, the small one never.
const error: LoopError = { kind: "overloaded", message: "too many requests" };
const invokeModel: InvokeModel = async ({ model }) =>
  model === "large"
    ? { messages: [], stop_reason: "error", error }
    : { messages: [{ role: "assistant", content: `The ${model} one answers.` }], stop_reason: "end_turn" };
const provider = { name: "scripted", invokeModel };
const options = { max_retries: 2, fallback_models: ["small"] };
const clock = { now: () => 0, sleep: async () => {} }; // no real delays

const session = initSession({ id: "busy", user: "Who answers?" });
const run = agentLoop({ provider, model: "large", options, clock, random: () => 0, session });
for await (const event of run) {
  if (event.type === "attempt_start") console.log(`attempt ${event.attempt}: ${event.model}`);
  if (event.type === "retry") console.log(`  ${event.error.kind}, once more in ${event.wait_ms} ms`);
  if (event.type === "fallback") console.log(`  ${event.error.kind} for good, ask ${event.model}`);
}
const { final_text, turns, steps } = await run.result;
console.log(`${final_text} ${turns} turn, ${steps[0]!.attempts!.length} failed attempts`);
