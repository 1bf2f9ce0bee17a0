// Reads from a journal where a run can continue, or why it must not.

import type { State } from "../core/ports.ts";
import { lastCalls, resultText, syntheticResult } from "../core/session.ts";
import { fold, type Folded, type Journal } from "../state/journal-records.ts";
import type { Agent, CallDecision, JournalRecord, LoopError, Snapshot } from "../../schemas/types.ts";

/** The contents of a journal: nothing yet, its folded records, or an error; and what the first record has, if it can be read. */
export type Kept = { folded?: Folded; unreadable?: LoopError; begun?: Snapshot };

/** Reads a journal. Never throws. */
export async function readKept(journal: Journal | undefined): Promise<Kept> {
  let records: JournalRecord[] = [];
  try {
    if (journal) records = await journal.read();
    return records.length > 0 ? { folded: fold(records) } : {};
  } catch (error) {
    const unreadable = configuration(error instanceof Error ? error.message : String(error));
    const [first] = records;
    return { unreadable, ...(first?.type === "begin" && { begun: first.snapshot }) };
  }
}

/** Why a new run must not be written to the journal, if so. @see JOURNAL-12 */
export function startRefused({ folded, unreadable }: Kept, sessionId: string): LoopError | undefined {
  if (!folded) return unreadable;
  const { phase, session } = folded.state;
  if (session.id !== sessionId)
    return configuration(`Expected the journal of session ${sessionId}, got that of ${session.id}.`);
  if (phase === "done") return undefined;
  const how = phase === "suspended" ? "Resume it" : "Recover it";
  return configuration(`The journal has a run that has not ended (phase ${phase}). ${how}, or fork the session.`);
}

/** Why a snapshot must not be resumed with the journal, if so. @see JOURNAL-11 */
export function resumeRefused({ folded, unreadable }: Kept, snapshot: Snapshot): LoopError | undefined {
  if (!folded) return unreadable;
  const { state } = folded;
  const isSame = state.session.id === snapshot.session.id && batchOf(state) === batchOf(snapshot);
  if (!isSame)
    return configuration("The snapshot is not of the run that the journal has. Resume what the journal has.");
  if (state.phase === "suspended" && waitingIn(state) !== waitingIn(snapshot))
    return configuration("The run has gone on since the snapshot: other calls wait. Resume what the journal has."); // [JOURNAL-34]
  if (state.phase === "suspended") return undefined;
  return configuration(`The run has been resumed already: by the journal it is in phase ${state.phase}.`);
}

/** Identifies a suspension by its calls, whose ids are unique in the session. */
function batchOf(state: State): string {
  return lastCalls(state)
    .map(({ id }) => id)
    .join("\n");
}

/** The calls that wait, those of subagents behind the calls around them. */
function waitingIn({ decisions, unfinished, ...state }: State): string {
  const calls = lastCalls({ decisions, ...state }).map(({ id }, i): unknown => {
    const inner = unfinished?.[id]?.snapshot;
    return [id, decisions?.[i]?.do === "ask", inner && waitingIn(inner)];
  });
  return JSON.stringify(calls);
}

/**
 * The state from which a run continues after its process ended. A tool that was running is started again only if it is
 * idempotent; otherwise its call is answered `interrupted`.
 * @see JOURNAL-6 JOURNAL-8 JOURNAL-9
 */
export function recovered({ state, started, finished }: Folded, agents: Record<string, Agent>): State {
  if (state.phase !== "executing") return state;
  const tools = agents[state.agent]?.tools ?? [];
  const wasRunning = (id: string) => started.has(id) && !finished.has(id);
  const decisions = lastCalls(state).map((call, i): CallDecision => {
    const decision = state.decisions[i]!;
    if (decision.do !== "run" || !wasRunning(call.id)) return decision;
    if (tools.find(({ name }) => name === call.name)?.annotations?.idempotent) return decision;
    return { do: "answer", result: syntheticResult(call, "interrupted", resultText("broke_while_running")) };
  });
  // Context for a missing result would be added twice, or refer to nothing. [HOOK-34]
  const unsaid = state.unsaid?.filter(({ id }) => id === undefined || !wasRunning(id));
  return { ...state, decisions, ...(unsaid && { unsaid }) };
}

function configuration(message: string): LoopError {
  return { kind: "configuration", message };
}
