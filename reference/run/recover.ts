// Finds out, from a journal, how a run can go on: from where, or why it must not.

import type { State } from "../core/ports.ts";
import { lastCalls, syntheticResult } from "../core/session.ts";
import { fold, type Folded, type Journal } from "../state/journal-records.ts";
import type { Agent, CallDecision, LoopError, Snapshot } from "../../schemas/types.ts";

/** What a journal has: nothing yet, what its records come to, or something that cannot be read. */
export type Kept = { folded?: Folded; unreadable?: LoopError };

/** Reads a journal. Never throws. */
export async function readKept(journal: Journal | undefined): Promise<Kept> {
  try {
    const records = journal ? await journal.read() : [];
    return records.length > 0 ? { folded: fold(records) } : {};
  } catch (error) {
    return { unreadable: configuration(error instanceof Error ? error.message : String(error)) };
  }
}

/** Why a new run must not be written to the journal, if it must not. @see JOURNAL-12 */
export function startRefused({ folded, unreadable }: Kept, sessionId: string): LoopError | undefined {
  if (!folded) return unreadable;
  const { phase, session } = folded.state;
  if (session.id !== sessionId)
    return configuration(`The journal is that of the session ${session.id}, but the run is on ${sessionId}.`);
  if (phase === "done") return undefined;
  const how = phase === "suspended" ? "Resume it" : "Recover it";
  return configuration(`The journal has a run that has not ended (phase ${phase}). ${how}, or fork the session.`);
}

/** Why a snapshot must not be resumed with the journal, if it must not. @see JOURNAL-11 */
export function resumeRefused({ folded, unreadable }: Kept, snapshot: Snapshot): LoopError | undefined {
  if (!folded) return unreadable;
  const { state } = folded;
  const isSame = state.session.id === snapshot.session.id && batchOf(state) === batchOf(snapshot);
  if (!isSame)
    return configuration("The snapshot is not of the run that the journal has. Resume what the journal has.");
  if (state.phase === "suspended") return undefined;
  return configuration(`The run has been resumed already: by the journal it is in phase ${state.phase}.`);
}

/** The calls that a run waits with. Their ids are unique in the session, so they say which suspension it is. */
function batchOf(state: State): string {
  return lastCalls(state)
    .map(({ id }) => id)
    .join("\n");
}

/**
 * The state from which a run goes on whose process ended. A tool that was running then is started again only if it is
 * idempotent; the call of another one is answered `interrupted`.
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
    return { do: "answer", result: syntheticResult(call, "interrupted", INTERRUPTED) };
  });
  // What was to be said about a result that is not there would be said twice, or about nothing.
  const unsaid = state.unsaid?.filter(({ id }) => id === undefined || !wasRunning(id));
  return { ...state, decisions, ...(unsaid && { unsaid }) };
}

const INTERRUPTED = "The process ended while this tool was running. What it did until then may have had effects.";

function configuration(message: string): LoopError {
  return { kind: "configuration", message };
}
