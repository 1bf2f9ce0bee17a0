// Shortens large results as soon as they are stored.

import { isType } from "../../core/session.ts";
import type { CompactionOptions, Message } from "../../../schemas/types.ts";
import { isCompacted, isError } from "./responses.ts";
import { charsOf, shortResult } from "./shorten.ts";
import type { Replacement } from "./strategy.ts";

/** Its strategy name in events. */
export const SHORTEN_RESULTS = "shorten_results";

/** One replacement for each result that is too large. Errors stay unchanged. @see COMPACT-9 COMPACT-18 COMPACT-19 */
export function shortenResults(
  messages: readonly Message[],
  { max_result_chars: most = 50_000 }: CompactionOptions,
): Replacement[] {
  if (most === null) return [];
  return messages.flatMap((message, from) => {
    if (!isType(message, "tool_result") || isError(message) || isCompacted(message)) return [];
    return charsOf(message) > most ? [{ from, to: from + 1, messages: [shortResult(message, most)] }] : [];
  });
}
