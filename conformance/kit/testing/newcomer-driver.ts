// A driver as a newcomer writes it, with the one mistake that its first argument names.

import { createInterface } from "node:readline";
import type { RunParams } from "../../../schemas/types.ts";

const [, , mistake] = process.argv;
const introduction = {
  protocol: 1,
  implementation: { name: "newcomer", version: "0.1.0", language: "typescript" },
  seams: ["generic"],
};
let request: { id: number; params: RunParams };

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** The session with what the model said, and nothing else. */
function answerRun(messages: object[]): void {
  const { session } = request.params;
  const run = { session: { ...session, messages: [...session.messages, ...messages] } };
  send({ id: request.id, result: mistake === "a list for a session" ? { session: run.session.messages } : run });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize" && mistake === "pretty") process.stdout.write('{\n  "jsonrpc": "2.0" }\n');
  else if (method === "initialize") send({ id: mistake === "id as text" ? String(id) : id, result: introduction });
  else if (method === "run") {
    request = { id, params };
    if (mistake === "an event without a number")
      send({ method: "event", params: { run: params.run, event: { type: "run_start" } } });
    send({ id: "m", method: "model/invoke", params: { run: params.run, request: { messages: [], tools: [] } } });
  } else if (id === "m") answerRun(result.messages);
  else if (method === "shutdown") send({ id, result: {} });
  else if (id !== undefined) send({ id, error: { code: -32601, message: `no method ${method}` } });
});
