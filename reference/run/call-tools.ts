// The tools of each agent, with everything around their execution: order, time, context, progress, handoffs, reports.

import type { Controls } from "./run.ts";
import type { PresentAgent } from "../tools/agents.ts";
import type { Clock } from "../support/clock.ts";
import { variablesOf } from "../plugins/tools/context-variables.ts";
import { ToolError } from "../core/execute-tool-calls.ts";
import type { ExecutableCall, ExecuteTool, Ports, State, ToolContext } from "../core/ports.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import { oneHandoff } from "../plugins/tools/handoff.ts";
import { schedule } from "../plugins/tools/scheduling.ts";
import { reportTools, type Measured } from "../plugins/model/step-report.ts";
import type { Subagents } from "../plugins/tools/subagents.ts";
import { toolOutput } from "../tools/tool-output.ts";
import { waitForTools, type Running } from "../plugins/tools/tool-timeout.ts";
import type { RunOptions } from "../../schemas/types.ts";

/** What the core needs to execute the calls of whichever agent is active. */
export interface Crews extends Pick<Ports, "executeTool" | "execute"> {
  /** The calls that were signalled to stop, and whose tools have not ended. */
  running(): { id: string; name: string }[];
  /** What was seen of a tool of the batch, or undefined if it was not started. */
  measuredOf(call: ExecutableCall): Measured | undefined;
}

/** @param agents as they are now: an agent with other tools is another object */
export function crewsOf(
  agents: Record<string, PresentAgent>,
  options: RunOptions,
  clock: Clock,
  emit: Ports["emit"],
  subagents: Subagents,
  traceOf?: Controls["traceOf"],
): Crews {
  const running: Running = new Set();
  const crews = new WeakMap<PresentAgent, Crew>();
  const crewNow = (name: string): Crew => {
    const agent = agents[name]!;
    let crew = crews.get(agent);
    if (!crew) crews.set(agent, (crew = crewOf(agent, options, clock, emit, subagents, running)));
    return crew;
  };
  let crew: Crew; // of the agent whose batch is executed
  const measured = new Map<ExecutableCall, Measured>(); // in this batch
  const measuredOf = (call: ExecutableCall) => measured.get(call);
  const mayWait = ({ unfinished }: State) =>
    crew.hasSubagents || unfinished !== undefined || options.approval_batch === "eager";
  return {
    async execute(calls, run, state) {
      measured.clear();
      crew = crewNow(state.agent);
      const execute = mayWait(state) ? subagents.aroundBatch(crew.execute) : crew.execute;
      const executed = oneHandoff(await execute(calls, run, state), agents);
      reportTools(state, calls, executed, measuredOf);
      return executed;
    },

    measuredOf,

    async executeTool(call, { signal, turn }, state) {
      const metrics = {};
      const begun = clock.now();
      let isRunning = true;
      const progress = (said: unknown) => {
        const { id, name } = call;
        if (isRunning && said !== undefined) emit({ type: "tool_progress", turn, id, name, progress: said });
      };
      const seen = { duration_ms: 0, metrics };
      measured.set(call, seen);
      try {
        const trace = traceOf?.(call);
        const told = { call, signal, turn, context: variablesOf(state), metrics, progress };
        const context: ToolContext = trace ? { ...told, trace: { ...trace } } : told; // a copy, as the variables are
        return await crew.executeTool(call, context);
      } catch (thrown) {
        throw crew.isSubagent(call) ? thrown : withoutWaiting(thrown);
      } finally {
        isRunning = false;
        seen.duration_ms = clock.now() - begun;
      }
    },

    running: () => [...running].map(({ id, name }) => ({ id, name })),
  };
}

interface Crew extends Pick<Ports, "execute"> {
  executeTool: ExecuteTool;
  hasSubagents: boolean;
  isSubagent(call: ExecutableCall): boolean;
}

function crewOf(
  { tools = [] }: PresentAgent,
  options: RunOptions,
  clock: Clock,
  emit: Ports["emit"],
  subagents: Subagents,
  running: Running,
): Crew {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const run: ExecuteTool = (call, context) => {
    const tool = byName.get(call.name);
    return isSubagent(tool) ? subagents.answer(tool, context) : runHandler(tool, call, context);
  };
  const isOfSubagent = ({ name }: ExecutableCall) => isSubagent(byName.get(name));
  const executeTool = waitForTools(run, {
    running,
    clock,
    endsWhenTold: isOfSubagent,
    timeoutOf: ({ name }) => byName.get(name)?.timeout_ms ?? options.tool_timeout_ms ?? null,
    cancelGraceMs: options.cancel_grace_ms ?? 0,
    emit,
  });
  const hasSubagents = tools.some(isSubagent);
  return { executeTool, execute: schedule(options, tools), hasSubagents, isSubagent: isOfSubagent };
}

/** A tool that has both says by its handler how its agent is run. */
function isSubagent(tool: DefinedTool | undefined): tool is DefinedTool {
  return tool?.agent !== undefined && !tool.execute;
}

/** As a promise, also where the handler throws before it has returned one. */
async function runHandler(tool: DefinedTool | undefined, call: ExecutableCall, context: ToolContext) {
  if (!tool?.execute) throw new Error(`The tool ${call.name} has no handler.`);
  return toolOutput(await tool.execute(call.input as never, context));
}

/** Only a subagent can wait: where another tool says so, it has failed. */
function withoutWaiting(thrown: unknown): unknown {
  const waits = thrown instanceof ToolError && thrown.outcome === "suspended";
  return waits ? new ToolError(thrown.message, { fatal: thrown.fatal }) : thrown;
}
