// A driver for the kit's own tests that misbehaves as its arguments say; zoo.yaml says what the kit makes of it.
// Usage: node fake-driver.ts <behaviour> [token]; the token only makes the process easy to find.

import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { InitializeResult, LoopEvent, RunParams, RunResponse } from "../../../schemas/types.ts";
import { fakeLoop, fakeRefusal } from "./fake-loop.ts";
import type { FakeFaults } from "./fake-loop.ts";
import { ask, behaviour, emit, listen, send, token } from "./fake-rpc.ts";

const unsent: object[] = [];
/** A run of which events come when it is over. */
let endedRun: string | undefined;

const never = () => Promise.withResolvers<never>().promise;
const liveOn = () => void setInterval(() => undefined, 1_000_000);

/** What the driver does wrong before it reads anything. */
const faultsAtStart: Record<string, () => unknown> = {
  "exits at start": () => process.exit(1),
  "exits with 0 at start": () => process.exit(0),
  "killed at start": () => process.kill(process.pid, "SIGKILL"),
  banner: () => console.log("Welcome to my driver!"),
  headers: () => console.log("Content-Length: 17\r\n\r\n"),
  "floods stderr": () => process.stderr.write("x".repeat(5_000_000)),
  "floods stderr without end": () => setInterval(() => process.stderr.write("x".repeat(50_000)), 1).unref(),
  "ignores TERM": () => process.on("SIGTERM", () => undefined),
  "never ends": () => process.on("SIGTERM", liveOn),
};
faultsAtStart[behaviour]?.();

/** One run at a time, and no barrier. */
const isBlocking = [
  "blocking",
  "dies after the answer",
  "garbage after the answer",
  "events of a run after the next began",
  "does not declare what a case needs",
  "takes the next line for the answer",
  "signals the kit in its second run",
];

function featuresOf(name: string): string[] {
  if (name === "unknown feature") return ["telepathy"];
  if (name === "waits for another time") return ["clock.virtual"];
  return isBlocking.includes(name) ? [] : ["parallel"];
}

const handshake: InitializeResult = {
  protocol: (behaviour === "wrong protocol" ? 2 : 1) as 1,
  implementation: { name: "fake", version: "1.0.0", language: "typescript" },
  concurrency: isBlocking.includes(behaviour) ? 1 : 4,
  seams: ["generic"],
  features: featuresOf(behaviour),
  reports: behaviour === "reports no session" ? ["events", "result"] : ["session", "result", "events"],
};

/** What the driver does wrong when a run begins while another is in flight. */
const overlapping: Record<string, () => unknown> = {
  "dies while runs overlap": () => process.exit(7),
  "hangs while runs overlap": never,
  "writes garbage while runs overlap": () => process.stdout.write('{"jsonrpc":"2.0","id":\n'),
};
let runsInFlight = 0;

/** Goes on when the virtual clock has been moved so far. */
const hourHasPassed = Promise.withResolvers<void>();
let clockMs = 0;

function advance(id: number, ms: number): void {
  clockMs += ms;
  if (clockMs >= 3_600_000) hourHasPassed.resolve();
  setImmediate(() => send({ id, result: {} }));
}

let runs = 0;

/** What the driver does wrong in every run. */
const faults: Record<string, (params: RunParams) => unknown> = {
  "dies in every run": () => process.exit(1),
  "hangs in every run": never,
  "signals the kit in its second run": () => {
    if (++runs < 2) return undefined;
    process.kill(process.ppid, token);
    return never();
  },
  "waits for another time": () => hourHasPassed.promise,
  "refuses every run": () => {
    throw new Error("I would rather not");
  },
};

/** What the driver does wrong in the run whose user says "culprit". */
const culpritFaults: Record<string, (params: RunParams) => unknown> = {
  "exits mid-case": () => process.exit(0),
  "exits mid-case with 3": () => process.exit(3),
  "killed mid-case": () => process.kill(process.pid, "SIGKILL"),
  "stops itself": () => {
    process.kill(process.pid, "SIGSTOP");
    return never();
  },
  "says on stderr why it hangs": () => {
    process.stderr.write("two threads wait for each other\n");
    return never();
  },
  hangs: never,
  "ignores TERM": never,
  blocks: () => {
    for (;;);
  },
  "stops reading": () => {
    process.stdin.pause();
    liveOn();
    return never();
  },
  "closes stdin": () => {
    process.stdin.destroy();
    liveOn();
    return never();
  },
  "closes stdout": () => {
    closeSync(1);
    return never();
  },
  "tells events without end": ({ run }) => {
    const emitNext = () => {
      emit(run, { type: "warning", seq: 0, turn: 0, code: "id_mapped", message: "again" });
      setImmediate(emitNext);
    };
    emitNext();
    return never();
  },
  "asks the model without end": async ({ run, session: { messages } }) => {
    for (;;) await ask("model/invoke", { run, request: { messages, tools: [] } }).catch(() => undefined);
  },
  garbage: () => process.stdout.write("debug: about to call the model\n"),
  "two messages on a line": ({ run }) => {
    const line = JSON.stringify({ jsonrpc: "2.0", method: "tool/abort", params: { run, id: "none" } });
    process.stdout.write(`${line}${line}\n`);
  },
  "half a frame": () => {
    process.stdout.write('{"jsonrpc":"2.0","id":');
    process.exitCode = 1;
    process.stdin.destroy();
    return never();
  },
  "half a frame, and hangs": () => {
    process.stdout.write('{"jsonrpc":"2.0","id":');
    return never();
  },
  "huge frame": () => send({ method: "event", params: "x".repeat(17 * 1024 * 1024) }),
  "deep frame": ({ run }) => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    process.stdout.write(`{"jsonrpc":"2.0","method":"event","params":{"run":"${run}","event":${deep}}}\n`);
  },
  "not UTF-8": ({ run }) => {
    const event = { type: "warning", seq: 0, turn: 0, code: "id_mapped", message: "café" };
    const line = JSON.stringify({ jsonrpc: "2.0", method: "event", params: { run, event } });
    process.stdout.write(Buffer.from(`${line}\n`, "latin1"));
  },
  "wrong id": () => send({ id: 987654, result: {} }),
  "names a run that was never asked for": () =>
    emit("r999", { type: "warning", seq: 0, turn: 0, code: "id_mapped", message: "whose?" }),
  "one id for two requests": ({ run, session: { messages } }) => {
    const request = { id: "same", method: "model/invoke", params: { run, request: { messages, tools: [] } } };
    const line = JSON.stringify({ jsonrpc: "2.0", ...request });
    process.stdout.write(`${line}\n${line}\n`); // at once: the first is not answered when the second comes
  },
  "unknown method": () => send({ id: "u1", method: "file/read", params: {} }),
  "unknown notification": ({ run }) => send({ method: "progress", params: { run } }),
  "takes the next line for the answer": ({ run }) => ask("tool/execute", { run, call: {} }).catch(() => undefined),
  "does not end the run that it has spoilt": ({ run }) => {
    ask("tool/execute", { run, call: {} }).catch(() => undefined);
    return never();
  },
  "dies of what it has spoilt": ({ run }) => ask("tool/execute", { run, call: {} }).catch(() => process.exit(1)),
  "invalid event": ({ run }) => send({ method: "event", params: { run, event: { type: "run_started", seq: 0 } } }),
  grandchild: () => {
    leaveBehind({});
    process.exit(0);
  },
  "grandchild outside its group": () => {
    leaveBehind({ detached: true });
    process.exit(0);
  },
  "grandchild outside its group, without its environment": () => {
    leaveBehind({ detached: true, env: {} });
    process.exit(0);
  },
  "driver error": () => {
    throw new Error("the loop does not like this session");
  },
  "crashes where the run is to be refused": () => process.exit(1),
};

function leaveBehind(options: { detached?: boolean; env?: NodeJS.ProcessEnv }): void {
  spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)", token], { stdio: "inherit", ...options });
}

const loopFaults: Record<string, FakeFaults> = {
  "drops a result": { results: (results) => results.slice(0, -1) },
  "swaps results": { results: (results) => results.toReversed() },
};

/** Answers a run; where its agent does not exist the loop is not even begun. */
async function respond(params: RunParams, isCulprit: boolean): Promise<RunResponse> {
  const ports = { ask, emit: (event: LoopEvent) => emit(params.run, event) };
  if (!Object.hasOwn(params.agents, params.agent)) return fakeRefusal(params, ports);
  const { result, session } = await fakeLoop(params, ports, isCulprit ? loopFaults[behaviour] : {});
  return behaviour === "reports no session" ? { result } : { result, session };
}

async function run(id: number, params: RunParams): Promise<void> {
  if (runsInFlight > 0) await overlapping[behaviour]?.();
  runsInFlight += 1;
  try {
    await playRun(id, params);
  } finally {
    runsInFlight -= 1;
  }
}

async function playRun(id: number, params: RunParams): Promise<void> {
  const isCulprit = JSON.stringify(params.session).includes("culprit");
  for (let seq = 0; seq < 100 && endedRun !== undefined; seq++)
    emit(endedRun, { type: "warning", seq, turn: 0, code: "id_mapped", message: "late" });
  await faults[behaviour]?.(params);
  if (isCulprit) await culpritFaults[behaviour]?.(params);
  if (isCulprit && behaviour === "an error that is none") return send({ id, error: "boom" });
  const response = await respond(params, isCulprit);
  const answer = behaviour === "invalid answer" && isCulprit ? { result: { status: "done" } } : response;
  if (behaviour === "answers a barrier before the run that ends") await new Promise((late) => setTimeout(late, 50));
  if (behaviour === "answers in another order") return answerInPairs({ id, result: answer });
  if (isCulprit && comesWithAnswer.has(behaviour)) process.stdout.cork();
  send({ id, result: answer });
  if (isCulprit) afterAnswer(id, params.run, answer);
  process.stdout.uncork();
  if (behaviour === "dies after each answer") process.exit(0);
}

/** Answers two runs at once, the later one first. */
function answerInPairs(message: object): void {
  unsent.unshift(message);
  if (unsent.length === 2) for (const answer of unsent.splice(0)) send(answer);
}

/** What is wrong after an answer and is read with it, so that it is seen before the next run, however busy the machine is. */
const comesWithAnswer = new Set(["answers twice", "event after the answer", "garbage after the answer"]);

/** What the driver does wrong when it has answered the culprit. */
function afterAnswer(id: number, run: string, answer: unknown): void {
  if (behaviour === "answers twice") send({ id, result: answer });
  if (behaviour === "event after the answer")
    emit(run, { type: "warning", seq: 99, turn: 0, code: "id_mapped", message: "late" });
  if (behaviour === "events of a run after the next began") endedRun = run;
  if (behaviour === "garbage after the answer") process.stdout.write("bye\n");
  if (behaviour === "dies after the answer") process.exit(0);
}

function initialize(id: number): void {
  if (behaviour === "silent") return;
  if (behaviour === "cannot read") return send({ id: null, error: { code: -32700, message: "Parse error" } });
  if (behaviour === "refuses the handshake")
    return send({ id, error: { code: -32602, message: "I speak protocol 7 only" } });
  if (behaviour === "byte order mark") process.stdout.write("\uFEFF");
  if (behaviour === "never flushes a line break")
    return void process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: handshake }));
  if (behaviour === "slow start") return void setTimeout(() => send({ id, result: handshake }), 400);
  send({ id, result: handshake });
}

function shutdown(id: number): void {
  if (behaviour === "never answers shutdown" || behaviour === "never ends") return liveOn();
  if (behaviour === "dies when it is asked to end") process.exit(1);
  if (behaviour === "ends without answering") process.exit(0);
  if (behaviour === "says goodbye") process.stdout.write("bye\n");
  send({ id, result: {} });
  process.stdout.write("", () => {
    if (behaviour === "is killed by what it does last") process.kill(process.pid, "SIGABRT");
    process.exit(behaviour === "ends with an error" ? 1 : 0);
  });
}

const methods = ["initialize", "barrier", "clock/advance", "run", "shutdown"];

interface Asked {
  id: number;
  method: string;
  params: RunParams & { ms: number };
}

function answer({ id, method, params }: Asked): void {
  if (method === "initialize") initialize(id);
  if (method === "barrier") setImmediate(() => send({ id, result: {} }));
  if (method === "clock/advance") advance(id, params.ms);
  if (method === "run")
    run(id, params).catch((error: Error) => send({ id, error: { code: -32000, message: error.message } }));
  if (method === "shutdown") shutdown(id);
  if (!methods.includes(method) && id !== undefined && behaviour !== "says nothing to what it does not know")
    send({ id, error: { code: -32601, message: `no method ${method}` } });
}

listen((message) => answer(message as never));
