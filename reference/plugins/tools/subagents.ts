// An agent as a tool of another one: its own run, whose events, costs and suspension are those of a call. Wraps `execute`.

import { agentLoop, resume, type AgentWithTools, type RunSetup } from "../../run/run.ts";
import type { PresentAgent } from "../../tools/agents.ts";
import { budgetLeft } from "../model/budget.ts";
import { ToolError } from "../../core/execute-tool-calls.ts";
import type { Ports, State, ToolContext, ToolOutput } from "../../core/ports.ts";
import { initSession } from "../../core/session.ts";
import type { DefinedTool } from "../../tools/define-tool.ts";
import { tokensLeft } from "../turns/limits.ts";
import type { LoopError, RunOptions, RunResult, Snapshot, SubagentReport } from "../../../schemas/types.ts";
import { inParts } from "../../state/partial-batch.ts";

/** A tool whose agent is not there. @param known the agents of the run @see SUBAGENT-3 */
export function nobodyToCall(
  agents: Record<string, PresentAgent>,
  known: Record<string, unknown> = agents,
): LoopError | undefined {
  for (const { name, tools = [] } of Object.values(agents)) {
    for (const { name: tool, agent, subagent } of tools) {
      const there = subagent?.agents ?? known;
      if (agent === undefined || Object.hasOwn(there, agent)) continue;
      const names = Object.keys(there).join(", ");
      const message = `The tool ${tool} of ${name} is the agent ${JSON.stringify(agent)}, which is not there. Agents: ${names}.`;
      return { kind: "configuration", message };
    }
  }
  return undefined;
}

/** What a run knows of its subagents. */
export interface Subagents {
  /** Runs the agent of a tool, as the handler of a call. */
  answer(tool: DefinedTool, context: ToolContext): Promise<ToolOutput>;
  /** Keeps what has been executed while a subagent, or a call, waits for the caller of the run. @see SUBAGENT-14 SUBAGENT-17 */
  aroundBatch(execute: Ports["execute"]): Ports["execute"];
}

/**
 * The subagents of one run.
 * @param setup of the run that calls them
 * @param elapsed how long that has taken, in milliseconds
 */
export function subagentsOf(
  setup: RunSetup,
  agents: Record<string, AgentWithTools>,
  emit: Ports["emit"],
  signal: AbortSignal,
  elapsed: () => number,
): Subagents {
  const snapshots = new Map<string, Snapshot>(); // of those that wait, by the ids of their calls
  let batch: State; // the state of the run, while tools are executed

  return {
    async answer({ agent, subagent }, { call, turn, signal: told, context, trace }) {
      const { id, name, input } = call;
      const { snapshot, decisions = [] } = batch.unfinished?.[id] ?? {};
      const options = optionsOf(batch, elapsed());
      if (!snapshot && options.budget === "0") throw new ToolError(SPENT, { outcome: "not_executed" }); // [SUBAGENT-12]
      const child: RunSetup = {
        ...shared(setup),
        agents,
        ...(batch.context && { context }),
        ...(trace && { trace }),
        ...subagent,
        agent: agent!,
        parent: { session_id: batch.session.id, call_id: id },
        options: { ...options, ...subagent?.options },
        signal: subagent?.signal ? AbortSignal.any([told, subagent.signal]) : told,
      };
      const session = initSession({ id: `${batch.session.id}/${id}`, user: promptOf(input) });
      const run = snapshot ? resume({ ...child, snapshot, decisions }) : agentLoop({ ...child, session });
      for await (const event of run) emit({ type: "subagent_event", turn, id, name, event });
      const result = await run.result;
      note(batch, reportOf(id, session.id, result));
      if (result.snapshot) snapshots.set(id, result.snapshot);
      return outputOf(agent!, result);
    },

    aroundBatch(execute) {
      const executeParts = inParts(execute, (id) => snapshots.get(id), signal);
      return async (calls, run, state) => {
        batch = state;
        const executed = await executeParts(calls, run, state);
        const ids = calls.map(({ id }) => id);
        state.steps.at(-1)?.subagents?.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
        return executed;
      };
    },
  };
}

const SPENT = "The agent was not started: the run has cost as much as it may.";

/** What a subagent has of the run that calls it: whoever watches over that one watches over this one too. @see SUBAGENT-4 */
function shared({ provider, guardrails, hooks, watch, approve, classify, clock, random, newId }: RunSetup): RunSetup {
  return {
    provider,
    ...(watch && { watch }),
    ...(guardrails && { guardrails }),
    ...(hooks && { hooks }),
    ...(approve && { approve }),
    ...(classify && { classify }),
    ...(clock && { clock }),
    ...(random && { random }),
    ...(newId && { newId }),
  };
}

/** The options of the run, without what is about its own answers, and with what is left of its limits. @see SUBAGENT-4 SUBAGENT-11 */
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

function promptOf(input: Record<string, unknown>): string {
  const { prompt } = input;
  return typeof prompt === "string" ? prompt : JSON.stringify(input);
}

/** What the model that called reads of a run. A run that ended badly is an error of the call, and of nothing else. @see SUBAGENT-6 */
function outputOf(agent: string, { status, final_text, error, reason }: RunResult): string {
  if (status === "completed" || status === "stopped") return final_text;
  const why = error?.message ?? reason;
  const said = final_text === "" ? "" : ` It had said: ${final_text}`;
  const text = `The agent ${agent} ended with status ${status}${why === undefined ? "." : `: ${why}`}${said}`;
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

/** What a resumed subagent took in all stands in place of what it had taken when it was suspended. @see SUBAGENT-9 */
function note({ steps }: State, report: SubagentReport): void {
  const step = steps.at(-1)!;
  step.subagents = [...(step.subagents ?? []).filter(({ id }) => id !== report.id), report];
}
