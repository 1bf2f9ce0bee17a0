// Finds what the schema of a case cannot: names that nothing knows, matchers in the wrong place, actions that cannot fire.

import type { Case } from "../../../../schemas/types.ts";
import type { CaseProblem, KnownNames } from "./problem.ts";
import { checkActions } from "./actions.ts";
import { checkAgents, checkTools } from "./agents.ts";
import { checkGuardrails, checkInstructions } from "./guardrails.ts";
import { checkDynamicTools, checkMcp } from "./tools.ts";
import { checkHooks } from "./hooks.ts";
import { checkScript } from "./model.ts";
import { checkExpectation, list } from "./expectations.ts";
import { boundNames, isName, namesInExpectation } from "../fill-case.ts";
import { pointerTo } from "../../base/json-pointer.ts";
import { agentsOf } from "../case-agents.ts";
import { matcherOf, matchers } from "../../base/matcher.ts";
import { checkNeededFeatures } from "../needed-features.ts";
import { compareVersions } from "../suite-version.ts";

/** Everything that is wrong with a case that its schema allows. */
export function checkCase(source: Case, names: KnownNames): CaseProblem[] {
  return [
    ...checkNames(source, names),
    ...checkMessages(source),
    ...checkAgents(source),
    ...checkTools(source),
    ...checkHooks(source),
    ...checkGuardrails(source),
    ...checkInstructions(source),
    ...checkDynamicTools(source),
    ...checkMcp(source),
    ...checkScript(source, names),
    ...checkActions(source),
    ...checkNeededFeatures(source, names),
    ...checkBindings(source),
    ...checkExpectation(source, names),
    ...findMatchers({ given: withoutSchemas(source), model: source.model, actions: source.actions ?? [] }),
  ];
}

/** A comma in a text without quotes ends it, and makes keys without a value of the rest. */
function checkMessages({ given }: Case): CaseProblem[] {
  return given.messages.flatMap((message, index) =>
    Object.entries(message)
      .filter(([key, value]) => value === null && key !== "input")
      .map(([key]) => ({
        pointer: pointerTo(`/given/messages/${index}`, key),
        message: "has no value; a text with a comma needs quotes",
      })),
  );
}

function checkNames(source: Case, names: KnownNames): CaseProblem[] {
  const found: CaseProblem[] = [];
  if (source.until !== undefined && compareVersions(source.until, source.since) < 0)
    found.push({ pointer: "/until", message: `comes before since, ${source.since}; a case is in the suite once` });
  const { requires, shown_by: shown = [] } = source;
  for (const [pointer, id] of [
    ...requires.map((id, index) => [`/requires/${index}`, id] as const),
    ...shown.map((id, index) => [`/shown_by/${index}`, id] as const),
  ])
    if (!names.requirements.has(id))
      found.push({ pointer, message: `no requirement of the spec is called ${id}; see spec/requirements.json` });
  if (shown.includes(requires[0]!)) {
    const message = `${requires[0]} is what the case tests; name here only others in which it shows`;
    found.push({ pointer: `/shown_by/${shown.indexOf(requires[0]!)}`, message });
  }
  for (const [index, feature] of (source.features ?? []).entries()) {
    if (!names.features.has(feature)) {
      found.push({
        pointer: `/features/${index}`,
        message: `no feature is called ${feature}; known: ${list(names.features.keys())}`,
      });
    }
  }
  for (const [index, why] of (source.why ?? []).entries()) {
    if (why.bug !== undefined && !names.bugs.has(why.bug)) {
      found.push({
        pointer: `/why/${index}/bug`,
        message: `conformance/bugs.yaml has no entry ${why.bug}; add it there first`,
      });
    }
  }
  return found;
}

function checkBindings(source: Case): CaseProblem[] {
  const bound = boundNames(source);
  const found: CaseProblem[] = [];
  for (const [name, count] of namesInExpectation(source.expect)) {
    if (!bound.has(name) && count < 2) {
      found.push({
        pointer: "/expect",
        message: `$${name} is bound by neither model nor given, and is used only once; write { $any: true }, or a literal $ as $$`,
      });
    }
  }
  for (const [index, { do: act }] of (source.actions ?? []).entries()) {
    for (const [at, decision] of (typeof act === "string" ? [] : (act.resume ?? [])).entries()) {
      if (isName(decision.id) && !bound.has(decision.id.slice(1))) {
        found.push({
          pointer: `/actions/${index}/do/resume/${at}/id`,
          message: `${decision.id} is no id of model or given`,
        });
      }
    }
  }
  return found;
}

/** Matchers where none may stand. */
function findMatchers(value: unknown, pointer = ""): CaseProblem[] {
  if (typeof value !== "object" || value === null) return [];
  const matcher = matcherOf(value);
  if (matcher && matcher.name in matchers)
    return [
      {
        pointer,
        message: `the matcher ${matcher.name} is allowed only under expect; here everything is taken literally`,
      },
    ];
  return Object.entries(value).flatMap(([key, entry]) => findMatchers(entry, pointerTo(pointer, key)));
}

function withoutSchemas({ given }: Case): object {
  const { tools: _, agents: __, ...rest } = given;
  const agents = Object.values(agentsOf(given)).map((agent) => ({
    ...agent,
    tools: (agent.tools ?? []).map((tool) => ({ ...tool, input_schema: {} })),
  }));
  return { ...rest, agents };
}
