// Finds a model that was asked again after it had refused, though nobody said anything new to it.

import { goesOnFrom, newMessages } from "./chains.ts";
import type { ReadableExchange } from "./chains.ts";
import { listPointer } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { requestValue } from "../fixture/request-value.ts";

/** Whether the model refused, or a filter did. */
export function isRefusal({ answer }: ReadableExchange): boolean {
  return answer.stop_reason === "refusal" || answer.stop_reason === "content_filter";
}

/** Looks at the last refusal from which a request goes on. @see LOOP-16 */
export function checkRefusal(after: ReadableExchange, earlier: readonly ReadableExchange[]): Finding[] {
  const before = earlier.findLast((one) => goesOnFrom(one, after));
  if (!before || !isRefusal(before)) return [];
  const fresh = newMessages(before, after);
  if (fresh.some((message) => "role" in message && message.role === "user")) return [];
  // The same request once more may be of another run that began alike.
  const level = fresh.length > 0 ? "broken" : "note";
  const pointer = listPointer(requestValue(after.exchange.request));
  const message = `the model had refused in exchange ${before.number}, and was asked again`;
  return [{ level, requirement: "LOOP-16", exchange: after.number, pointer, message }];
}
