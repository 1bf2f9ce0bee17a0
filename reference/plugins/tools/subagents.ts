// An agent as a tool of another one: a run of its own, whose events, cost and suspension belong to the call.

import type { RunOptions, RunResult, Snapshot, Step, SubagentReport } from "../../../schemas/types.ts";
import { ToolError } from "../../core/execute-tool-calls.ts";
import type { ExecutableCall, Executed, State, ToolContext, ToolOutput } from "../../core/ports.ts";
import { initSession, resultText, syntheticResult } from "../../core/session.ts";
import { budgetLeft, tokensLeft } from "../../state/costs.ts";
import { inParts } from "../../state/partial-batch.ts";
import { isSubagent, missingSubagent } from "../../tools/agents.ts";
import type { DefinedTool } from "../../tools/define-tool.ts";
import type { Plugin, RunContext } from "../plugin.ts";
import { anySignal } from "../../support/any-signal.ts";

/** Runs subagents, and keeps the results so far while a subagent or a call waits for the caller of the run. */
export const subagents: Plugin = {
  name: "subagents",
  attach(run) {
    const { agents, options, state, signal } = run;
    const refuses = missingSubagent(agents.agents);
    const isCalled = ({ tools = [] }: { tools?: DefinedTool[] }) => tools.some(isSubagent);
    const mayBeCalled = Object.keys(agents.given).some((name) => agents.makes(name) || isCalled(agents.agents[name]!));
    if (refuses || (!mayBeCalled && !state.unfinished && options.approval_batch !== "eager")) return { refuses };

    const snapshots = new Map<string, Snapshot>(); // of suspended subagents, by call id
    return {
      aroundTool: (next) => async (call, context, at) => {
        const tool = agents.tool(at.agent, call.name);
        return isSubagent(tool) ? answer(tool, context, at, run, snapshots) : next(call, context, at);
      },
      aroundBatch(next) {
        const executeParts = inParts(next, (id) => snapshots.get(id), signal); // [SUBAGENT-14] [SUBAGENT-17]
        return async (calls, execute, at) => {
          const mayWait = at.unfinished || options.approval_batch === "eager" || isCalled(agents.agents[at.agent]!);
          if (!mayWait) return next(calls, execute, at);
          const isTooDear = ({ id, name }: ExecutableCall) =>
            isSubagent(agents.tool(at.agent, name)) && !at.unfinished?.[id] && isSpent(at);
          const executeOrRefuse = async (call: ExecutableCall) => (isTooDear(call) ? notStarted(call) : execute(call));
          const executed = await executeParts(calls, executeOrRefuse, at);
          const ids = calls.map(({ id }) => id);
          at.steps.at(-1)?.subagents?.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
          return executed;
        };
      },
    };
  },
};

/** Runs the agent of a tool, as the handler of a call. */
async function answer(
  { agent, subagent }: DefinedTool,
  { call, turn, signal, context, trace }: ToolContext,
  batch: State,
  run: RunContext,
  snapshots: Map<string, Snapshot>,
): Promise<ToolOutput> {
  const { id, name, input } = call;
  const { snapshot, decisions = [] } = batch.unfinished?.[id] ?? {};
  const session = initSession({ id: `${batch.session.id}/${id}`, user: promptOf(input) });
  const child = run.start({
    agent: agent!,
    agents: run.agents.given,
    parent: { session_id: batch.session.id, call_id: id },
    options: snapshot
      ? goingOn(batch, id, run.elapsed(), snapshot, subagent?.options)
      : { ...optionsOf(batch, run.elapsed()), ...subagent?.options },
    signal: subagent?.signal ? anySignal(signal, subagent.signal) : signal,
    ...(batch.context && { context }),
    ...(trace && { trace }),
    own: subagent,
    from: snapshot ? { snapshot, decisions } : { session },
  });
  for await (const event of child) run.emit({ type: "subagent_event", turn, id, name, event });
  const result = await child.result;
  note(batch, reportOf(id, session.id, result));
  if (result.snapshot) snapshots.set(id, result.snapshot);
  return outputOf(agent!, result);
}

/** Whether nothing is left of the budget. @see SUBAGENT-12 */
function isSpent(run: State): boolean {
  const { budget } = run.options;
  return budget != null && budgetLeft(run, budget) === "0";
}

function notStarted(call: ExecutableCall): Executed {
  return { result: syntheticResult(call, "not_executed", resultText("no_budget")) }; // [SUBAGENT-20]
}

/** The options of the run, without those for its own responses, and with the rest of its limits. @see SUBAGENT-4 SUBAGENT-11 */
function optionsOf(run: State, elapsedMs: number): RunOptions {
  const {
    max_turns: _,
    tool_choice: _1,
    tool_choice_for: _2,
    output_format: _3,
    output_by: _4,
    stop_when: _5,
    ...options
  } = run.options;
  const { budget, max_total_tokens, deadline_ms } = options;
  return {
    ...options,
    ...(budget != null && { budget: budgetLeft(run, budget) }),
    ...(max_total_tokens != null && { max_total_tokens: tokensLeft(run, max_total_tokens) }),
    ...(deadline_ms != null && { deadline_ms: Math.max(0, deadline_ms - elapsedMs) }),
  };
}

/**
 * What a subagent that goes on is given anew, beside the options of its snapshot: it is permitted no more than its parent is now, and
 * has what is left now of the limits of its parent, with what it has taken of them itself.
 * @see PERMISSION-27 SUBAGENT-11
 */
function goingOn(
  batch: State,
  id: string,
  elapsedMs: number,
  { counters }: Snapshot,
  own: RunOptions = {},
): RunOptions {
  const steps = batch.steps.map(({ subagents, ...step }): Step => {
    const others = subagents?.filter((one) => one.id !== id);
    return { ...step, ...(others && { subagents: others }) };
  });
  const left = optionsOf({ ...batch, steps }, elapsedMs - (counters?.["elapsed_ms"] ?? 0));
  const options: RunOptions = {};
  for (const name of ["budget", "max_total_tokens", "deadline_ms", "permissions"] as const) {
    const value = name in own ? own[name] : left[name];
    if (value !== undefined) Object.assign(options, { [name]: value });
  }
  return options;
}

function promptOf(input: Record<string, unknown>): string {
  const { prompt } = input;
  return typeof prompt === "string" ? prompt : JSON.stringify(input);
}

/** The tool output for the calling model. A run that failed or was blocked is an error of the call only. @see SUBAGENT-5 SUBAGENT-6 */
function outputOf(agent: string, { status, stop_condition, final_text, error, reason }: RunResult): string {
  const isBlocked = stop_condition === "blocked"; // by a hook: what it had said is no answer
  if (status === "completed" || (status === "stopped" && !isBlocked)) return final_text;
  const why = error?.message ?? reason;
  const lastText = final_text === "" ? "" : ` It had said: ${final_text}`;
  const text = `The agent ${agent} ended with status ${status}${why === undefined ? "." : `: ${why}`}${lastText}`;
  throw new ToolError(text, { outcome: status === "suspended" ? "suspended" : "error" });
}

function reportOf(
  id: string,
  session_id: string,
  { agent, status, turns, usage, usage_by_model, cost, cost_by_model }: RunResult,
): SubagentReport {
  const money = { ...(cost !== undefined && { cost }), ...(cost_by_model && { cost_by_model }) };
  return { id, agent, session_id, status, turns, usage, usage_by_model, ...money };
}

/** Adds a report to the step. That of a resumed subagent replaces the one from before its suspension. @see SUBAGENT-9 */
function note({ steps }: State, report: SubagentReport): void {
  const step = steps.at(-1)!;
  step.subagents = [...(step.subagents ?? []).filter(({ id }) => id !== report.id), report];
}
