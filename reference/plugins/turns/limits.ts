// The limits of a run: turns, tokens, tool calls, failed turns, time.

import { isUncounted, summing, summingAll, tokensOfRun, type Measure } from "../../state/costs.ts";
import type { Clock } from "../../support/clock.ts";
import type { State } from "../../core/ports.ts";
import { counted } from "../../state/counters.ts";
import type { RunStatus } from "../../../schemas/types.ts";
import type { Plugin, Verdict } from "../plugin.ts";

export const limits: Plugin = {
  name: "limits",
  options: ["max_turns", "max_total_tokens", "max_tool_calls", "max_failed_turns", "deadline_ms"],
  attach({ state, clock }) {
    const all = limitsOf(state, clock).filter((limit) => limit !== undefined);
    if (all.length > 0) return { betweenTurns: { check: (at) => firstReached(all, at) } };
  },
};

type Limit = (state: State) => Verdict;

function firstReached(all: Limit[], state: State): Verdict {
  for (const limit of all) {
    const verdict = limit(state);
    if (verdict.do === "end") return verdict;
  }
  return { do: "continue" };
}

/**
 * The limits of a run, in the order in which they are checked. Each ends the run before a turn that would exceed it, once
 * the calls of the last turn are answered. Counts are incremental, so that a check costs the same at turn 1,000 as at
 * turn 1.
 * @see LOOP-23 LOOP-40 LOOP-41 LOOP-42 LOOP-43 LOOP-91
 */
function limitsOf(run: State, clock: Clock): (Limit | undefined)[] {
  const { max_turns = 20, max_total_tokens, max_tool_calls, max_failed_turns, deadline_ms } = run.options;
  const startedAt = clock.now() - counted(run, "elapsed_ms");
  return [
    atMost({ max_turns }, "max_turns", ({ turn }) => turn),
    uncounted(max_total_tokens),
    atMost({ max_total_tokens }, "token_limit", tokensOfRun()),
    atMost(
      { max_tool_calls },
      "tool_call_limit",
      summing(({ tool_calls }) => tool_calls),
    ),
    atMost({ max_failed_turns }, "error_limit", failuresInARow),
    atMost({ deadline_ms }, "deadline", () => clock.now() - startedAt),
  ];
}

/** @param option the limit, under the name of its option; null or undefined means none */
function atMost(
  option: Record<string, number | null | undefined>,
  status: RunStatus,
  measure: Measure,
): Limit | undefined {
  const [[limit, most]] = Object.entries(option) as [[string, number | null | undefined]];
  if (most === null || most === undefined) return undefined;
  return (state) => (measure(state) >= most ? { do: "end", ending: { status }, limit } : { do: "continue" });
}

/** Ends a run with a token limit once a model call was not counted: nobody knows what is left. @see LOOP-122 LOOP-123 */
function uncounted(most: number | null | undefined): Limit | undefined {
  if (typeof most !== "number") return undefined;
  const calls = summingAll((ask) => (isUncounted(ask) ? 1 : 0));
  return (state) => (calls(state) > 0 ? { do: "end", ending: { status: "error", error } } : { do: "continue" });
}

const error = {
  kind: "configuration",
  message: "The run has `max_total_tokens`, but its provider did not report the tokens of a model call.",
} as const;

/** The latest turns in a row in which every call failed. */
const failuresInARow: Measure = ({ steps }) =>
  steps.length - 1 - steps.findLastIndex(({ outcomes }) => outcomes.length === 0 || outcomes.includes("ok"));
