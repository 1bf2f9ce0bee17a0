// What the run's report says of each step: why the model was called, how long it took, and what each tool did.

import type { Clock } from "./clock.ts";
import type { ExecutableCall, Executed, Ports } from "./core/ports.ts";
import { isType } from "./core/session.ts";
import type { Message, ModelRequest, Step, ToolReport } from "./types.ts";

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
 * Notes what each tool did. `metricsOf` gives what a tool has measured, or undefined if the tool was not started.
 * @see RESULT-17
 */
export function reportTools(
  execute: Ports["execute"],
  clock: Clock,
  metricsOf: (call: ExecutableCall) => ToolReport["metrics"] | undefined,
): Ports["execute"] {
  return async (calls, run, state) => {
    const took = new Map<string, number>();
    const measured = async (call: ExecutableCall): Promise<Executed> => {
      const begun = clock.now();
      const executed = await run(call);
      took.set(call.id, clock.now() - begun);
      return executed;
    };
    const executed = await execute(calls, measured, state);
    const reports = calls.flatMap((call, i): ToolReport[] => {
      const metrics = executed[i]!.result.outcome === "suspended" ? undefined : metricsOf(call);
      return metrics ? [reportOf(call, executed[i]!, took.get(call.id)!, metrics)] : [];
    });
    const step = state.steps.at(-1);
    // What was executed before a subagent suspended the run is not executed again.
    const earlier = (step?.tools ?? []).filter(({ id }) => !reports.some((report) => report.id === id));
    const ids = calls.map(({ id }) => id);
    const all = [...earlier, ...reports].sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    if (step && all.length > 0) step.tools = all;
    return executed;
  };
}

/** What one tool did. @see RESULT-17 */
export function reportOf(
  { id, name, input }: ExecutableCall,
  { result }: Executed,
  duration_ms: number,
  metrics: NonNullable<ToolReport["metrics"]>,
): ToolReport {
  const { outcome = "ok", output } = result;
  const sizes = { input_bytes: bytesOf(input), output_bytes: bytesOf(output) };
  return { id, name, outcome, duration_ms, ...sizes, ...(Object.keys(metrics).length > 0 && { metrics }) };
}

const encoder = new TextEncoder();

/** Room for what is only counted. To encode into it costs less than to have it encoded. */
const scratch = new Uint8Array(8192);

function bytesOf(value: unknown): number {
  let bytes = 0;
  for (let rest = typeof value === "string" ? value : JSON.stringify(value); rest !== "";) {
    const { read, written } = encoder.encodeInto(rest, scratch);
    bytes += written;
    rest = rest.slice(read);
  }
  return bytes;
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
