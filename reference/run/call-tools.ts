// Executes a call: the context of its tool, and the output of its handler.

import type { TraceContext } from "../../schemas/types.ts";
import { ToolError } from "../core/execute-tool-calls.ts";
import type { ExecutableCall, Ports, ToolContext } from "../core/ports.ts";
import type { RunTool } from "../plugins/plugin.ts";
import { variablesOf } from "../state/context-variables.ts";
import { thrownText } from "../support/thrown-text.ts";
import type { ResolvedAgents } from "../tools/agents.ts";
import { isMade, madeOf } from "../tools/standard-schema.ts";
import { toolOutput } from "../tools/tool-output.ts";

/** Calls the handler of a tool: the innermost function of `aroundTool`. */
export function handlerOf({ tool: toolOf }: ResolvedAgents): RunTool {
  return async (call, context, state) => {
    const tool = toolOf(state.agent, call.name);
    if (!tool?.execute) throw new Error(`The tool ${call.name} has no handler.`);
    try {
      const input = isMade(tool.input_schema) ? await madeOf(tool.input_schema, call.input) : call.input;
      return toolOutput(await tool.execute(input as never, context));
    } catch (thrown) {
      throw withoutSuspension(thrown);
    }
  };
}

/** Only a subagent can be suspended: a handler that throws this outcome has failed. What else it throws becomes an error with a text, in whole letters. */
function withoutSuspension(thrown: unknown): unknown {
  const isKnown = isToolError(thrown);
  const outcome = isKnown && thrown.outcome !== "suspended" ? thrown.outcome : undefined;
  if (isKnown && outcome && thrown.message.isWellFormed()) return thrown;
  return new ToolError(thrownText(thrown), { ...(outcome && { outcome }), fatal: isKnown && thrown.fatal }); // [TOOL-48]
}

/** False also for what cannot even be asked, as some proxies. */
function isToolError(thrown: unknown): thrown is ToolError {
  try {
    return thrown instanceof ToolError;
  } catch {
    return false;
  }
}

/** @param traceOf the trace context for the tool of a call; absent: no tool has one */
export function callTools(
  runTool: RunTool,
  emit: Ports["emit"],
  traceOf?: (call: ExecutableCall) => TraceContext | undefined,
): Ports["executeTool"] {
  return async (call, { signal, turn }, state) => {
    let isRunning = true;
    const progress = (value: unknown) => {
      const { id, name } = call;
      if (isRunning && value !== undefined) emit({ type: "tool_progress", turn, id, name, progress: value });
    };
    const given = { call, signal, turn, context: variablesOf(state), metrics: {}, progress };
    const trace = traceOf?.(call);
    const context: ToolContext = trace ? { ...given, trace: { ...trace } } : given; // a copy, like the variables
    try {
      return await runTool(call, context, state);
    } finally {
      isRunning = false;
    }
  };
}
