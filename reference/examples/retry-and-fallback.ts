// A model call that fails: it is tried again after a wait, and then another model is asked. All of it is one turn.

import { agentLoop, initSession, type InvokeModel, type LoopError } from "../index.ts";

// A scripted provider: the large model is busy for as long as it takes, the small one is not.
const error: LoopError = { kind: "overloaded", message: "too many requests" };
const invokeModel: InvokeModel = async ({ model }) =>
  model === "large"
    ? { messages: [], stop_reason: "error", error }
    : { messages: [{ role: "assistant", content: `The ${model} one answers.` }], stop_reason: "end_turn" };
const provider = { name: "scripted", invokeModel };
const options = { max_retries: 2, fallback_models: ["small"] };
const clock = { now: () => 0, sleep: async () => {} }; // nobody wants to wait for an example

const session = initSession({ id: "busy", user: "Who answers?" });
const run = agentLoop({ provider, model: "large", options, clock, random: () => 0, session });
for await (const event of run) {
  if (event.type === "attempt_start") console.log(`attempt ${event.attempt}: ${event.model}`);
  if (event.type === "retry") console.log(`  ${event.error.kind}, once more in ${event.wait_ms} ms`);
  if (event.type === "fallback") console.log(`  ${event.error.kind} for good, ask ${event.model}`);
}
const { final_text, turns, steps } = await run.result;
console.log(`${final_text} ${turns} turn, ${steps[0]!.attempts!.length} failed attempts`);
