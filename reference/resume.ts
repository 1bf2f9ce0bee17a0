// Continues a suspended run: the caller's decisions become answers, and the batch goes on.

import { SPEC_VERSION, lastCalls } from "./core/session.ts";
import type { State } from "./core/ports.ts";
import { majorOf } from "./session-rules.ts";
import type { CallDecision, ResumeDecision, Snapshot } from "./types.ts";

/**
 * The state in which the run goes on, or why it cannot. The snapshot is not touched.
 * @see LOOP-36 LOOP-38
 */
export function resumeState(snapshot: Snapshot, decisions: ResumeDecision[]): { state: State } | { refused: string } {
  const major = majorOf(SPEC_VERSION);
  if (majorOf(snapshot.spec_version) !== major) {
    return {
      refused: `The snapshot has version ${snapshot.spec_version}, but only ${major}.x can be read.`,
    };
  }
  if (snapshot.phase !== "suspended")
    return { refused: `The snapshot is in phase ${snapshot.phase}, but only a suspended run can be resumed.` };

  const calls = lastCalls(snapshot);
  const pending = calls.filter((_, i) => snapshot.decisions[i]?.do === "ask").map(({ id }) => id);
  const decided = decisions.map(({ id }) => id);
  const missing = pending.filter((id) => !decided.includes(id));
  const extra = decided.filter((id, i) => !pending.includes(id) || decided.indexOf(id) !== i);
  if (missing.length > 0 || extra.length > 0) {
    const list = (ids: string[]) => ids.join(", ") || "none";
    return {
      refused: `Expected one decision for each pending call. Missing: ${list(missing)}. Not pending, or decided twice: ${list(extra)}.`,
    };
  }
  const answers = calls.map(({ id }, i): CallDecision => {
    const decision = decisions.find((one) => one.id === id);
    return decision ? { do: "answer", result: toResult(decision) } : snapshot.decisions[i]!;
  });
  const { ending: _, ...state } = structuredClone(snapshot);
  return { state: { ...state, phase: "executing", decisions: answers } };
}

function toResult({ id, output, is_error }: ResumeDecision): Extract<CallDecision, { do: "answer" }>["result"] {
  return is_error
    ? { type: "tool_result", id, output, is_error: true, outcome: "error" }
    : { type: "tool_result", id, output, outcome: "ok" };
}
