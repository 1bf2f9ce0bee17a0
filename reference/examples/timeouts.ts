// Timeouts of a tool, and of a silent model. The clock is virtual, so the example does not wait.

import { agentLoop, defineTool, initSession, virtualClock, type InvokeModel } from "../index.ts";

const clock = virtualClock();
const pass = (ms: number) => setImmediate(() => clock.advance(ms)); // time passes once everything is idle
const call = { type: "tool_call" as const, id: "c1", name: "search", input: {} };
// A scripted model that calls a tool, and then says nothing for a minute.
const invokeModel: InvokeModel = async ({ messages }) => {
  if (messages.length === 1) return { messages: [call], stop_reason: "tool_use" };
  pass(60_000);
  return new Promise(() => {});
};
const search = defineTool({
  name: "search",
  input_schema: { type: "object" },
  timeout_ms: 5000,
  execute(_, { signal }) {
    signal.addEventListener("abort", () => console.log(`search is aborted after ${clock.now()} ms`));
    pass(5000);
    return new Promise<string>(() => {});
  },
});
const session = initSession({ id: "slow", user: "Find it." });
const options = { model_idle_timeout_ms: 60_000, max_retries: 0 };
const run = agentLoop({ provider: { name: "scripted", invokeModel }, tools: [search], options, clock, session });
const { status, error } = await run.result;
console.log(JSON.stringify((await run.session).messages.at(-1)));
console.log(`${status} after ${clock.now()} ms: ${error?.kind}`);
