// How far a run may go: turns, tokens, tool calls, failing turns, time. One check point, one unit in and out. Plugs into `boundary`.

import type { Boundary } from "./steering.ts";
import { summariesOf } from "../model/budget.ts";
import type { Clock } from "../../support/clock.ts";
import type { State } from "../../core/ports.ts";
import { counted } from "../../state/counters.ts";
import type { RunStatus, Step } from "../../../schemas/types.ts";

/**
 * The limits of a run, in the order in which they are asked. Each ends the run before a turn that would go beyond it, once
 * the calls of the last turn are answered. What a limit counts is added up turn by turn, so that a check costs the same at
 * turn 1,000 as at turn 1.
 * @see LOOP-23 LOOP-40 LOOP-41 LOOP-42 LOOP-43
 */
export function limits(run: State, clock: Clock): (Boundary | undefined)[] {
  const { max_turns = 20, max_total_tokens, max_tool_calls, max_failed_turns, deadline_ms } = run.options;
  const begun = clock.now() - counted(run, "elapsed_ms");
  return [
    atMost({ max_turns }, "max_turns", ({ turn }) => turn),
    atMost({ max_total_tokens }, "token_limit", tokensOfRun()),
    atMost(
      { max_tool_calls },
      "tool_call_limit",
      summing(({ tool_calls }) => tool_calls),
    ),
    atMost({ max_failed_turns }, "error_limit", failuresInARow),
    atMost({ deadline_ms }, "deadline", () => clock.now() - begun),
  ];
}

type Measure = (state: Parameters<Boundary>[0]) => number;

/** @param option the limit, under the name of its option; null or undefined means none */
function atMost(
  option: Record<string, number | null | undefined>,
  status: RunStatus,
  measure: Measure,
): Boundary | undefined {
  const [[limit, most]] = Object.entries(option) as [[string, number | null | undefined]];
  if (most === null || most === undefined) return undefined;
  return (state) => (measure(state) >= most ? { do: "end", ending: { status }, limit } : { do: "continue" });
}

/** The sum over the steps so far; only steps that were not there the last time are looked at. */
function summing(valueOf: (step: Step) => number): Measure {
  let seen = 0;
  let sum = 0;
  return ({ steps }) => {
    for (; seen < steps.length; seen += 1) sum += valueOf(steps[seen]!);
    return sum;
  };
}

/** The summaries are few, and are added up anew. */
function tokensOfRun(): Measure {
  const ofSteps = summing(tokensOf);
  return (state) => summariesOf(state).reduce((sum, summary) => sum + tokensOf(summary), ofSteps(state));
}

/** @see SUBAGENT-10 */
function tokensOf({ usage, subagents = [] }: Pick<Step, "usage" | "subagents">): number {
  return subagents.reduce(
    (sum, subagent) => sum + tokensOf(subagent),
    (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0),
  );
}

/** How many tokens a run may still use. @see SUBAGENT-11 */
export function tokensLeft(run: State, most: number): number {
  return Math.max(0, most - tokensOfRun()(run));
}

/** Turns at the end of which no call succeeded, though there were calls. */
const failuresInARow: Measure = ({ steps }) =>
  steps.length - 1 - steps.findLastIndex(({ outcomes }) => outcomes.length === 0 || outcomes.includes("ok"));
