// A program that runs until it is killed: it prints its events, one per line, and hangs in the phase that its argument names.

import { agentLoop } from "../run/run.ts";
import type { InvokeModel } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import type { Message } from "../../schemas/types.ts";

const never = () => new Promise<never>(() => {});
const alive = setInterval(() => {}, 60_000); // keeps the process alive until it is killed
const call: Message = { type: "tool_call", id: "a", name: "write", input: {} };

const invokeModel: InvokeModel = async (_request, { onStream }) => {
  if (process.argv[2] === "tools") {
    return { messages: [{ role: "assistant", content: "I write." }, call], stop_reason: "tool_use" };
  }
  onStream({ type: "message_start", index: 0, message: { role: "assistant", content: "" } });
  onStream({ type: "message_delta", index: 0, delta: "I was about to" });
  return never();
};

const run = agentLoop({
  session: initSession({ id: "s", user: "Go." }),
  provider: { name: "scripted", invokeModel },
  tools: [{ name: "write", input_schema: { type: "object" }, execute: never }],
});
for await (const event of run) process.stdout.write(`${JSON.stringify(event)}\n`);
clearInterval(alive);
