// The results of calls that were not answered by their tools, and the decisions about calls.

import type { CallDecision, ToolResultMessage, ResumeDecision } from "../../schemas/types.ts";
import type { ExecutableCall, Ports } from "../core/ports.ts";
import { resultText, syntheticResult } from "../core/session.ts";
import { wellFormed } from "../support/well-formed.ts";
import { listed } from "./input-problems.ts";

/** Applies a decision to a call. `validate` returns the problems of edited arguments. */
export async function decided(
  call: ExecutableCall,
  decision: Approval,
  validate: (input: Record<string, unknown>) => ReturnType<Ports["validateInput"]>,
): Promise<CallDecision> {
  switch (decision.action) {
    case "approve": {
      const { input, override } = decision;
      const problems = input ? await validate(input) : [];
      const text = resultText("wrong_changed_arguments", { problems: listed(problems) });
      if (problems.length > 0) return { do: "answer", result: syntheticResult(call, "invalid_arguments", text) };
      return { do: "run", approved: true, ...(override && { override }), ...(input && { input }) };
    }
    case "deny":
      return denied(call, decision.reason ?? "the user does not permit it");
    case "skip":
      return { do: "answer", result: syntheticResult(call, "skipped", resultText("skipped", { name: call.name })) };
    case "respond":
      return { do: "answer", result: resultWith(call, decision) };
  }
}

/** The result of a call that was answered in place of its tool. @see TOOL-48 */
export function resultWith({ id }: ExecutableCall, { output: answer, is_error }: Answered): ToolResultMessage {
  const output = wellFormed(answer);
  return is_error
    ? { type: "tool_result", id, output, is_error: true, outcome: "error" }
    : { type: "tool_result", id, output, outcome: "ok" };
}

type Answered = Pick<Extract<ResumeDecision, { action: "respond" }>, "output" | "is_error">;

/** A decision without the fields that identify its call. */
type Bare<D> = D extends ResumeDecision ? Omit<D, "id" | "path" | "input_hash"> : never;

/** A decision about a call inside the process. @see PERMISSION-15 PERMISSION-16 PERMISSION-17 */
export type Approval = Bare<ResumeDecision>;

/** The answer to a call that must not be executed. @see PERMISSION-4 */
export function denied(
  call: Pick<ExecutableCall, "id" | "name">,
  why: string,
): Extract<CallDecision, { do: "answer" }> {
  return {
    do: "answer",
    result: syntheticResult(call, "denied", resultText("denied", { name: call.name, reason: why.toWellFormed() })),
  };
}
