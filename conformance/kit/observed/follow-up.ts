// Whether the loop has to follow a response up with a message of its own before it may call the model again.

import type { RunOptions } from "../../../schemas/types.ts";
import type { ScriptedResponse } from "../wire/codec.ts";

const cut = ["max_tokens", "context_window_exceeded"];
const ended = ["end_turn", "tool_use", "stop_sequence"];

/** @see LOOP-44 @see LOOP-46 @see LOOP-61 @see LOOP-64 */
export function followUpOf({ parts, stop_reason }: ScriptedResponse, options: RunOptions = {}): boolean {
  const hasCall = parts.some((part) => "tool_call" in part);
  const hasText = parts.some((part) => "text" in part && part.text !== "");
  if (hasCall) return false;
  if (cut.includes(stop_reason)) return options.on_max_tokens === "continue";
  if (!ended.includes(stop_reason)) return false;
  return mustBeOtherwise(options) || (!hasText && options.on_empty === "retry");
}

/** A text can be not what was asked for. Where it is, the run is over, and nothing follows it. */
function mustBeOtherwise({ tool_choice = "auto", output_format }: RunOptions): boolean {
  return output_format !== undefined || (tool_choice !== "auto" && tool_choice !== "none");
}
