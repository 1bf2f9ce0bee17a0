// Continues a suspended run: the caller's decisions become answers and permissions, and the batch is executed.

import { SNAPSHOT_VERSION, lastCalls } from "../core/session.ts";
import type { Ports, State } from "../core/ports.ts";
import { majorOf } from "../state/check-session.ts";
import type { Agent, CallDecision, PendingCall, ResumeDecision, Snapshot } from "../../schemas/types.ts";
import { changedCall, pendingCalls } from "../state/pending-calls.ts";
import { decided } from "../state/tool-results.ts";
import { clone } from "../support/clone.ts";

/**
 * The state from which the run continues, or why it cannot. The snapshot is not modified.
 * @see LOOP-36 LOOP-38 PERMISSION-13 PERMISSION-14 PERMISSION-24
 */
export async function resumeState(
  snapshot: Snapshot,
  decisions: ResumeDecision[],
  agents: Record<string, Agent>,
  validateInput: Ports["validateInput"],
): Promise<{ state: State } | { refused: string }> {
  const major = majorOf(SNAPSHOT_VERSION);
  if (majorOf(snapshot.spec_version) !== major) {
    return { refused: `The snapshot has version ${snapshot.spec_version}, but only ${major}.x can be read.` };
  }
  if (snapshot.phase !== "suspended")
    return { refused: `The snapshot is in phase ${snapshot.phase}, but only a suspended run can be resumed.` };

  const pending = await pendingCalls(snapshot);
  const refused =
    incomplete(pending, decisions) ?? misdirected(pending, decisions) ?? changed(await changedCall(snapshot));
  if (refused !== undefined) return { refused };

  const tools = agents[snapshot.agent]?.tools ?? [];
  const judged: CallDecision[] = [];
  for (const [i, { id, name, input }] of lastCalls(snapshot).entries()) {
    const decision = decisions.find((one) => !one.path && one.id === id);
    const schema = tools.find((tool) => tool.name === name)?.input_schema ?? { type: "object" };
    const waiting = snapshot.decisions[i]!;
    const changed = waiting.do === "ask" ? waiting.input : undefined;
    const call = { id, name, input: changed ?? input ?? {} };
    const verdict = decision ? await decided(call, decision, (edited) => validateInput(schema, edited)) : waiting;
    judged.push(verdict.do === "run" && changed ? { input: changed, ...verdict } : verdict);
  }
  const { ending: _, ...state } = clone(snapshot);
  for (const step of state.steps.slice(-1)) step.outcomes = []; // its batch is not done [LOOP-117]
  for (const [id, call] of Object.entries(state.unfinished ?? {}))
    if (call.snapshot) call.decisions = decisions.flatMap((one) => handedDown(one, id));
  return { state: { ...state, phase: "executing", decisions: judged } };
}

/** The decision as passed to the subagent behind a call, if it concerns a call of that subagent. @see SUBAGENT-16 */
function handedDown(decision: ResumeDecision, id: string): ResumeDecision[] {
  const { path: [first, ...path] = [], ...rest } = decision;
  return first === id ? [path.length > 0 ? { ...rest, path } : rest] : [];
}

/** Identifies a pending call in the whole run. */
function placeOf({ path = [], id }: Pick<PendingCall, "path" | "id">): string {
  return [...path, id].join("/");
}

function incomplete(pending: PendingCall[], decisions: ResumeDecision[]): string | undefined {
  const ids = pending.map(placeOf);
  const decidedIds = decisions.map(placeOf);
  const missing = ids.filter((id) => !decidedIds.includes(id));
  const extra = decidedIds.filter((id, i) => !ids.includes(id) || decidedIds.indexOf(id) !== i);
  if (missing.length === 0 && extra.length === 0) return undefined;
  const list = (some: string[]) => some.join(", ") || "none";
  return `Expected one decision for each pending call. Missing: ${list(missing)}. Not pending, or decided twice: ${list(extra)}.`;
}

function changed(id: string | undefined): string | undefined {
  return id === undefined
    ? undefined
    : `The snapshot has another call ${id} than the one that was to be approved: its input_hash is that of other arguments. Resume the snapshot as it was written.`;
}

/** A decision that does not match its pending call. */
function misdirected(pending: PendingCall[], decisions: ResumeDecision[]): string | undefined {
  for (const decision of decisions) {
    const { why, input_hash } = pending.find((call) => placeOf(call) === placeOf(decision))!;
    if (decision.action === "approve" && why !== "approval")
      return `The call ${decision.id} did not ask for approval. Respond to it with its result.`;
    if ("input_hash" in decision && input_hash !== undefined && decision.input_hash !== input_hash)
      return `The decision about ${decision.id} is about other arguments: expected input_hash ${input_hash}, got ${decision.input_hash}.`;
  }
  return undefined;
}
