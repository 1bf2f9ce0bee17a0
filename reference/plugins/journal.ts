// Keeps the journal of a run while it is under way. Plugs into `checkpoint` and `execute`.

import type { ExecutableCall, Executed, Ports, State } from "../core/ports.ts";
import { madeUpResult } from "../core/session.ts";
import { unwritten, type FinishedTool, type Folded, type Journal } from "../state/journal-records.ts";
import { reportOf, type Measured } from "./model/step-report.ts";
import { toolHashes } from "../state/tool-hashes.ts";
import type { Agent, JournalRecord, LoopError, ToolReport } from "../../schemas/types.ts";

/** The journal of a run, as what plugs into its points. */
export interface Keeper {
  /** Writes the state in which the run begins. The error with which the run is refused, if that fails. */
  begin(state: State): Promise<LoopError | undefined>;
  checkpoint: Ports["checkpoint"];
  /** Comes outermost: what is around it sees the results of an earlier process as if the tools had run in this one. */
  aroundBatch(execute: Ports["execute"]): Ports["execute"];
  /** Writes what nobody has written yet of the state in which the run ended. Never fails: the run is over. */
  end(state: State): Promise<void>;
}

export interface Keeping {
  /** What the journal had when the run began. */
  folded: Folded | undefined;
  agents: Record<string, Agent>;
  /** What the modules of the run remember that is not in the state. */
  memory(): Memory;
  signal: AbortSignal;
  /** What was seen of a tool, or undefined if it was not started. */
  measuredOf(call: ExecutableCall): Measured | undefined;
}

/** `elapsed_ms`: how long the run has taken so far, in all its processes. */
export type Memory = Required<Pick<State, "unsaid">> & { tripped: State["tripped"] | undefined; elapsed_ms: number };

/** @see JOURNAL-1 JOURNAL-2 JOURNAL-3 JOURNAL-4 JOURNAL-7 JOURNAL-10 */
export function keepJournal(journal: Journal, { folded, agents, memory, signal, measuredOf }: Keeping): Keeper {
  const recordOf = unwritten(folded?.state);
  const finished: Map<string, FinishedTool> = new Map(folded?.finished); // in an earlier process
  const hashes = new WeakMap<Agent, State["tools"]>(); // an agent with other tools is another object
  let last: Promise<void> = Promise.resolve(); // one at a time, and none after one that failed: a gap would be a lie
  const append = (records: JournalRecord[]): Promise<void> => {
    if (records.length > 0) last = last.then(() => journal.append(records));
    last.catch(() => {}); // whoever waits for it is told
    return last;
  };
  const news = (state: State): JournalRecord[] => {
    const record = recordOf(withMemory(state, memory(), hashes.get(agents[state.agent]!)));
    return record ? [record] : [];
  };
  const hashTools = async (agent: Agent) => hashes.set(agent, await toolHashes(agent));

  async function runTool(call: ExecutableCall, run: (call: ExecutableCall) => Promise<Executed>, state: State) {
    if (signal.aborted) return run(call);
    const started = append([{ type: "tool_started", id: call.id, name: call.name }]);
    const problem = await started.then(() => undefined, notWritten);
    if (problem) return { result: madeUpResult(call, "not_executed", problem.message) };
    const executed = await run(call);
    if (executed.result.outcome === "suspended") return executed; // it has not ended, but waits
    const measured = measuredOf(call);
    const report = measured && reportOf(call, executed, measured);
    // If that fails, the checkpoint after the batch fails too, and ends the run.
    await append([...news(state), finishedRecord(executed, report)]).catch(() => {});
    return executed;
  }

  return {
    async begin(state) {
      for (const agent of Object.values(agents)) await hashTools(agent);
      return append(news(state)).then(() => undefined, notWritten);
    },
    async checkpoint(state) {
      const agent = agents[state.agent]!;
      if (!hashes.has(agent)) await hashTools(agent);
      return append(news(state));
    },
    end: (state) => append(news(state)).catch(() => {}),

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

/** The state as it is to be written. */
function withMemory(state: State, { elapsed_ms, tripped, unsaid }: Memory, tools: State["tools"]): State {
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

function finishedRecord({ result, ...asked }: Executed, report: ToolReport | undefined): JournalRecord {
  return { type: "tool_finished", result, ...withoutUndefined(asked), ...(report && { report }) };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(value)) as T;
}

function notWritten(error: unknown): LoopError {
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "internal", message: `The journal could not be written, so nothing more is done: ${reason}` };
}
