// The report on one tool call.

import type { ToolReport } from "../../schemas/types.ts";
import type { ExecutableCall, Executed } from "../core/ports.ts";
import { utf8Length } from "../support/utf8.ts";

/** The measurements of a tool: its duration, and its own metrics. */
export interface Measured {
  duration_ms: number;
  metrics: NonNullable<ToolReport["metrics"]>;
}

/** What one tool did. @see RESULT-17 */
export function reportOf(
  { id, name, input }: ExecutableCall,
  { result }: Executed,
  { duration_ms, metrics }: Measured,
): ToolReport {
  const { outcome = "ok", output } = result;
  const sizes = { input_bytes: bytesOf(input), output_bytes: bytesOf(output) };
  return { id, name, outcome, duration_ms, ...sizes, ...(Object.keys(metrics).length > 0 && { metrics }) };
}

function bytesOf(value: unknown): number {
  if (typeof value === "string") return utf8Length(value);
  try {
    return utf8Length(JSON.stringify(value));
  } catch {
    return deepBytesOf(value);
  }
}

/** The same for a value that is too deep for a recursive writer. The tool has run: its report must not fail. */
function deepBytesOf(value: unknown): number {
  let bytes = 0;
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== "object" || one === null) {
      bytes += utf8Length(JSON.stringify(one) ?? "null");
      continue;
    }
    const members = Object.values(one);
    bytes += 2 + Math.max(0, members.length - 1);
    if (!Array.isArray(one)) for (const key of Object.keys(one)) bytes += utf8Length(JSON.stringify(key)) + 1;
    for (const member of members) left.push(member);
  }
  return bytes;
}
