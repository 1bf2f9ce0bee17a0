// The output of a run: its final text, or the arguments of its output call.

import type { ToolCallMessage, OutputFormat, RunOptions } from "../../schemas/types.ts";
import type { State } from "../core/ports.ts";
import { lastResponse, isText, isType, lastCalls } from "../core/session.ts";
import { counted, count } from "./counters.ts";

/** The structured output of a completed run. @see RESULT-13 LOOP-85 */
export function outputOf(state: State): unknown {
  return formByTool(state.options) ? outputCall(state)!.input : JSON.parse(finalText(state));
}

/** The text of the last response. @see RESULT-2 */
export function finalText(state: State): string {
  return lastResponse(state)
    .map((message) => (isText(message) ? message.content : ""))
    .join("");
}

/** Counts one more invalid output. False if there were too many. @see LOOP-64 LOOP-88 LOOP-89 */
export function mayCorrect(state: State): boolean {
  const corrected = counted(state, "structured_retries");
  if (corrected >= (state.options.max_structured_retries ?? 2)) return false;
  count(state, "structured_retries", corrected + 1);
  return true;
}

/** The successful output call of the last response, if any. @see LOOP-85 */
export function outputCall(state: State): ToolCallMessage | undefined {
  return callsWith("ok", state)[0];
}

/** The output format, if the output is given by a tool. */
export function formByTool({ output_by, output_format }: RunOptions): OutputFormat | undefined {
  return output_by === "tool" ? output_format : undefined;
}

/** The calls of the output tool in the last response with this outcome. */
export function callsWith(outcome: "ok" | "invalid_arguments", state: State): ToolCallMessage[] {
  const name = formByTool(state.options)?.name;
  if (name === undefined) return [];
  const results = lastResponse(state).flatMap((message) => (isType(message, "tool_result") ? [message] : []));
  const ids = new Set(results.flatMap((result) => (result.outcome === outcome ? [result.id] : [])));
  return lastCalls(state).filter((call) => call.name === name && ids.has(call.id));
}

/** Whether a cancel or the deadline ended the run, whatever it was doing. */
export function isCutOff({ ending }: State): boolean {
  return ending?.status === "cancelled" || ending?.status === "deadline";
}
