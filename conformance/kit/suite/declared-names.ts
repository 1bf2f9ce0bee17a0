// Lets the model call a tool under the name that the request declared for it, as a real model does.

import type { ScriptedPart, ScriptedResponse } from "../wire/codec.ts";
import { codecs } from "../wire/codecs.ts";
import type { ScriptStep } from "./script-step.ts";

interface Named {
  name: string;
}

/** Whether every provider takes it as the name of a tool. A tool with another name may be declared under one that the adapter chooses. */
function isLegal(name: string): boolean {
  return Object.values(codecs).every(({ leeway }) => leeway.toolName.test(name));
}

/**
 * A response as the model gives it: calls of a tool that was declared under another name come under that name.
 * @param given the tools of the run
 * @param declared the tools of the request, in the same order
 */
export function underDeclaredNames(
  response: ScriptedResponse,
  given: readonly Named[],
  declared: readonly Named[],
): ScriptedResponse {
  if (given.length !== declared.length) return response;
  const sent = new Map(given.map(({ name }, at) => [name, isLegal(name) ? name : declared[at]!.name]));
  const parts = response.parts.map((part): ScriptedPart => {
    if (!("tool_call" in part)) return part;
    const { name } = part.tool_call;
    return { tool_call: { ...part.tool_call, name: sent.get(name) ?? name } };
  });
  return { ...response, parts };
}

/** A step with a name that every provider can say in place of each that an adapter will change: only the request shows which. */
export function sayable(step: ScriptStep, given: readonly Named[]): ScriptStep {
  if (step.kind !== "response") return step;
  const declared = given.map((_, at) => ({ name: `tool_${at + 1}` }));
  return { ...step, response: underDeclaredNames(step.response, given, declared) };
}
