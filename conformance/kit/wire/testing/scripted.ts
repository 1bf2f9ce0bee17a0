// Scripted responses and faults for the tests of the codecs.

import type { ErrorKind } from "../../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse } from "../codec.ts";

/** What every format can count. */
export const usage = {
  input_tokens: 100,
  output_tokens: 40,
  cache_read_tokens: 30,
  cache_write_tokens: 20,
  reasoning_tokens: 7,
};

export const uncounted = {
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

export function response(parts: ScriptedPart[], more: Partial<ScriptedResponse> = {}): ScriptedResponse {
  return { parts, stop_reason: "end_turn", usage, model: "replay", id: "r1", ...more };
}

/** A response that asks for the results of its calls. */
export function toolTurn(parts: ScriptedPart[], more: Partial<ScriptedResponse> = {}): ScriptedResponse {
  return response(parts, { stop_reason: "tool_use", ...more });
}

export function fault(kind: ErrorKind, more: Partial<ScriptedFault> = {}): ScriptedFault {
  return { kind, message: "as scripted", after: [], ...more };
}

export function call(id: string, input: Record<string, unknown> = { city: "Paris" }): ScriptedPart {
  return { tool_call: { id, name: "get_weather", input } };
}

/** A call with its arguments as the model wrote them. */
export function rawCall(raw_input: string): ScriptedPart {
  return { tool_call: { id: "c1", name: "get_weather", raw_input } };
}
