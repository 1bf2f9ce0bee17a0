// Finds the actions of a case that can never fire, or that do nothing.

import type { Case, When } from "../../../../schemas/types.ts";
import type { CaseProblem } from "./problem.ts";
import { counted } from "../../base/plural.ts";
import { list } from "./expectations.ts";
import { toolsOf } from "../case-agents.ts";
import { mcpToolsOf } from "../mcp-tools.ts";

/** Moments that do not come, and what is done to nothing. */
export function checkActions(source: Case): CaseProblem[] {
  const found: CaseProblem[] = [];
  const tools = new Set([...toolsOf(source.given), ...mcpToolsOf(source.given)].map((tool) => tool.name));
  const handlers = Object.values(source.given.handlers ?? {}).flatMap((handler) => [
    handler,
    ...(handler.sequence ?? []),
  ]);
  const { hooks = [], guardrails = [], dynamic_instructions, dynamic_tools } = source.given;
  const evaluated = [dynamic_instructions ?? [], dynamic_tools ?? []].flat();
  const writes = source.model.flatMap((entry) => entry.writes ?? []);
  const gates = new Set(
    [...handlers, ...hooks, ...guardrails, ...evaluated, ...writes].flatMap(({ hold }) => hold ?? []),
  );
  for (const [index, { when, do: act }] of (source.actions ?? []).entries()) {
    const pointer = `/actions/${index}`;
    if (when.request !== undefined && when.request > source.model.length) {
      found.push({
        pointer: `${pointer}/when/request`,
        message: `never fires: model has only ${source.model.length} entries`,
      });
    }
    if (when.after_parts !== undefined && when.request === undefined) {
      found.push({ pointer: `${pointer}/when/after_parts`, message: "after_parts is allowed only with request" });
    }
    found.push(...checkAfterWrites(when, source.model, `${pointer}/when/after_writes`));
    for (const name of [when.tool_start ?? [], when.tool_end ?? []].flat()) {
      if (!tools.has(name))
        found.push({ pointer: `${pointer}/when`, message: `never fires: no agent has a tool ${name}` });
    }
    if (when.progress !== undefined && !handlers.some(({ progress }) => progress))
      found.push({ pointer: `${pointer}/when/progress`, message: "never fires: no handler says its progress" });
    if (when.hook !== undefined && !source.given.hooks)
      found.push({ pointer: `${pointer}/when/hook`, message: "never fires: the case has no hooks" });
    if (when.guardrail !== undefined && guardrails.length === 0)
      found.push({ pointer: `${pointer}/when/guardrail`, message: "never fires: the case has no guardrails" });
    if (when.evaluation !== undefined && evaluated.length === 0) {
      const message = "never fires: the case has neither dynamic_instructions nor dynamic_tools";
      found.push({ pointer: `${pointer}/when/evaluation`, message });
    }
    if (when.append !== undefined && !source.given.journal)
      found.push({ pointer: `${pointer}/when/append`, message: "never fires: the case has no journal" });
    if (typeof act === "string") continue;
    if (act.end_process !== undefined && !source.given.journal)
      found.push({ pointer: `${pointer}/do/end_process`, message: "the run could not go on: the case has no journal" });
    for (const gate of [act.release ?? []].flat()) {
      if (!gates.has(gate))
        found.push({
          pointer: `${pointer}/do/release`,
          message: `nothing in the case holds the gate ${gate}; known: ${list(gates)}`,
        });
    }
    if (act.run_again && source.expect.second_result === undefined)
      found.push({ pointer: `${pointer}/do/run_again`, message: "say in expect.second_result what has to come of it" });
    if (when.suspended !== undefined && !act.resume && act.advance_ms === undefined) {
      found.push({ pointer: `${pointer}/do`, message: "a suspended run can only be resumed, or its clock moved" });
    }
    if (act.resume && when.suspended === undefined) {
      found.push({
        pointer: `${pointer}/when`,
        message: "a run can be resumed only when it is suspended; write when: { suspended: true }",
      });
    }
  }
  const resumes = (source.actions ?? []).filter(({ do: act }) => typeof act === "object" && act.resume !== undefined);
  if (source.given.snapshot_on_resume !== undefined && resumes.length === 0)
    found.push({ pointer: "/given/snapshot_on_resume", message: "the run is never resumed; add an action that does" });
  if (source.given.resumes !== undefined && resumes.length < 2)
    found.push({
      pointer: "/given/resumes",
      message: "add a second action that resumes the run; the first has no other snapshot",
    });
  return found;
}

function checkAfterWrites({ request, after_writes }: When, model: Case["model"], pointer: string): CaseProblem[] {
  if (after_writes === undefined) return [];
  if (request === undefined) return [{ pointer, message: "after_writes is allowed only with request" }];
  const { sse, writes } = model[request - 1] ?? {};
  const count = (sse ?? writes)?.length;
  if (count === undefined)
    return [
      {
        pointer,
        message: "after_writes counts the writes of sse or writes; for what the kit renders, use after_parts",
      },
    ];
  return after_writes > count
    ? [{ pointer, message: `never fires: the answer has only ${counted(count, "write")}` }]
    : [];
}
