// A journaled run of twelve turns with approvals, which hangs where its process is to be killed. Also a program.

import { appendFileSync } from "node:fs";
import { basename } from "node:path";

import { agentLoop, recover, resume, type Run } from "../run/run.ts";
import { virtualClock } from "../support/clock.ts";
import type { InvokeModel } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import type { Journal } from "../state/journal-records.ts";
import { jsonlStore } from "../stores/jsonl.ts";
import type { SessionStore } from "../stores/session-store.ts";
import { sqliteStore } from "../stores/sqlite.ts";
import type {
  LoopEvent,
  Message,
  PendingCall,
  ResumeDecision,
  RunOptions,
  RunResult,
  Session,
} from "../../schemas/types.ts";

export type StoreKind = "jsonl" | "sqlite";

/** Where the process is to be killed: after a number of appends, or inside the tool of a call. */
export type Death = { append: number } | { tool: string };

/** Called when the run has reached that point, where it hangs. */
type Reached = () => void;

/** A task of the program: one run. */
export interface Doomed {
  folder: string;
  death: Death;
}

export interface Lived {
  session: Session;
  result: RunResult;
  events: LoopEvent[];
  appends: number;
}

const TURNS = 12;

/** Opens a store in a folder, uses it, and closes it. */
export async function withStore<T>(kind: StoreKind, folder: string, use: (store: SessionStore) => Promise<T>) {
  if (kind === "jsonl") return use(jsonlStore(folder));
  const store = await sqliteStore(`${folder}/sessions.db`);
  try {
    return await use(store);
  } finally {
    store.close();
  }
}

/** The file in which the tools record that they started. */
export function startsFile(folder: string): string {
  return `${folder}/starts.txt`;
}

/** Starts or recovers the run in a store, and runs it to its end. */
export async function liveOn(store: SessionStore, folder: string, death?: Death, reached?: Reached): Promise<Lived> {
  const id = basename(folder); // each run in a process has its own session
  const opened = await store.open(id);
  let appends = 0;
  const journal: Journal = {
    read: () => opened.read(),
    async append(records) {
      await opened.append(records);
      appends += 1;
      if (death && "append" in death && death.append === appends) await hang(reached);
    },
  };
  const tools = toolsOf(folder, death, reached);
  const setup = { provider: { name: "scripted", invokeModel }, tools, options, journal, clock: virtualClock() };
  const isNew = (await opened.read()).length === 0;
  const session = initSession({ id, user: "Begin." });
  const events: LoopEvent[] = [];
  const ended = async (run: Run): Promise<RunResult> => {
    for await (const event of run) events.push(event);
    return run.result;
  };
  let run = isNew ? agentLoop({ ...setup, session }) : recover(setup);
  let result = await ended(run);
  while (result.status === "suspended") {
    const approve = ({ id, input_hash }: PendingCall): ResumeDecision => ({
      id,
      action: "approve",
      input_hash: input_hash!,
    });
    const decisions = result.pending!.map(approve);
    run = resume({ ...setup, snapshot: result.snapshot!, decisions });
    result = await ended(run);
  }
  await opened.close();
  return { session: await run.session, result, events, appends };
}

const options: RunOptions = {
  permissions: { mode: "bypass", rules: [{ effect: "ask", match: "pay" }] },
  scheduling: "parallel",
};

/** Every third turn has a call that needs approval. The answer depends only on the session, not on the process. */
const invokeModel: InvokeModel = async ({ messages }) => {
  const last = messages.findLast((message) => message.type === "tool_call");
  const turn = last ? Number(/\d+/.exec(String(last.id))) + 1 : 1;
  const call = (name: string): Message => ({ type: "tool_call", id: `${name}_${turn}`, name, input: { turn } });
  if (turn === TURNS) return { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
  return {
    messages: turn % 3 === 0 ? [call("pay"), call("look")] : [call("look"), call("write")],
    stop_reason: "tool_use",
  };
};

function toolsOf(folder: string, death: Death | undefined, reached: Reached | undefined): DefinedTool[] {
  const tool = (name: string, idempotent: boolean): DefinedTool => ({
    name,
    input_schema: { type: "object" },
    annotations: { idempotent, concurrent: true },
    async execute(_input, { call }) {
      appendFileSync(startsFile(folder), `${call.id}\n`);
      if (death && "tool" in death && death.tool === call.id) await hang(reached);
      return `${name} has done ${call.id}`;
    },
  });
  return [tool("look", true), tool("write", false), tool("pay", false)];
}

const hanging: unknown[] = []; // keeps pending promises, and the open files of their runs, from being collected

function hang(reached: Reached | undefined): Promise<never> {
  reached?.();
  return new Promise((resolve) => void hanging.push(resolve));
}

// The process is killed once each of its runs has reached its point: a dying process ends all of them at once.
if (import.meta.main) {
  const kind = process.argv[2] as StoreKind;
  const doomed = JSON.parse(process.argv[3]!) as Doomed[];
  const arrived = doomed.map(
    ({ folder, death }) =>
      new Promise<void>((reached, failed) => {
        const over = () => failed(new Error(`The run in ${folder} ended before ${JSON.stringify(death)}.`));
        withStore(kind, folder, (store) => liveOn(store, folder, death, reached)).then(over, failed);
      }),
  );
  await Promise.all(arrived);
  process.kill(process.pid, "SIGKILL");
}
