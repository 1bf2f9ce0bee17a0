// Whether the loop has to follow a response up with a message of its own before it may call the model again, or with nothing.

import type { RunOptions } from "../../../schemas/types.ts";
import type { ScriptedResponse } from "../wire/codec.ts";

const cut = ["max_tokens", "context_window_exceeded"];
const ended = ["end_turn", "tool_use", "stop_sequence"];

/** When the loop has to: in any case, or unless somebody has said something to the run that it goes on with. */
export type FollowUp = "always" | "unless_spoken_to";

/** @see LOOP-44 @see LOOP-46 @see LOOP-61 @see LOOP-64 @see LOOP-89 @see LOOP-131 */
export function followUpOf({ parts, stop_reason }: ScriptedResponse, options: RunOptions = {}): FollowUp | undefined {
  const hasCall = parts.some((part) => "tool_call" in part);
  const hasText = parts.some((part) => "text" in part && part.text !== "");
  // Calls that are not executed give no output. [LOOP-13]
  if (hasCall) return stop_reason === "stop_sequence" && options.output_format ? "unless_spoken_to" : undefined;
  if (cut.includes(stop_reason)) return options.on_max_tokens === "continue" ? "always" : undefined;
  if (!ended.includes(stop_reason)) return undefined;
  return mustBeOtherwise(options) || (!hasText && options.on_empty === "retry") ? "unless_spoken_to" : undefined;
}

/** A text can be not what was asked for. Where it is, the run is over, and nothing follows it. */
function mustBeOtherwise({ tool_choice = "auto", output_format }: RunOptions): boolean {
  return output_format !== undefined || (tool_choice !== "auto" && tool_choice !== "none");
}

/** Whether the loop has to send a response back as it is, for the model to go on in the same turn. @see LOOP-30 LOOP-55 */
export function isToGoOn({ parts, stop_reason }: ScriptedResponse): boolean {
  return stop_reason === "pause" && !parts.some((part) => "tool_call" in part);
}
