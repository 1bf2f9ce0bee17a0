// Which features a case needs, so that it is only run against implementations that have them.

import type { Action, Case, Handler } from "../../../schemas/types.ts";
import type { CaseProblem, KnownNames } from "./lint/problem.ts";
import { agentsOf } from "./case-agents.ts";
import { pointerTo } from "../base/json-pointer.ts";

type Need = [feature: string, pointer: string, reason: string];

/** The features that a case needs and does not name. */
export function checkNeededFeatures(source: Case, names: KnownNames): CaseProblem[] {
  const declared = new Set(source.features ?? []);
  const tested = names.requirements.get(source.requires[0]!);
  const needs: Need[] = [
    ...(tested?.feature
      ? [[tested.feature, "/requires/0", `${tested.id} holds only for implementations that declare it`] as Need]
      : []),
    ...(source.actions ?? []).flatMap((action, index) => {
      const feature = featureOfAction(action, declared);
      return feature ? [[feature, `/actions/${index}`, "the action cannot be done without it"] as Need] : [];
    }),
    ...(source.next ? [["next_message", "/next", "only such a driver is sent what the user says next"] as Need] : []),
    ...needsOfOptions(source),
    ...needsOfAgents(source),
    ...Object.entries(source.given.handlers ?? {}).flatMap(([name, handler]) =>
      needsOfHandler(handler, pointerTo("/given/handlers", name)),
    ),
    ...needsOfExpectation(source),
  ];
  return needs
    .filter(([feature]) => !declared.has(feature))
    .map(([feature, pointer, reason]) => ({ pointer, message: `needs features: [${feature}], because ${reason}` }));
}

function featureOfAction({ do: act, when }: Action, declared: Set<string>): string | undefined {
  if (typeof act === "string") return act;
  if (act.advance_ms !== undefined) return "clock.virtual";
  if (act.steer !== undefined) return "steering";
  if (act.switch_model !== undefined) return "switch_model";
  if (act.run_again) return "session_lock";
  if (act.end_process !== undefined) return "journal";
  if (act.run_beside !== undefined) return "runs_at_once";
  if (when.progress !== undefined) return "tool_progress";
  if (declared.has("approval")) return undefined;
  return act.resume || when.suspended ? "external_tools" : undefined;
}

function needsOfOptions({ given }: Case): Need[] {
  const { options = {}, context, conversation, hooks, guardrails, dynamic_instructions } = given;
  const needs: Need[] = [];
  if (options.scheduling !== undefined && options.scheduling !== "barrier")
    needs.push(["scheduling", "/given/options/scheduling", "the other modes belong to it"]);
  if (options.tool_timeout_ms != null)
    needs.push(["timeouts", "/given/options/tool_timeout_ms", "time limits belong to it"]);
  if (options.execute_tools === false)
    needs.push(["external_tools", "/given/options/execute_tools", "to suspend belongs to it"]);
  if (options.model_idle_timeout_ms != null)
    needs.push(["idle_timeout", "/given/options/model_idle_timeout_ms", "it is about a silent model"]);
  if (options.bounds) needs.push(["bounds", "/given/options/bounds", "bounds belong to it"]);
  if (options.model_timeout_ms != null)
    needs.push(["model_timeout", "/given/options/model_timeout_ms", "it is about a model call that takes too long"]);
  if (options.output_by === "tool") needs.push(["output_tool", "/given/options/output_by", "the tool belongs to it"]);
  if (options.approval_batch === "eager")
    needs.push(["eager_batch", "/given/options/approval_batch", "to execute a batch in part belongs to it"]);
  if (options.permissions) needs.push(["permissions", "/given/options/permissions", "permissions belong to it"]);
  if (given.options_on_resume?.permissions)
    needs.push(["permissions", "/given/options_on_resume/permissions", "permissions belong to it"]);
  if (options.compaction) needs.push(["compaction", "/given/options/compaction", "compaction belongs to it"]);
  if (hooks) needs.push(["hooks", "/given/hooks", "hooks belong to it"]);
  if (guardrails) needs.push(["guardrails", "/given/guardrails", "guardrails belong to it"]);
  if (dynamic_instructions)
    needs.push(["dynamic_instructions", "/given/dynamic_instructions", "a function that makes them belongs to it"]);
  if (given.dynamic_tools)
    needs.push(["dynamic_tools", "/given/dynamic_tools", "a function that makes them belongs to it"]);
  if (given.journal) needs.push(["journal", "/given/journal", "a journal belongs to it"]);
  if (given.mcp) needs.push(["mcp_tools", "/given/mcp", "MCP servers belong to it"]);
  for (const name of ["hook_timeout_ms", "max_stop_blocks"] as const)
    if (options[name] !== undefined) needs.push(["hooks", `/given/options/${name}`, "it is about hooks"]);
  if (context) needs.push(["context", "/given/context", "context variables belong to it"]);
  if (given.trace) needs.push(["trace", "/given/trace", "the trace of a run belongs to it"]);
  if (given.tools_on_resume)
    needs.push(["tool_drift", "/given/tools_on_resume", "only such a driver says that they have changed"]);
  if (conversation === "server")
    needs.push(["server_state", "/given/conversation", "a conversation on the server belongs to it"]);
  return needs;
}

function needsOfAgents({ given }: Case): Need[] {
  const needs: Need[] = [];
  for (const [name, { tools = [], settings }] of Object.entries(agentsOf(given))) {
    const at = given.agents ? pointerTo("/given/agents", name) : "/given";
    if (settings) needs.push(["settings", `${at}/settings`, "settings belong to it"]);
    for (const [index, tool] of tools.entries()) {
      const pointer = `${at}/tools/${index}`;
      if (tool.agent !== undefined) needs.push(["subagents", pointer, "a tool that is an agent belongs to it"]);
      if (tool.external) needs.push(["external_tools", pointer, "external tools belong to it"]);
      if (tool.timeout_ms !== undefined) needs.push(["timeouts", pointer, "time limits belong to it"]);
    }
  }
  return needs;
}

function needsOfHandler(handler: Handler, pointer: string): Need[] {
  const { data, returns, context_updates, handoff, metrics, progress, sequence = [] } = handler;
  const needs: Need[] = sequence.flatMap((entry, index) => needsOfHandler(entry, `${pointer}/sequence/${index}`));
  if (data !== undefined) needs.push(["tool_data", `${pointer}/data`, "data belong to it"]);
  if (returns !== undefined) needs.push(["tool_data", `${pointer}/returns`, "any value belongs to it"]);
  if (context_updates) needs.push(["context", `${pointer}/context_updates`, "context variables belong to it"]);
  if (handoff !== undefined) needs.push(["handoff", `${pointer}/handoff`, "to hand over belongs to it"]);
  if (metrics) needs.push(["report", `${pointer}/metrics`, "what tools measure belongs to it"]);
  if (progress) needs.push(["tool_progress", `${pointer}/progress`, "tool progress belongs to it"]);
  return needs;
}

function needsOfExpectation({ expect }: Case): Need[] {
  const needs: Need[] = [];
  if (expect.overlap) needs.push(["parallel", "/expect/overlap", "without it tools never overlap"]);
  if (expect.second_result !== undefined)
    needs.push(["session_lock", "/expect/second_result", "only such a driver is asked for a second run"]);
  return needs;
}
