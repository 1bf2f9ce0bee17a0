// A driver for the kit's own tests that misbehaves as its arguments say.
// Usage: node fake-driver.ts <behaviour> [token]; the token only makes the process easy to find.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { InitializeResult, RunParams } from "../../../reference/types.ts";
import { fakeLoop } from "./fake-loop.ts";
import type { FakeFaults } from "./fake-loop.ts";

const behaviour = process.argv[2] ?? "good";
const waiting = new Map<string, PromiseWithResolvers<unknown>>();
let lastId = 0;

if (behaviour === "exits at start") process.exit(1);
if (behaviour === "exits with 0 at start") process.exit(0);
if (behaviour === "banner") console.log("Welcome to my driver!");
if (behaviour === "floods stderr") process.stderr.write("x".repeat(5_000_000));
if (behaviour === "ignores TERM") process.on("SIGTERM", () => undefined);

/** One run at a time, and no barrier. */
const isBlocking = behaviour === "blocking" || behaviour === "dies after the answer";

const handshake: InitializeResult = {
  protocol: (behaviour === "wrong protocol" ? 2 : 1) as 1,
  implementation: { name: "fake", version: "1.0.0", language: "typescript" },
  concurrency: isBlocking ? 1 : 4,
  seams: ["generic"],
  features: isBlocking ? [] : behaviour === "unknown feature" ? ["telepathy"] : ["parallel"],
  reports: behaviour === "reports no session" ? ["events", "result"] : ["session", "result", "events"],
};

/** What the driver does wrong in the run whose user says "culprit". */
const faults: Record<string, (run: string) => unknown> = {
  "exits mid-case": () => process.exit(0),
  "exits mid-case with 3": () => process.exit(3),
  "killed mid-case": () => process.kill(process.pid, "SIGKILL"),
  hangs: () => Promise.withResolvers().promise,
  "ignores TERM": () => Promise.withResolvers().promise,
  blocks: () => {
    for (;;);
  },
  garbage: () => process.stdout.write("debug: about to call the model\n"),
  "half a frame": () => {
    process.stdout.write('{"jsonrpc":"2.0","id":');
    process.exitCode = 1;
    process.stdin.destroy();
    return Promise.withResolvers().promise;
  },
  "huge frame": () => send({ method: "event", params: "x".repeat(17 * 1024 * 1024) }),
  "wrong id": () => send({ id: 987654, result: {} }),
  "unknown method": () => send({ id: "u1", method: "file/read", params: {} }),
  "unknown notification": (run) => send({ method: "progress", params: { run } }),
  "invalid event": (run) => send({ method: "event", params: { run, event: { type: "run_started", seq: 0 } } }),
  grandchild: () => {
    const child = spawn("sleep", ["1000"], { stdio: "inherit" });
    process.stderr.write(`grandchild ${child.pid}\n`);
    process.exit(0);
  },
  "driver error": () => {
    throw new Error("the loop does not like this session");
  },
};

const loopFaults: Record<string, FakeFaults> = {
  "drops a result": { results: (results) => results.slice(0, -1) },
  "swaps results": { results: (results) => results.toReversed() },
};

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function ask(method: string, params: unknown): Promise<unknown> {
  const id = `d${++lastId}`;
  const answer = Promise.withResolvers<unknown>();
  waiting.set(id, answer);
  send({ id, method, params });
  return answer.promise;
}

async function run(id: number, params: RunParams): Promise<void> {
  const isCulprit = JSON.stringify(params.session).includes("culprit");
  if (isCulprit) await faults[behaviour]?.(params.run);
  const emit = (event: unknown) => send({ method: "event", params: { run: params.run, event } });
  const { result, session } = await fakeLoop(params, { ask, emit }, isCulprit ? loopFaults[behaviour] : {});
  const answer = {
    result: behaviour === "invalid answer" && isCulprit ? { status: "done" } : result,
    ...(behaviour !== "reports no session" && { session }),
  };
  send({ id, result: answer });
  if (behaviour === "answers twice" && isCulprit) send({ id, result: answer });
  if (behaviour === "event after the answer" && isCulprit)
    emit({ type: "warning", seq: 99, turn: 0, code: "id_mapped", message: "late" });
  if (behaviour === "dies after each answer" || (behaviour === "dies after the answer" && isCulprit)) process.exit(0);
}

function answer({ id, method, params }: { id: number; method: string; params: RunParams }): void {
  if (method === "initialize" && behaviour !== "silent") send({ id, result: handshake });
  if (method === "barrier") setImmediate(() => send({ id, result: {} }));
  if (method === "run")
    run(id, params).catch((error: Error) => send({ id, error: { code: -32000, message: error.message } }));
  if (method !== "shutdown") return;
  send({ id, result: {} });
  process.stdout.write("", () => process.exit(0));
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as { id: string; method?: string; result?: unknown; error?: { message: string } };
  if (message.method !== undefined) return answer(message as never);
  if (message.error) waiting.get(message.id)?.reject(new Error(message.error.message));
  else waiting.get(message.id)?.resolve(message.result);
  waiting.delete(message.id);
});
