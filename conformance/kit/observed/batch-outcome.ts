// What follows from the answers of a batch of tools: who is active from then on, and what the context variables are.

import type { Outcome, ToolExecuteResult, ToolResultMessage } from "../../../schemas/types.ts";

/** What a tool answered, as the kit sent it. */
export interface ToolAnswer {
  /** What the model is to read. */
  output?: ToolResultMessage["output"];
  isError?: boolean;
  /** The tool threw. */
  thrown?: string;
  /** With thrown: the designated fatal error. */
  fatal?: boolean;
  /** Everything that the tool returned. */
  returned?: ToolExecuteResult;
}

/** What holds between two batches. */
export interface Standing {
  /** The name of the active agent. */
  agent: string;
  /** The context variables; absent if the run has none. */
  context?: Record<string, unknown>;
}

/**
 * What holds after a batch.
 * @param answers in call order; undefined where no answer counts
 * @see LOOP-67 TOOL-33
 */
export function standingAfter(
  before: Standing,
  answers: readonly (ToolAnswer | undefined)[],
  agents: readonly string[],
): Standing {
  const winner = answers.find((answer) => isHandoffTo(answer, agents));
  const updates = answers.flatMap((answer) => answer?.returned?.context_updates ?? []);
  return {
    ...before,
    ...(winner && { agent: winner.returned!.handoff ?? before.agent }),
    ...(updates.length > 0 && { context: Object.assign({}, before.context, ...updates) as Record<string, unknown> }),
  };
}

/**
 * How the loop has to answer a call in place of its tool, because the tool handed over and another handoff came first, or no agent has that name.
 * @see LOOP-68 LOOP-70
 */
export function overruled(
  answer: ToolAnswer | undefined,
  answers: readonly (ToolAnswer | undefined)[],
  agents: readonly string[],
): Outcome | undefined {
  if (!isHandoff(answer)) return undefined;
  if (!isHandoffTo(answer, agents)) return "error";
  return answers.find((other) => isHandoffTo(other, agents)) === answer ? undefined : "skipped";
}

function isHandoff(answer: ToolAnswer | undefined): boolean {
  return answer?.returned?.handoff !== undefined && !answer.isError;
}

/** Whether a tool handed over to an existing agent, or to none. */
function isHandoffTo(answer: ToolAnswer | undefined, agents: readonly string[]): boolean {
  const to = answer?.returned?.handoff;
  return isHandoff(answer) && (to === null || agents.includes(to!));
}
