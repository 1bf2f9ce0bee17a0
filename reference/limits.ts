// How far a run may go: turns, tokens, tool calls, failing turns, time. One check point, one unit in and out. Plugs into `boundary`.

import type { Boundary } from "./boundaries.ts";
import type { Clock } from "./clock.ts";
import type { RunOptions, RunStatus, Step } from "./types.ts";

/**
 * The limits of a run, in the order in which they are asked. Each ends the run before a turn that would go beyond it, once
 * the calls of the last turn are answered. What a limit counts is added up turn by turn, so that a check costs the same at
 * turn 1,000 as at turn 1.
 * @see LOOP-23 LOOP-40 LOOP-41 LOOP-42 LOOP-43
 */
export function limits(options: RunOptions, clock: Clock): Boundary[] {
  const { max_turns = 20, max_total_tokens, max_tool_calls, max_failed_turns, deadline_ms } = options;
  const begun = clock.now();
  return [
    atMost(
      max_turns,
      "max_turns",
      () =>
        ({ turn }) =>
          turn,
    ),
    atMost(max_total_tokens, "token_limit", () => summing(tokensOf)),
    atMost(max_tool_calls, "tool_call_limit", () => summing(({ tool_calls }) => tool_calls)),
    atMost(max_failed_turns, "error_limit", () => failuresInARow),
    atMost(deadline_ms, "deadline", () => () => clock.now() - begun),
  ];
}

type Measure = (state: Parameters<Boundary>[0]) => number;

function atMost(limit: number | null | undefined, status: RunStatus, measured: () => Measure): Boundary {
  if (limit === null || limit === undefined) return () => ({ do: "continue" });
  const measure = measured();
  return (state) => (measure(state) >= limit ? { do: "end", ending: { status } } : { do: "continue" });
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

function tokensOf({ usage }: Step): number {
  return (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
}

/** Turns at the end of which no call succeeded, though there were calls. */
const failuresInARow: Measure = ({ steps }) =>
  steps.length - 1 - steps.findLastIndex(({ outcomes }) => outcomes.length === 0 || outcomes.includes("ok"));
