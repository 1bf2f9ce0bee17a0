// Finds what is wrong with the guardrails of a case, and with the function that makes its instructions.

import type { Case } from "../../../../schemas/types.ts";
import type { CaseProblem } from "./problem.ts";
import { list } from "./expectations.ts";
import { agentsOf } from "../case-agents.ts";
import { pointerTo } from "../../base/json-pointer.ts";
import { variablePlaces } from "../placeholders.ts";

/** Everything that is wrong with the guardrails of a case, and with what is expected of them. */
export function checkGuardrails({ given: { guardrails = [] }, expect }: Case): CaseProblem[] {
  const names = guardrails.map(({ name }) => name);
  const found: CaseProblem[] = [];
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) === index) continue;
    const message = `two guardrails are called ${name}; give each a name of its own, so that a result shows which one tripped`;
    found.push({ pointer: `/given/guardrails/${index}/name`, message });
  }
  if (expect.guardrails && names.length === 0) {
    const message = "the case has no guardrails that could be asked; add given.guardrails";
    found.push({ pointer: "/expect/guardrails", message });
  }
  for (const [index, entry] of (expect.guardrails ?? []).entries()) {
    const { guardrail } = (entry ?? {}) as { guardrail?: unknown };
    if (typeof guardrail !== "number" || guardrail < names.length) continue;
    const message = `there is no guardrail ${guardrail}; they are counted from 0, and there are ${names.length}`;
    found.push({ pointer: `/expect/guardrails/${index}/guardrail`, message });
  }
  return found;
}

/** Everything that is wrong with instructions that a function makes, and with what is expected of them. */
export function checkInstructions({ given, expect }: Case): CaseProblem[] {
  const { dynamic_instructions: made, context = {}, handlers = {} } = given;
  if (!made) {
    const message = "no function makes the instructions of this case; add given.dynamic_instructions";
    return expect.instructions ? [{ pointer: "/expect/instructions", message }] : [];
  }
  const found: CaseProblem[] = [];
  for (const [name, { instructions }] of Object.entries(agentsOf(given))) {
    if (instructions === undefined) continue;
    const at = given.agents ? pointerTo("/given/agents", name) : "/given";
    const message = "these are never sent: dynamic_instructions replaces those of every agent; remove one of them";
    found.push({ pointer: `${at}/instructions`, message });
  }
  const updates = Object.values(handlers).flatMap((handler) => [handler, ...(handler.sequence ?? [])]);
  const variables = [context, ...updates.map(({ context_updates = {} }) => context_updates)].flatMap(Object.keys);
  for (const { place, variable } of variablePlaces(made.template ?? "")) {
    if (variables.includes(variable)) continue;
    const message = `${place} names no context variable (${list(new Set(variables))}); correct the name`;
    found.push({ pointer: "/given/dynamic_instructions/template", message });
  }
  return found;
}
