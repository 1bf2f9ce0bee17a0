// A small loop with a journal, for the tests of what the kit finds when its process ends. It may have one fault.

import type {
  Agent,
  JournalRecord,
  RunResponse,
  Snapshot,
  ToolCallMessage,
  ToolResultMessage,
  Usage,
} from "../../../schemas/types.ts";
import type { Kit, MakeDriver } from "../driver/in-process.ts";
import { foldJournal } from "../observed/journal-fold.ts";
import { wholeAnswer } from "./whole-answer.ts";

/** What is wrong with a loop. */
export type JournalFault =
  /** Tools are started before that is written down. */
  | "starts_unwritten"
  /** What a tool returned is written down with the whole batch. */
  | "results_unwritten"
  /** What was started is started again. */
  | "repeats_everything"
  /** What was not finished is said to be done. */
  | "makes_results_up"
  /** A new process begins the run anew. */
  | "forgets_everything"
  /** It says that there are more records than there are. */
  | "miscounts"
  /** It goes on where another writer has taken its journal. */
  | "overtaken"
  /** It drops from the state what it does not know. */
  | "drops_extensions";

/** Another writer has taken the journal. */
class Taken extends Error {}

const unknown: Usage = {
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

/** A driver around the loop. */
export function journalledLoop(fault?: JournalFault): MakeDriver {
  return (kit) => ({
    initialize: () => ({
      protocol: 1,
      implementation: { name: "journalled", version: "1", language: "typescript" },
      seams: ["generic"],
      features: ["journal"],
      reports: ["session", "result"],
    }),
    run: async ({ run, session, agents, agent }) => {
      const begun: Snapshot = {
        spec_version: "1.0",
        phase: "turn_boundary",
        session,
        agent,
        options: {},
        turn: 0,
        truncations: 0,
        response_start: session.messages.length,
        decisions: [],
        steps: [],
      };
      const journal = new Writer(kit, run, fault);
      await journal.add({ type: "begin", spec_version: "1.0", snapshot: begun });
      return untilTaken(journal, goOn(journal, agents[agent]!, fault));
    },
    recover: async ({ run, agents }) => {
      const journal = new Writer(kit, run, fault);
      const { records } = await kit.request("journal/read", { run });
      journal.records.push(...(fault === "forgets_everything" ? records.slice(0, 1) : records));
      journal.hidden = records.length - journal.records.length;
      if (fault === "drops_extensions") await journal.dropExtensions();
      return untilTaken(journal, goOn(journal, Object.values(agents)[0]!, fault));
    },
  });
}

/** Writes the records of one run, one after another. */
class Writer {
  readonly kit: Kit;
  readonly run: string;
  readonly records: JournalRecord[] = [];
  /** How many records it has read and does not know any more. */
  hidden = 0;
  readonly #fault: JournalFault | undefined;

  constructor(kit: Kit, run: string, fault: JournalFault | undefined) {
    this.kit = kit;
    this.run = run;
    this.#fault = fault;
  }

  async add(record: JournalRecord): Promise<void> {
    const after = this.records.length + this.hidden + (this.#fault === "miscounts" ? 1 : 0);
    const { answer } = await this.kit.request("journal/append", { run: this.run, after, records: [record] });
    this.records.push(record);
    if (answer === "taken" && this.#fault !== "overtaken") throw new Taken("another writer has added records");
  }

  async dropExtensions(): Promise<void> {
    const { phase, turn, ...rest } = foldJournal(this.records).snapshot!;
    const unset = Object.keys(rest).filter((name) => name.includes("."));
    if (unset.length > 0) await this.add({ type: "transition", phase, turn, unset });
  }
}

/** The answer of a run, or what a run comes to whose journal is taken. */
async function untilTaken(journal: Writer, run: Promise<RunResponse>): Promise<RunResponse> {
  try {
    return await run;
  } catch (thrown) {
    if (!(thrown instanceof Taken)) throw thrown;
    const error = { kind: "superseded" as const, message: thrown.message };
    return wholeAnswer(foldJournal(journal.records).snapshot!, { status: "error", error });
  }
}

/** Goes on where the journal is, until the model calls no tool. */
async function goOn(journal: Writer, agent: Agent, fault: JournalFault | undefined): Promise<RunResponse> {
  for (;;) {
    const state = foldJournal(journal.records).snapshot!;
    const { phase, turn, session, response_start } = state;
    const calls = session.messages.slice(response_start).filter((one) => one.type === "tool_call");
    if (phase === "done") return wholeAnswer(state);
    if (phase === "turn_boundary") await journal.add(await askModel(journal, agent, state));
    else if (phase === "executing") await journal.add(afterBatch(state, await execute(journal, agent, calls, fault)));
    else await journal.add({ type: "transition", phase: calls.length > 0 ? "executing" : "done", turn });
  }
}

/** What one response changes. */
async function askModel({ kit, run }: Writer, { tools = [] }: Agent, state: Snapshot): Promise<JournalRecord> {
  const { messages } = state.session;
  const turn = state.turn + 1;
  const response = await kit.request("model/invoke", { run, request: { messages, tools } });
  const { messages: items, stop_reason, raw_stop_reason = null, usage = unknown, model = "replay" } = response;
  const tool_calls = items.filter(({ type }) => type === "tool_call").length;
  const step = { turn, agent: state.agent, model, stop_reason, raw_stop_reason, usage, tool_calls, outcomes: [] };
  return {
    type: "transition",
    phase: "deciding",
    turn,
    messages: { from: messages.length, items },
    steps: { from: turn - 1, items: [step] },
    set: { response_start: messages.length },
  };
}

/** The results of a batch: tools that were started and have not ended are started again only if that does no harm. */
async function execute(
  journal: Writer,
  { tools = [] }: Agent,
  calls: readonly ToolCallMessage[],
  fault: JournalFault | undefined,
): Promise<ToolResultMessage[]> {
  const { kit, run, records } = journal;
  const { started, finished } = foldJournal(records);
  const results: ToolResultMessage[] = [];
  for (const { id, name, input } of calls) {
    const tool = tools.find((one) => one.name === name);
    const mayStart = !started.has(id) || tool?.annotations?.idempotent || fault === "repeats_everything";
    const made = finished.get(id) ?? (tool ? undefined : madeUp(id, "unknown_tool"));
    const lost: ToolResultMessage =
      fault === "makes_results_up" ? madeUp(id, "not_executed") : madeUp(id, "interrupted");
    const known = made ?? (mayStart ? undefined : lost);
    if (known) {
      results.push(known);
      continue;
    }
    const start: JournalRecord = { type: "tool_started", id, name };
    if (fault !== "starts_unwritten") await journal.add(start);
    const { output = "" } = await kit.request("tool/execute", { run, call: { id, name, input } });
    if (fault === "starts_unwritten") await journal.add(start);
    const result: ToolResultMessage = { type: "tool_result", id, output, outcome: "ok" };
    if (fault !== "results_unwritten") await journal.add({ type: "tool_finished", result });
    results.push(result);
  }
  return results;
}

function madeUp(id: string, outcome: "unknown_tool" | "interrupted" | "not_executed"): ToolResultMessage {
  return { type: "tool_result", id, output: `It was ${outcome}.`, is_error: true, synthetic: true, outcome };
}

/** What the results of a batch change. */
function afterBatch({ turn, steps, session }: Snapshot, items: ToolResultMessage[]): JournalRecord {
  const step = { ...steps[turn - 1]!, outcomes: items.map(({ outcome = "ok" }) => outcome) };
  return {
    type: "transition",
    phase: "turn_boundary",
    turn,
    messages: { from: session.messages.length, items },
    steps: { from: turn - 1, items: [step] },
  };
}
