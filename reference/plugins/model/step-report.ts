// Reports on each step: why the model was called, how long it took, and what each tool did.

import { type Measured, reportOf } from "../../state/tool-report.ts";
import type { Clock } from "../../support/clock.ts";
import type { ExecutableCall, Executed, Ports, State } from "../../core/ports.ts";
import { isType } from "../../core/session.ts";
import type { Message, ModelRequest, Step, ToolReport } from "../../../schemas/types.ts";
import type { Plugin, RunTool } from "../plugin.ts";

export const stepReport: Plugin = {
  name: "step-report",
  attach({ clock }) {
    const measured = new Map<ExecutableCall, Measured>(); // in this batch
    const measuredOf = (call: ExecutableCall) => measured.get(call);
    return {
      aroundModel: (next) => reportCalls(next, clock),
      aroundTool: (next) => measureTools(next, measured, clock),
      aroundBatch: (next) => async (calls, run, state) => {
        measured.clear();
        const executed = await next(calls, run, state);
        reportTools(state, calls, executed, measuredOf);
        return executed;
      },
      measured: measuredOf,
    };
  },
};

/** Notes why the model was called, and how long that took. @see RESULT-15 RESULT-16 */
function reportCalls(invokeModel: Ports["invokeModel"], clock: Clock): Ports["invokeModel"] {
  return async (request, turn, state) => {
    const kind = kindOf(request, turn, state.steps.at(-1));
    const begun = clock.now();
    const { notes, ...answer } = await invokeModel(request, turn, state);
    return { ...answer, notes: { kind, latency_ms: clock.now() - begun, ...notes } };
  };
}

/** Measures how long the run waits for each tool, and keeps the tool's own metrics. */
function measureTools(next: RunTool, measured: Map<ExecutableCall, Measured>, clock: Clock): RunTool {
  return async (call, context, state) => {
    const begun = clock.now();
    const seen: Measured = { duration_ms: 0, metrics: context.metrics };
    measured.set(call, seen);
    try {
      return await next(call, context, state);
    } finally {
      seen.duration_ms = clock.now() - begun;
    }
  };
}

/**
 * Notes what each tool of a batch did. `measuredOf` returns undefined for a call whose tool was not started.
 * @see RESULT-17
 */
function reportTools(
  { steps }: State,
  calls: ExecutableCall[],
  executed: Executed[],
  measuredOf: (call: ExecutableCall) => Measured | undefined,
): void {
  const step = steps.at(-1);
  const reports = calls.flatMap((call, i): ToolReport[] => {
    const one = executed[i];
    if (one?.result.id !== call.id || one.result.outcome === "suspended") return [];
    const measured = measuredOf(call);
    return measured ? [reportOf(call, one, measured)] : [];
  });
  if (!step || (!step.tools && reports.length === 0)) return;
  step.tools = step.tools ? inOrder(calls, step.tools, reports) : reports;
}

/** Merges the reports from before a suspension with the new ones, in call order. */
function inOrder(calls: ExecutableCall[], before: ToolReport[], reports: ToolReport[]): ToolReport[] {
  const ids = calls.map(({ id }) => id);
  const earlier = before.filter(({ id }) => !reports.some((report) => report.id === id));
  return [...earlier, ...reports].sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

function kindOf({ messages }: ModelRequest, turn: number, before: Step | undefined): NonNullable<Step["kind"]> {
  const last = messages.at(-1);
  if (turn === 1) return "initial";
  if (!last || isType(last, "tool_result")) return "tool_followup";
  if (!isSynthetic(last)) return "steering";
  const isCut = before?.stop_reason === "max_tokens" || before?.stop_reason === "context_window_exceeded";
  return isCut && before.tool_calls === 0 ? "continuation" : "correction"; // cut calls are made anew [LOOP-10]
}

function isSynthetic(message: Message): boolean {
  return "synthetic" in message && message.synthetic === true;
}
