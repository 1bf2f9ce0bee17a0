// The pending calls of a suspended run.

import type { PendingCall } from "../../schemas/types.ts";
import type { State } from "../core/ports.ts";
import { lastCalls } from "../core/session.ts";
import { hashOf } from "../support/canonical-json.ts";

/** The calls that wait for the caller, in call order, including those of subagents. @see LOOP-35 PERMISSION-12 SUBAGENT-15 */
export async function pendingCalls(state: State): Promise<PendingCall[]> {
  const pending: PendingCall[] = [];
  for (const [i, { id, name, input }] of lastCalls(state).entries()) {
    const decision = state.decisions[i];
    const inner = state.unfinished?.[id]?.snapshot;
    const waiting = inner ? await pendingCalls(inner) : [];
    pending.push(...waiting.map(({ path = [], ...one }) => ({ ...one, path: [id, ...path] })));
    if (decision?.do !== "ask") continue;
    const call = { id, name, input: decision.input ?? input ?? {} };
    pending.push(
      decision.approval
        ? { ...call, why: "approval", input_hash: await hashOf([id, name, call.input]) }
        : { ...call, why: "external" },
    );
  }
  return pending;
}
