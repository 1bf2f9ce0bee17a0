// How long the loop waits for a tool: until it returns, times out, or the run is cancelled.

import type { Clock } from "../../support/clock.ts";
import { ToolError } from "../../core/execute-tool-calls.ts";
import type { ExecutableCall, Ports, State } from "../../core/ports.ts";
import { resultText } from "../../core/session.ts";
import { raceAbort } from "../../support/until-aborted.ts";
import { isSubagent } from "../../tools/agents.ts";
import type { Plugin, RunTool } from "../plugin.ts";

export const toolTimeout: Plugin = {
  name: "tool-timeout",
  options: ["tool_timeout_ms", "cancel_grace_ms"],
  attach({ options, clock, emit, agents }) {
    const { tool_timeout_ms = null, cancel_grace_ms = 0 } = options;
    const running: Running = new Set();
    const waiting: Waiting = {
      running,
      clock,
      timeoutOf: ({ name }, { agent }) => agents.tool(agent, name)?.timeout_ms ?? tool_timeout_ms,
      endsOnAbort: ({ name }, { agent }) => isSubagent(agents.tool(agent, name)),
      cancelGraceMs: cancel_grace_ms,
      emit,
    };
    return {
      aroundTool: (next) => waitForTools(next, waiting),
      stillRunning: () => [...running].map(({ id, name }) => ({ id, name })),
    };
  },
};

/** The calls whose tools have not ended. */
type Running = Set<ExecutableCall>;

interface Waiting {
  /** The calls whose tools have not ended. */
  running: Running;
  clock: Clock;
  /** The tool's time limit in milliseconds, or null. */
  timeoutOf(call: ExecutableCall, state: State): number | null;
  /** Whether the tool ends promptly when aborted; then the loop waits for its end, so that none of its events is lost. */
  endsOnAbort(call: ExecutableCall, state: State): boolean;
  /** How long a cancelled run still waits, in milliseconds. */
  cancelGraceMs: number;
  emit: Ports["emit"];
}

/**
 * Aborts a tool that times out, or whose run is cancelled, and stops waiting for it, even if it ignores the signal.
 * A later value is discarded.
 * @see TOOL-26 TOOL-27 TOOL-28 CANCEL-7 CANCEL-8 CANCEL-10
 */
function waitForTools(runTool: RunTool, waiting: Waiting): RunTool {
  const { clock, emit, running } = waiting;

  return async (call, context, state) => {
    // An outer plug-in may have cancelled the run.
    if (context.signal.aborted) throw new ToolError(resultText("cancelled_before"), { outcome: "cancelled" });
    const tool = new AbortController(); // aborts the tool
    const over = new AbortController(); // ends the wait: no timer is left behind
    const timeout = waiting.timeoutOf(call, state);
    running.add(call);
    let stopped: ToolError | undefined; // why its result is ignored
    const ended = () => {
      running.delete(call);
      if (stopped) throw stopped;
    };
    const work = runTool(call, { ...context, signal: tool.signal }, state).then(
      (output) => {
        ended();
        return output;
      },
      (error: unknown) => {
        ended();
        throw error;
      },
    );
    try {
      const inTime = timeout === null ? work : Promise.race([work, clock.sleep(timeout, over.signal).then(expire)]);
      return await raceAbort(inTime, context.signal, breakOff);
    } finally {
      if (timeout !== null || context.signal.aborted) over.abort(ENDED);
    }

    async function breakOff() {
      const error = new ToolError(resultText("cancelled_while_running"), { outcome: "cancelled" });
      if (waiting.endsOnAbort(call, state)) stopped = error;
      tool.abort(context.signal.reason);
      if (stopped) return work;
      if (waiting.cancelGraceMs > 0) await clock.sleep(waiting.cancelGraceMs, over.signal);
      throw error;
    }

    function expire() {
      const error = new ToolError(resultText("timeout", { ms: String(timeout) }), { outcome: "timeout" });
      if (waiting.endsOnAbort(call, state)) stopped = error;
      tool.abort();
      if (stopped) return work;
      const late = () => emit({ type: "tool_late_result", turn: context.turn, id: call.id, name: call.name });
      work.then(late, late);
      throw error;
    }
  };
}

/** A constant reason: the default one is a new error each time, with a stack trace. */
const ENDED = "ended";
