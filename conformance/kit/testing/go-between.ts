// Stands between the kit and the driver of the reference, and changes what one of them says: a loop that is right in all but one thing.
// Usage: node go-between.ts <cheat>; cheats.yaml says how each hopes to get through.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LoopEvent } from "../../../schemas/types.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- whatever passes through is valid already, or is for the kit to find.
type Message = { id?: string | number; method?: string; params?: any; result?: any; error?: unknown };

/** What a cheat does with a message: what goes on in its place. Absent: the message itself. */
interface Cheat {
  ofLoop?(message: Message): Message[];
  ofKit?(message: Message): Message[];
  event?(event: Told): Told[];
}
type Told = LoopEvent extends infer Event ? (Event extends unknown ? Omit<Event, "seq"> : never) : never;

const driver = spawn(process.execPath, [fileURLToPath(new URL("../../drivers/reference/driver.ts", import.meta.url))], {
  stdio: ["pipe", "pipe", "inherit"],
});
driver.on("exit", (code) => process.exit(code ?? 1));
const write = (to: NodeJS.WritableStream, message: Message) =>
  to.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const toKit = (message: Message) => write(process.stdout, message);
const toLoop = (message: Message) => write(driver.stdin, message);

/** What each was asked, by the id of the request. */
const askedOfKit = new Map<unknown, Message>();
const askedOfLoop = new Map<unknown, Message>();
/** The runs that have not been answered, and how each run came about. */
const open = new Set<string>();
const kindOf = new Map<string, "run" | "resume" | "recover" | "next">();

const isOf = ({ params }: Message, kind: string) => kindOf.get(params?.run) === kind;
/** The answer of a run; undefined if the message is none. */
const answeredRun = ({ id, method }: Message): string | undefined =>
  method === undefined && kindOf.has(askedOfLoop.get(id)?.params?.run) ? askedOfLoop.get(id)!.params.run : undefined;
/** Answers the loop in the place of the kit, which receives nothing of it. */
function answerLoop({ id }: Message, result: object): Message[] {
  toLoop({ id: id!, result });
  return [];
}
let count = 0;
const askKit = (method: string, params: unknown) => toKit({ id: `mine${++count}`, method, params });

const output = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
const outputs = new Map<string, object>();
const executed = new Map<string, unknown>();
let lastAnswer: object = {};
const keyOf = ({ params: { call } }: Message) => JSON.stringify([call.name, call.input]);

const cheats: Record<string, Cheat> = {
  "invents what the tools of a resumed run said": {
    ofLoop: (message) =>
      message.method === "tool/execute" && isOf(message, "resume")
        ? answerLoop(message, { output: "done" })
        : [message],
  },
  "resumes on a clock of its own": {
    ofKit: (message) => {
      if (message.method !== "resume") return [message];
      const { clock: _, clock_ms: __, ...params } = message.params;
      return [{ ...message, params }];
    },
  },
  "invents the answer of a recovered run": {
    ofLoop: (message) =>
      message.method === "model/invoke" && isOf(message, "recover") ? answerLoop(message, output) : [message],
  },
  "never comes back from its journal": {
    ofKit: (message) => (message.method === "recover" ? [] : [message]),
  },
  "recovers without what had returned": {
    ofKit: (message) => {
      if (askedOfKit.get(message.id)?.method !== "journal/read" || !message.result) return [message];
      const records = (message.result.records as { type: string }[]).filter(({ type }) => type !== "tool_finished");
      return [{ ...message, result: { records } }];
    },
  },
  "forgets the first run when the user goes on": {
    ofLoop: (message) => {
      if (message.method !== "model/invoke" || !isOf(message, "next")) return [message];
      const { request } = message.params;
      return [
        { ...message, params: { ...message.params, request: { ...request, messages: request.messages.slice(-1) } } },
      ];
    },
  },
  "answers the next message with the answer before": {
    ofLoop: (message) => {
      if (answeredRun(message) !== undefined) lastAnswer = message.result;
      return [message];
    },
    ofKit: (message) => {
      if (message.method !== "run" || !("after" in message.params)) return [message];
      toKit({ id: message.id!, result: lastAnswer });
      return [];
    },
  },
  "executes a tool when the user goes on": {
    ofLoop: (message) => {
      if (message.method !== "model/invoke" || !isOf(message, "next")) return [message];
      const { run, request } = message.params;
      askKit("tool/execute", { run, call: { id: "mine", name: request.tools[0].name, input: {} } });
      return [message];
    },
  },
  "executes no call that it has executed before": {
    ofLoop: (message) => {
      const known = message.method === "tool/execute" ? outputs.get(keyOf(message)) : undefined;
      return known ? answerLoop(message, known) : [message];
    },
    ofKit: (message) => {
      const request = askedOfKit.get(message.id);
      if (request?.method === "tool/execute" && message.result) outputs.set(keyOf(request), message.result);
      return [message];
    },
  },
  "executes its last call once more after the run": {
    ofLoop: (message) => {
      if (message.method === "tool/execute") executed.set(message.params.run, message.params);
      const run = answeredRun(message);
      const again = run === undefined ? undefined : executed.get(run);
      if (again === undefined) return [message];
      toKit(message);
      askKit("tool/execute", again);
      return [];
    },
  },
  "executes a call a second time in the name of another run": {
    ofLoop: (message) => {
      const other = [...open].find((run) => run !== message.params?.run);
      if (message.method === "tool/execute" && other !== undefined)
        askKit("tool/execute", { ...message.params, run: other });
      return [message];
    },
  },
  "mixes up what runs say that are under way at once": {
    ofLoop: (message) => {
      const other = [...open].find((run) => run !== message.params?.run);
      if (message.method !== "model/invoke" || other === undefined) return [message];
      return [{ ...message, params: { ...message.params, run: other } }];
    },
  },
  "tells of a failure that was none": {
    event: (event) => {
      if (event.type === "attempt_end") return [{ ...event, attempt: 2 }];
      if (event.type !== "attempt_start") return [event];
      const error = { kind: "network", message: "no answer" } as const;
      const { turn } = event;
      return [
        event,
        { type: "attempt_end", turn, attempt: 1, stop_reason: "error", error },
        { type: "retry", turn, attempt: 1, wait_ms: 0, error },
        { ...event, attempt: 2 },
      ];
    },
  },
  "tells of a handoff that no tool asked for": {
    event: (event) =>
      event.type === "turn_end" ? [{ type: "handoff", turn: event.turn, from: "main", to: "main" }, event] : [event],
  },
  "tells of progress that no tool made": {
    event: (event) => {
      if (event.type !== "tool_start") return [event];
      const { turn, id, name } = event;
      return [event, { type: "tool_progress", turn, id, name, progress: { done: 1 } }];
    },
  },
};

const cheat = cheats[process.argv[2]!]!;
const lastSeq = new Map<string, number>();

createInterface({ input: driver.stdout }).on("line", (line) => {
  const message = JSON.parse(line) as Message;
  if (message.method !== undefined && message.id !== undefined) askedOfKit.set(message.id, message);
  if (message.method === "event" && cheat.event) {
    const { run, event } = message.params;
    for (const reported of cheat.event(event)) {
      const seq = (lastSeq.get(run) ?? -1) + 1;
      lastSeq.set(run, seq);
      toKit({ ...message, params: { run, event: { ...reported, seq } } });
    }
    return;
  }
  for (const one of cheat.ofLoop?.(message) ?? [message]) toKit(one);
  const run = answeredRun(message);
  if (run !== undefined) open.delete(run);
});

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (String(message.id).startsWith("mine")) return;
    if (message.method !== undefined && message.id !== undefined) askedOfLoop.set(message.id, message);
    if (["run", "resume", "recover"].includes(message.method!)) {
      open.add(message.params.run);
      kindOf.set(message.params.run, "after" in message.params ? "next" : (message.method as "run"));
    }
    for (const one of cheat.ofKit?.(message) ?? [message]) toLoop(one);
  })
  .on("close", () => driver.stdin.end());
