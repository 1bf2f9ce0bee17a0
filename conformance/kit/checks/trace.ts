// Checks in which trace a tool was executed.

import type { Failure, TraceContext } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";

/**
 * What is wrong with the trace context that a tool was handed, if its run was given one.
 * @param requirement the one that is broken then
 */
export function checkTrace(
  tool: string,
  given: TraceContext | undefined,
  handed: TraceContext | undefined,
  requirement: "TOOL-36" | "TOOL-37",
): Failure[] {
  if (!given) return [];
  const failed = (what: string) => [
    breach(requirement, `tool ${tool} was given ${what}`, { expected: given, received: handed }),
  ];
  if (!handed) return failed("no trace context");
  if (traceOf(handed) !== traceOf(given)) return failed("the context of another trace");
  const isSame = handed.traceparent === given.traceparent;
  return isSame && handed.tracestate !== given.tracestate ? failed("another tracestate with the same traceparent") : [];
}

/** The id of the trace: the second field. */
function traceOf({ traceparent }: TraceContext): string | undefined {
  return traceparent.split("-")[1];
}
