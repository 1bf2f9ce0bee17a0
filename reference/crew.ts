// The tools of each agent, with everything around their execution: order, time, context, progress, handoffs, reports.

import type { AgentWithTools } from "./agent-loop.ts";
import type { Clock } from "./clock.ts";
import { variablesOf } from "./context-variables.ts";
import type { ExecutableCall, ExecuteTool, Ports, ToolContext } from "./core/ports.ts";
import type { DefinedTool } from "./define-tool.ts";
import { oneHandoff } from "./handoff.ts";
import { schedule } from "./scheduling.ts";
import { reportTools } from "./step-report.ts";
import type { Subagents } from "./subagent.ts";
import { waitForTools } from "./tool-waiting.ts";
import type { Agent, RunOptions } from "./types.ts";

/** What the core needs to execute the calls of whichever agent is active. */
export interface Crews extends Pick<Ports, "executeTool" | "execute"> {
  /** The calls that were signalled to stop, and whose tools have not ended. */
  running(): { id: string; name: string }[];
  /** What a tool has measured, or undefined if it was not started. */
  metricsOf(call: ExecutableCall): ToolContext["metrics"] | undefined;
}

export function crewsOf(
  agents: Record<string, AgentWithTools>,
  options: RunOptions,
  clock: Clock,
  emit: Ports["emit"],
  subagents: Subagents,
): Crews {
  const crews = new Map(
    Object.entries(agents).map(([name, agent]) => [name, crewOf(agent, options, clock, emit, subagents)]),
  );
  const measured = new WeakMap<ExecutableCall, ToolContext["metrics"]>();
  const scheduled = subagents.aroundBatch((calls, run, state) => crews.get(state.agent)!.execute(calls, run, state));
  const metricsOf = (call: ExecutableCall) => measured.get(call);
  return {
    execute: reportTools(oneHandoff(scheduled, agents as Record<string, Agent>), clock, metricsOf),
    metricsOf,

    async executeTool(call, { signal, turn }, state) {
      const metrics = {};
      let isRunning = true;
      const progress = (said: unknown) => {
        const { id, name } = call;
        if (isRunning && said !== undefined) emit({ type: "tool_progress", turn, id, name, progress: said });
      };
      measured.set(call, metrics);
      try {
        const context = { call, signal, turn, context: variablesOf(state), metrics, progress };
        return await crews.get(state.agent)!.executeTool(call, context);
      } finally {
        isRunning = false;
      }
    },

    running: () => [...crews.values()].flatMap((crew) => crew.running()),
  };
}

function crewOf(
  { tools = [] }: AgentWithTools,
  options: RunOptions,
  clock: Clock,
  emit: Ports["emit"],
  subagents: Subagents,
) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const run: ExecuteTool = async (call, context) => {
    const tool = byName.get(call.name);
    return isSubagent(tool) ? subagents.answer(tool, context) : runHandler(tool, call, context);
  };
  const waiting = waitForTools(run, {
    clock,
    endsWhenTold: ({ name }) => isSubagent(byName.get(name)),
    timeoutOf: ({ name }) => byName.get(name)?.timeout_ms ?? options.tool_timeout_ms ?? null,
    cancelGraceMs: options.cancel_grace_ms ?? 0,
    emit,
  });
  return { executeTool: waiting.execute, running: waiting.running, execute: schedule(options, tools) };
}

/** A tool that has both says by its handler how its agent is run. */
function isSubagent(tool: DefinedTool | undefined): tool is DefinedTool {
  return tool?.agent !== undefined && !tool.execute;
}

/** As a promise, also where the handler throws before it has returned one. */
const runHandler = async (tool: DefinedTool | undefined, ...[call, context]: Parameters<ExecuteTool>) => {
  if (!tool?.execute) throw new Error(`The tool ${call.name} has no handler.`);
  return tool.execute(call.input as never, context);
};
