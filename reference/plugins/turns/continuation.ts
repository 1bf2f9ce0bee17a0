// What keeps a run going that would end: text that was cut off, a response with nothing in it. Plugs into `boundary`.

import type { State } from "../../core/ports.ts";
import { isText, lastResponse } from "../../core/session.ts";
import { count, counted } from "../../state/counters.ts";
import type { RunOptions, Step } from "../../../schemas/types.ts";
import { type Plugin, type Boundary, say } from "../plugin.ts";

export const cutText: Plugin = {
  name: "cut-text",
  options: ["on_max_tokens", "max_continuations"],
  attach({ options }) {
    const beforeEnd = continueCutText(options);
    return beforeEnd && { betweenTurns: { beforeEnd } };
  },
};

export const emptyResponses: Plugin = {
  name: "empty-responses",
  options: ["on_empty", "max_empty_retries"],
  attach({ options }) {
    const beforeEnd = askAgainWhenEmpty(options);
    return beforeEnd && { betweenTurns: { beforeEnd } };
  },
};

/**
 * Asks the model to go on where its text was cut off by a token limit, if `on_max_tokens` says so.
 * @see LOOP-44 LOOP-45
 */
function continueCutText({ on_max_tokens = "end", max_continuations = 3 }: RunOptions): Boundary | undefined {
  if (on_max_tokens === "end") return undefined;
  return ({ ending, steps }) => {
    if (ending?.status !== "max_tokens") return { do: "continue" };
    if (inARow(steps, ({ tool_calls }) => tool_calls === 0, wasCut) > max_continuations) return { do: "continue" };
    return say("Your last response was cut off by the token limit. Go on exactly where it stopped.");
  };
}

/**
 * Asks the model again, in new words, after a response with neither text nor calls, if `on_empty` says so.
 * @see LOOP-46 LOOP-47
 */
function askAgainWhenEmpty({ on_empty = "end", max_empty_retries = 1 }: RunOptions): Boundary | undefined {
  if (on_empty === "end") return undefined;
  return (state) => {
    if (state.ending?.status !== "completed" || !isEmpty(state)) return { do: "continue" };
    const isInARow = counted(state, "empty_retried_turn") === state.turn - 1;
    const asked = isInARow ? counted(state, "empty_retries") : 0;
    if (asked >= max_empty_retries) return { do: "continue" };
    count(state, "empty_retries", asked + 1);
    count(state, "empty_retried_turn", state.turn);
    return say("Your last response was empty. Go on, or say that you are done.");
  };
}

/** Of a response without calls: one that has some does not end a run. */
function isEmpty(state: State): boolean {
  return !lastResponse(state).some(isText);
}

function wasCut({ stop_reason }: Step): boolean {
  return stop_reason === "max_tokens" || stop_reason === "context_window_exceeded";
}

/** How many steps at the end pass every test. */
function inARow(steps: Step[], ...tests: ((step: Step) => boolean)[]): number {
  return steps.length - 1 - steps.findLastIndex((step) => !tests.every((test) => test(step)));
}
