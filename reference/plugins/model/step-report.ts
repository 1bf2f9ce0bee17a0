// What the run's report says of each step: why the model was called, how long it took, and what each tool did.

import type { Clock } from "../../support/clock.ts";
import type { ExecutableCall, Executed, Ports, State } from "../../core/ports.ts";
import { isType } from "../../core/session.ts";
import type { Message, ModelRequest, Step, ToolReport } from "../../../schemas/types.ts";
import { utf8Length } from "../../support/utf8.ts";

/** What was seen of a tool: how long it was waited for, and what it measured itself. */
export interface Measured {
  duration_ms: number;
  metrics: NonNullable<ToolReport["metrics"]>;
}

/** Notes why the model was called, and how long that took. @see RESULT-15 RESULT-16 */
export function reportCalls(invokeModel: Ports["invokeModel"], clock: Clock): Ports["invokeModel"] {
  return async (request, turn, state) => {
    const kind = kindOf(request, turn, state.steps.at(-1));
    const begun = clock.now();
    const { notes, ...answer } = await invokeModel(request, turn, state);
    return { ...answer, notes: { kind, latency_ms: clock.now() - begun, ...notes } };
  };
}

/**
 * Notes what each tool of a batch did. `measuredOf` is undefined of a call whose tool was not started.
 * @see RESULT-17
 */
export function reportTools(
  { steps }: State,
  calls: ExecutableCall[],
  executed: Executed[],
  measuredOf: (call: ExecutableCall) => Measured | undefined,
): void {
  const step = steps.at(-1);
  const reports = calls.flatMap((call, i): ToolReport[] => {
    const measured = executed[i]!.result.outcome === "suspended" ? undefined : measuredOf(call);
    return measured ? [reportOf(call, executed[i]!, measured)] : [];
  });
  if (!step || (!step.tools && reports.length === 0)) return;
  step.tools = step.tools ? inOrder(calls, step.tools, reports) : reports;
}

/** What was executed before the run was suspended is not executed again. */
function inOrder(calls: ExecutableCall[], before: ToolReport[], reports: ToolReport[]): ToolReport[] {
  const ids = calls.map(({ id }) => id);
  const earlier = before.filter(({ id }) => !reports.some((report) => report.id === id));
  return [...earlier, ...reports].sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
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

function kindOf({ messages }: ModelRequest, turn: number, before: Step | undefined): NonNullable<Step["kind"]> {
  const last = messages.at(-1);
  if (turn === 1) return "initial";
  if (!last || isType(last, "tool_result")) return "tool_followup";
  if (!isSynthetic(last)) return "steering";
  return before?.stop_reason === "max_tokens" || before?.stop_reason === "context_window_exceeded"
    ? "continuation"
    : "correction";
}

function isSynthetic(message: Message): boolean {
  return "synthetic" in message && message.synthetic === true;
}
