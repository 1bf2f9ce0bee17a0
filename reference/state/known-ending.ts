// Why a response ended, in the words of the spec.

import { stopTable } from "../core/stop-table.ts";
import type { ModelResponse } from "../../schemas/types.ts";

/**
 * A response that ended for a reason of somebody's own has ended for a reason that nobody knows.
 * @see EXTENSION-1
 */
export function withKnownEnding(response: ModelResponse): ModelResponse {
  const { stop_reason, raw_stop_reason } = response;
  if (Object.hasOwn(stopTable, stop_reason)) return response;
  return { ...response, stop_reason: "other", raw_stop_reason: raw_stop_reason ?? stop_reason };
}
