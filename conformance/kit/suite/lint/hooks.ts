// Finds what is wrong with the hooks of a case: answers without effect, tools that no agent has.

import type { Case, CaseHook, HookPoint, HookReply } from "../../../../schemas/types.ts";
import type { CaseProblem } from "./problem.ts";
import { list } from "./expectations.ts";
import { toolsOf } from "../case-agents.ts";
import { pointerTo } from "../../base/json-pointer.ts";
import { fitsTool } from "../placeholders.ts";

/** What an answer may say at each point. */
export const usesOf: Record<HookPoint, readonly (keyof HookReply)[]> = {
  run_start: [],
  user_input: ["block", "add_context"],
  turn_start: [],
  before_model: ["block", "add_context"],
  after_model: ["block"],
  before_tool: ["block", "skip", "input", "output", "is_error"],
  after_tool: ["output", "is_error", "add_context"],
  tool_failure: ["output", "is_error", "add_context"],
  turn_end: [],
  before_compaction: ["block"],
  after_compaction: [],
  stop: ["block"],
  run_end: [],
};

/** Everything that is wrong with the hooks of a case, and with what is expected of them. */
export function checkHooks({ given, expect }: Case): CaseProblem[] {
  const { hooks = [] } = given;
  const names = toolsOf(given).map(({ name }) => name);
  const found = hooks.flatMap((hook, index) => checkHook(hook, pointerTo("/given/hooks", index), names));
  if (expect.hooks && hooks.length === 0)
    found.push({ pointer: "/expect/hooks", message: "the case has no hooks that could be asked; add given.hooks" });
  for (const [index, entry] of (expect.hooks ?? []).entries()) {
    const { hook } = (entry ?? {}) as { hook?: unknown };
    if (typeof hook !== "number" || hook < hooks.length) continue;
    const message = `there is no hook ${hook}; they are counted from 0, and there are ${hooks.length}`;
    found.push({ pointer: `/expect/hooks/${index}/hook`, message });
  }
  return found;
}

function checkHook(hook: CaseHook, pointer: string, names: readonly string[]): CaseProblem[] {
  const { point, tool, reply, sequence = [] } = hook;
  const found: CaseProblem[] = [];
  const isOfTool = ["before_tool", "after_tool", "tool_failure"].includes(point);
  if (tool !== undefined && !isOfTool)
    found.push({ pointer: `${pointer}/tool`, message: `no tool is called at ${point}; remove it` });
  else if (tool !== undefined && !names.some((name) => fitsTool(tool, name)))
    found.push({ pointer: `${pointer}/tool`, message: `fits no tool of any agent (${list(names)}); correct the name` });
  if (reply) found.push(...checkReply(reply, point, `${pointer}/reply`));
  for (const [index, entry] of sequence.entries())
    found.push(...checkReply(entry, point, `${pointer}/sequence/${index}`));
  return found;
}

function checkReply(reply: HookReply, point: HookPoint, pointer: string): CaseProblem[] {
  const found = (Object.keys(reply) as (keyof HookReply)[])
    .filter((key) => !usesOf[point].includes(key))
    .map((key) => ({
      pointer: pointerTo(pointer, key),
      message: `has no effect at ${point}; a hook there may return: ${list(usesOf[point])}`,
    }));
  if (reply.is_error !== undefined && reply.output === undefined)
    found.push({ pointer: `${pointer}/is_error`, message: "is_error is allowed only with output" });
  return found;
}
