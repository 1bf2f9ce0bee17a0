// The pending calls of a suspended run, and the hashes by which approvals are bound to them.

import type { CallDecision, PendingCall, ToolCallMessage } from "../../schemas/types.ts";
import type { State } from "../core/ports.ts";
import { lastCalls } from "../core/session.ts";
import { hashOf } from "../support/canonical-json.ts";

/** The calls that wait for the caller, in call order, including those of subagents. @see LOOP-35 PERMISSION-12 SUBAGENT-15 */
export async function pendingCalls(state: State): Promise<PendingCall[]> {
  const pending: PendingCall[] = [];
  for (const [i, call] of lastCalls(state).entries()) {
    const decision = state.decisions[i];
    const inner = state.unfinished?.[call.id]?.snapshot;
    const waiting = inner ? await pendingCalls(inner) : [];
    pending.push(...waiting.map(({ path = [], ...one }) => ({ ...one, path: [call.id, ...path] })));
    if (decision?.do !== "ask") continue;
    const shown = { id: call.id, name: call.name, input: decision.input ?? call.input ?? {} };
    pending.push(
      decision.approval
        ? { ...shown, why: "approval", input_hash: await inputHash(call, decision) }
        : { ...shown, why: "external" },
    );
  }
  return pending;
}

/** The suspended state with the hash of each call that needs approval. @see PERMISSION-23 */
export async function withHashes(state: State): Promise<State> {
  const calls = lastCalls(state);
  const decisions: CallDecision[] = [];
  for (const [i, decision] of state.decisions.entries())
    decisions.push(
      needsApproval(decision) ? { ...decision, input_hash: await inputHash(calls[i]!, decision) } : decision,
    );
  return { ...state, decisions };
}

/** The first call that is not the one whose hash the snapshot has, including those of subagents. @see PERMISSION-24 */
export async function changedCall(state: State): Promise<string | undefined> {
  for (const [i, call] of lastCalls(state).entries()) {
    const decision = state.decisions[i];
    if (decision && needsApproval(decision) && decision.input_hash !== (await inputHash(call, decision)))
      return call.id;
    const inner = state.unfinished?.[call.id]?.snapshot;
    const changed = inner && (await changedCall(inner));
    if (changed !== undefined) return changed;
  }
  return undefined;
}

type AskDecision = Extract<CallDecision, { do: "ask" }>;

function needsApproval(decision: CallDecision): decision is AskDecision {
  return decision.do === "ask" && decision.approval === true;
}

/** The text as the model wrote it counts where there is one, unless a hook has changed the arguments. @see PERMISSION-22 */
function inputHash({ id, name, input, raw_input }: ToolCallMessage, { input: changed }: AskDecision): Promise<string> {
  return hashOf([id, name, changed ?? raw_input ?? input ?? {}]);
}
