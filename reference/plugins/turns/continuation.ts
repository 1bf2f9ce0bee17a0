// Continues a run that would end with cut-off text, or with an empty response.

import type { State } from "../../core/ports.ts";
import { isText, isType, lastResponse } from "../../core/session.ts";
import { count, counted } from "../../state/counters.ts";
import type { RunOptions, Step } from "../../../schemas/types.ts";
import { type Plugin, type Boundary, followUp } from "../plugin.ts";

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
 * Asks the model to continue a text that was cut off by a token limit, depending on `on_max_tokens`.
 * @see LOOP-44 LOOP-45
 */
function continueCutText({ on_max_tokens = "end", max_continuations = 3 }: RunOptions): Boundary | undefined {
  if (on_max_tokens === "end") return undefined;
  return (state) => {
    if (state.ending?.status !== "max_tokens" || !lastResponse(state).some(isText)) return { do: "continue" };
    const cutTexts = inARow(state.steps, ({ tool_calls }) => tool_calls === 0, wasCut); // none after calls [LOOP-11]
    if (cutTexts === 0 || cutTexts > max_continuations) return { do: "continue" };
    return followUp("Your last response was cut off by the token limit. Go on exactly where it stopped.");
  };
}

/**
 * Adds a follow-up after a response with neither text nor calls, depending on `on_empty`.
 * @see LOOP-46 LOOP-47
 */
function askAgainWhenEmpty({ on_empty = "end", max_empty_retries = 1 }: RunOptions): Boundary | undefined {
  if (on_empty === "end") return undefined;
  return (state) => {
    if (state.ending?.status !== "completed" || !isEmpty(state)) return { do: "continue" };
    const isInARow = counted(state, "empty_retried_turn") === state.turn - 1;
    const retries = isInARow ? counted(state, "empty_retries") : 0;
    if (retries >= max_empty_retries) return { do: "continue" };
    count(state, "empty_retries", retries + 1);
    count(state, "empty_retried_turn", state.turn);
    return followUp("Your last response was empty. Go on, or say that you are done.");
  };
}

/** A response with calls is none, also where a run ends with it: by its output, or at a stop sequence. */
function isEmpty(state: State): boolean {
  return !lastResponse(state).some((message) => isText(message) || isType(message, "tool_call"));
}

function wasCut({ stop_reason }: Step): boolean {
  return stop_reason === "max_tokens" || stop_reason === "context_window_exceeded";
}

/** How many of the latest steps pass every test. */
function inARow(steps: Step[], ...tests: ((step: Step) => boolean)[]): number {
  return steps.length - 1 - steps.findLastIndex((step) => !tests.every((test) => test(step)));
}
