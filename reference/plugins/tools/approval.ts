// Calls that need approval: asked about inside the process, or left to the caller while the run is suspended. Plugs into `decide`.

import { hashOf } from "../../support/canonical-json.ts";
import type { ExecutableCall, Ports, State } from "../../core/ports.ts";
import { lastCalls, madeUpResult } from "../../core/session.ts";
import { orAborted } from "../../support/until-aborted.ts";
import { denied } from "./permissions.ts";
import type { CallDecision, PendingCall, ResumeDecision, ToolResultMessage } from "../../../schemas/types.ts";
import { listed } from "../../tools/validate-input.ts";

/** A decision without what it repeats of the call. */
type Bare<D> = D extends ResumeDecision ? Omit<D, "id" | "path" | "input_hash"> : never;

/** What somebody inside the process decides about a call. @see PERMISSION-15 PERMISSION-16 PERMISSION-17 */
export type Approval = Bare<ResumeDecision>;

/** Is asked about a call that needs approval, while the run waits. */
export type Approve = (call: ExecutableCall, state: State) => Promise<Approval>;

/** The call waits, and with it the run. @see PERMISSION-11 */
export const suspend: Ports["decide"] = async () => ({ do: "ask", approval: true });

/**
 * Asks somebody inside the process, and stops waiting for the answer when the run is cancelled: then nothing is executed.
 * @see PERMISSION-5
 */
export function askInProcess(
  approve: Approve,
  signal: AbortSignal,
  decide: (call: ExecutableCall, state: State, decision: Approval) => Promise<CallDecision>,
): Ports["decide"] {
  return async (call, state) => {
    const approval = await orAborted<Approval | undefined>(approve(call, state), signal, () => undefined);
    return approval ? await decide(call, state, approval) : { do: "run" };
  };
}

/** What becomes of a call by a decision. `validate` says what is wrong with arguments that were changed. */
export async function decided(
  call: ExecutableCall,
  decision: Approval,
  validate: (input: Record<string, unknown>) => ReturnType<Ports["validateInput"]>,
): Promise<CallDecision> {
  switch (decision.action) {
    case "approve": {
      const { input } = decision;
      const problems = input ? await validate(input) : [];
      const text = `The arguments with which the call was approved do not match the schema: ${listed(problems)}. Nothing was executed.`;
      if (problems.length > 0) return { do: "answer", result: madeUpResult(call, "invalid_arguments", text) };
      return { do: "run", ...(input && { input }) };
    }
    case "deny":
      return denied(call, decision.reason ?? "the user does not permit it");
    case "skip":
      return { do: "answer", result: madeUpResult(call, "skipped", `The call of ${call.name} was skipped.`) };
    case "respond":
      return { do: "answer", result: resultWith(call, decision) };
  }
}

/** The result of a call that somebody answered in place of its tool. */
export function resultWith({ id }: ExecutableCall, { output, is_error }: Answered): ToolResultMessage {
  return is_error
    ? { type: "tool_result", id, output, is_error: true, outcome: "error" }
    : { type: "tool_result", id, output, outcome: "ok" };
}

type Answered = Pick<Extract<ResumeDecision, { action: "respond" }>, "output" | "is_error">;

/** The calls that wait for the caller, in call order, those of subagents included. @see LOOP-35 PERMISSION-12 SUBAGENT-15 */
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
