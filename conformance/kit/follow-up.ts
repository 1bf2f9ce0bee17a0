// Whether the loop has to follow a response up with a message of its own before it may call the model again.

import type { RunOptions } from "../../reference/types.ts";
import type { ScriptedResponse } from "./codec.ts";

const cut = ["max_tokens", "context_window_exceeded"];
const ended = ["end_turn", "tool_use", "stop_sequence", "other"];

/** @see LOOP-44 @see LOOP-46 */
export function followUpOf({ parts, stop_reason }: ScriptedResponse, options: RunOptions = {}): boolean {
  const hasCall = parts.some((part) => "tool_call" in part);
  const hasText = parts.some((part) => "text" in part && part.text !== "");
  if (hasCall) return false;
  if (cut.includes(stop_reason)) return options.on_max_tokens === "continue";
  return !hasText && ended.includes(stop_reason) && options.on_empty === "retry";
}
