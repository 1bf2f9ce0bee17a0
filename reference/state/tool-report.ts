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
  return utf8Length(typeof value === "string" ? value : JSON.stringify(value));
}
