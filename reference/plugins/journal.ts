// Writes the journal of a run in progress.

import type { ExecutableCall, Executed, State } from "../core/ports.ts";
import { resultText, syntheticResult } from "../core/session.ts";
import { unwritten, type FinishedTool, type Journal } from "../state/journal-records.ts";
import { JournalWriter } from "../state/journal-writer.ts";
import { toolHashes } from "../state/tool-hashes.ts";
import type { Agent, JournalRecord, ToolReport } from "../../schemas/types.ts";
import { reportOf } from "../state/tool-report.ts";
import type { Plugin, RunContext, Points, Memory } from "./plugin.ts";

export interface JournalSetup {
  /** Where the run is recorded, so that `recover` can continue it. @see JOURNAL-1 */
  journal?: Journal;
}

/** Outermost: inner plug-ins see the results of an earlier process as if the tools had run in this one. */
export const journal: Plugin<JournalSetup> = {
  name: "journal",
  setup: ["journal"],
  attach(run) {
    if (run.setup.journal) return keepJournal(run.setup.journal, run);
  },
};

/**
 * Makes few appends: a batch is written down with its first tools, those that begin together at once, and what the last of them
 * returned with the end of the turn. If somebody is asked in between, everything is written before.
 * @see JOURNAL-1 JOURNAL-2 JOURNAL-3 JOURNAL-4 JOURNAL-7 JOURNAL-10 JOURNAL-25 JOURNAL-30 JOURNAL-31
 */
function keepJournal(
  journal: Journal,
  {
    folded,
    agents: { definitions: agents },
    memory,
    signal,
    measured: measuredOf,
    asksInBatch,
  }: RunContext<JournalSetup>,
): Points {
  const recordOf = unwritten(folded?.state);
  const finished: Map<string, FinishedTool> = new Map(folded?.finished); // in an earlier process
  const hashes = new WeakMap<Agent, State["tools"]>(); // an agent with different tools is a different object
  const writer = new JournalWriter(journal, folded?.length ?? 0);
  let isOpen = false; // a refused run is not recorded
  let running = 0;
  const newRecords = (state: State): JournalRecord[] => {
    const record = recordOf(withMemory(state, memory(), hashes.get(agents[state.agent]!)));
    return record ? [record] : [];
  };
  const hashTools = async (agent: Agent) => hashes.set(agent, await toolHashes(agent));

  async function runTool(call: ExecutableCall, run: (call: ExecutableCall) => Promise<Executed>, state: State) {
    if (signal.aborted) return run(call);
    running += 1;
    const start = { type: "tool_started", id: call.id, name: call.name } as const;
    const reason = await writer.keepTogether([start]).then(nothing, messageOf);
    const executed = reason === undefined ? await run(call) : notRecorded(call, reason);
    running -= 1;
    if (reason !== undefined) return executed;
    if (executed.result.outcome === "suspended") return executed; // not ended, but suspended
    const measured = measuredOf(call);
    const report = measured && reportOf(call, executed, measured);
    const records = [...newRecords(state), finishedRecord(executed, report)];
    // The next append is that of the tool that follows, or of the end of the turn, and nothing happens before it.
    if (running === 0 && !asksInBatch()) writer.hold(records);
    // If this fails, the checkpoint after the batch also fails, and ends the run.
    else await writer.keep(records).catch(nothing);
    return executed;
  }

  return {
    async prepare(state) {
      for (const agent of Object.values(agents)) await hashTools(agent);
      await writer.keep(newRecords(state)).catch(nothing);
      isOpen = writer.failure === undefined;
      return writer.failure;
    },
    async checkpoint(state) {
      if (!isOpen) return;
      const agent = agents[state.agent]!;
      if (!hashes.has(agent)) await hashTools(agent);
      const records = newRecords(state);
      if (state.phase === "executing" && !asksInBatch()) return writer.hold(records);
      return writer.keep(records);
    },
    // Never fails: the run is over.
    end: (state) => (isOpen ? writer.keep(newRecords(state)).catch(nothing) : undefined),
    failure: () => writer.failure,

    aroundBatch: (execute) => async (calls, run, state) => {
      const before = calls.flatMap(({ id }) => finished.get(id)?.report ?? []);
      const step = state.steps.at(-1);
      if (step && before.length > 0) step.tools = [...(step.tools ?? []), ...before];
      const executed = await execute(
        calls,
        async (call) => finished.get(call.id)?.executed ?? runTool(call, run, state),
        state,
      );
      finished.clear();
      return executed;
    },
  };
}

/** The state to be recorded. */
function withMemory(state: State, { elapsed_ms, tripped, unsaid = [] }: Memory, tools: State["tools"]): State {
  const { tripped: _, unsaid: __, ...rest } = state;
  const counters = { ...rest.counters, elapsed_ms };
  return {
    ...rest,
    counters,
    ...(tools && { tools }),
    ...(tripped && { tripped }),
    ...(unsaid.length > 0 && { unsaid }),
  };
}

function notRecorded(call: ExecutableCall, reason: string): Executed {
  return { result: syntheticResult(call, "not_executed", resultText("not_recorded", { reason })) };
}

function finishedRecord({ result, ...requests }: Executed, report: ToolReport | undefined): JournalRecord {
  return { type: "tool_finished", result, ...withoutUndefined(requests), ...(report && { report }) };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(value)) as T;
}

function nothing(): undefined {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
