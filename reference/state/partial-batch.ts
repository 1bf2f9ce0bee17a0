// Executes a part of a batch, because a call of it, or a subagent, waits for the caller of the run.

import type { ExecutableCall, Executed, Ports, State } from "../core/ports.ts";
import { lastCalls, resultText, syntheticResult } from "../core/session.ts";
import type { Outcome, Snapshot, ToolCallMessage } from "../../schemas/types.ts";

/**
 * Executes the calls that were not executed before the suspension, and keeps their results while another call waits.
 * @param snapshotOf the state of the subagent behind a call, if it is suspended
 * @see PERMISSION-19 PERMISSION-20 SUBAGENT-14 SUBAGENT-17
 */
export function inParts(
  execute: Ports["execute"],
  snapshotOf: (id: string) => Snapshot | undefined,
  signal: AbortSignal,
): Ports["execute"] {
  return async (calls, run, state) => {
    const latest = await execute(notExecuted(calls, state), run, state);
    const { unfinished: before = {} } = state;
    if (!state.unfinished && !isAsked(state) && !latest.some(waits)) return latest;
    const byId = new Map(latest.map((one) => [one.result.id, one]));
    const executed = calls.map(({ id }) => before[id]?.executed ?? byId.get(id)!);
    const waiting = askedOf(calls, state);
    delete state.unfinished;
    if (waiting.length === 0 && !executed.some(waits)) return executed;
    if (signal.aborted) return withoutWaiting(executed, waiting, CANCELLED);
    if (executed.some(({ fatal }) => fatal)) return withoutWaiting(executed, waiting, BROKEN);
    const kept = executed.map((one) => {
      const { id } = one.result;
      return [id, waits(one) ? { snapshot: snapshotOf(id)! } : { executed: one }];
    });
    if (kept.length > 0) state.unfinished = Object.fromEntries(kept) as NonNullable<State["unfinished"]>;
    return executed;
  };
}

/** The calls that were not executed before the suspension. */
export function notExecuted(calls: ExecutableCall[], { unfinished }: State): ExecutableCall[] {
  return unfinished ? calls.filter(({ id }) => !unfinished[id]?.executed) : calls;
}

/** The calls of the batch that wait for a decision of the caller while these are executed. */
export function askedOf(calls: ExecutableCall[], state: State): ToolCallMessage[] {
  if (!isAsked(state)) return [];
  const ids = new Set(calls.map(({ id }) => id));
  return lastCalls(state).filter(({ id }, i) => state.decisions[i]?.do === "ask" && !ids.has(id));
}

function isAsked({ decisions }: State): boolean {
  return decisions.some((decision) => decision.do === "ask");
}

function waits({ result }: Executed): boolean {
  return result.outcome === "suspended";
}

/** What a call that waits is answered when the run ends before the caller has decided. */
interface Parting {
  outcome: Outcome;
  asked: string;
  /** Of a call whose subagent waits. */
  begun: string;
}

const CANCELLED: Parting = {
  outcome: "cancelled",
  asked: resultText("cancelled_before"),
  begun: resultText("cancelled_while_running"),
};
const BROKEN: Parting = {
  outcome: "interrupted",
  asked: resultText("broke_before"),
  begun: resultText("broke_while_running"),
};

/** Answers what waits, because nobody is going to be asked. @see PERMISSION-35 SUBAGENT-18 */
function withoutWaiting(executed: Executed[], asked: ToolCallMessage[], { outcome, ...texts }: Parting): Executed[] {
  const answer = (call: { id: string }, text: string): Executed => ({ result: syntheticResult(call, outcome, text) });
  return [
    ...executed.map((one) => (waits(one) ? answer(one.result, texts.begun) : one)),
    ...asked.map((call) => answer(call, texts.asked)),
  ];
}
