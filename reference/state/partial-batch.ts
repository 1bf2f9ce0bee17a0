// Executes a part of a batch, because a call of it, or a subagent, waits for the caller of the run.

import type { ExecutableCall, Executed, Ports, State } from "../core/ports.ts";
import { lastCalls, resultText, syntheticResult } from "../core/session.ts";
import type { Snapshot, ToolCallMessage } from "../../schemas/types.ts";

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
    if (signal.aborted)
      return [...executed.map((one) => (waits(one) ? cancelled(one.result) : one)), ...waiting.map(cancelled)];
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

function cancelled(call: { id: string }): Executed {
  return { result: syntheticResult(call, "cancelled", resultText("cancelled_while_running")) };
}
