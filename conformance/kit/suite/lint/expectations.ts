// Finds what is wrong with the expectation of a case, where alone matchers and bindings may stand.

import type { Case, RunStatus } from "../../../../schemas/types.ts";
import type { CaseProblem, KnownNames } from "./problem.ts";
import { isName, wordPattern } from "../fill-case.ts";
import { toolsOf } from "../case-agents.ts";
import type { Policy } from "../catalogue.ts";
import { pointerTo } from "../../base/json-pointer.ts";
import { idKeys, matcherOf, matchers } from "../../base/matcher.ts";
import { providers } from "../variant.ts";

const statuses: RunStatus[] = [
  "completed",
  "max_turns",
  "budget",
  "deadline",
  "token_limit",
  "tool_call_limit",
  "error_limit",
  "max_tokens",
  "refused",
  "incomplete",
  "guardrail",
  "stopped",
  "cancelled",
  "suspended",
  "structured_output_failed",
  "error",
];

/** What is wrong with an expectation: unknown names, matchers that are none, bindings where nothing is bound. */
export function checkExpectation(source: Case, names: KnownNames): CaseProblem[] {
  const { one_of: behaviours = [], ...always } = source.expect;
  const isAll = behaviours.length === 0 || Object.keys(always).length > 0;
  return [
    ...(isAll ? checkPart(always, "/expect", source, names) : []),
    ...behaviours.flatMap(({ observes, expect }, index) => [
      ...checkObserved(observes, `/expect/one_of/${index}/observes`, names),
      ...checkPart(expect, `/expect/one_of/${index}/expect`, source, names),
    ]),
    ...checkDifferent(behaviours),
  ];
}

/** What is wrong with the names of a behaviour. */
function checkObserved(observes: Record<string, string>, at: string, names: KnownNames): CaseProblem[] {
  return Object.entries(observes).flatMap(([policy, choice]) => {
    const pointer = pointerTo(at, policy);
    const known = names.policies.get(policy);
    if (!known) return [{ pointer, message: `no policy is called ${policy}; known: ${list(names.policies.keys())}` }];
    return Object.hasOwn(known.choices, choice) ? [] : [{ pointer, message: noChoice(policy, choice, known) }];
  });
}

/** Two behaviours of one name would be one. */
function checkDifferent(behaviours: NonNullable<Case["expect"]["one_of"]>): CaseProblem[] {
  const seen = behaviours.map(({ observes }) => JSON.stringify(Object.entries(observes).sort()));
  return seen.flatMap((one, index) =>
    seen.indexOf(one) === index
      ? []
      : [{ pointer: `/expect/one_of/${index}/observes`, message: "an entry before it observes the same" }],
  );
}

/** What is wrong with an expectation, or with what one behaviour is expected to show. */
function checkPart(expect: Case["expect"], at: string, source: Case, names: KnownNames): CaseProblem[] {
  const { status, overlap, no_overlap, aborted, request_count, most_appends, wire, one_of: within, ...values } = expect;
  const found: CaseProblem[] = [];
  if (within) found.push({ pointer: `${at}/one_of`, message: "a behaviour has no behaviours of its own" });
  // Where the user goes on, the request with the next message is judged in any case.
  if (Object.keys(expect).length === 0 && !source.next)
    found.push({ pointer: at, message: "expects nothing; say at least the status" });
  if (typeof status === "string" && !(statuses as string[]).includes(status)) {
    found.push({ pointer: `${at}/status`, message: `${status} is no status; known: ${statuses.join(", ")}` });
  }
  const tools = new Set(toolsOf(source.given).map((tool) => tool.name));
  for (const [key, pairs] of [
    ["overlap", overlap ?? []],
    ["no_overlap", no_overlap ?? []],
    ["aborted", [aborted ?? []]],
  ] as const) {
    for (const name of pairs.flat()) {
      if (!tools.has(name)) found.push({ pointer: `${at}/${key}`, message: `no agent has a tool ${name}` });
    }
  }
  if (most_appends !== undefined && !source.given.journal)
    found.push({ pointer: `${at}/most_appends`, message: "the run has no journal; add given.journal" });
  const startsAgain = (source.actions ?? []).some(({ do: act }) => typeof act === "object" && act.run_again);
  if (values.second_result !== undefined && !startsAgain)
    found.push({
      pointer: `${at}/second_result`,
      message: "no action starts a second run; add do: { run_again: true }",
    });
  for (const provider of Object.keys(wire ?? {})) {
    if (!(providers as readonly string[]).includes(provider)) {
      found.push({
        pointer: pointerTo(`${at}/wire`, provider),
        message: `no provider has that name; known: ${providers.join(", ")}`,
      });
    }
  }
  for (const [key, value] of Object.entries({ ...values, status, wire })) {
    found.push(...checkMatchers(value, pointerTo(at, key), names));
  }
  return found;
}

/** What is wrong with the matchers and bindings of a value. `key` is the one whose value it is. */
export function checkMatchers(
  value: unknown,
  pointer: string,
  names: Pick<KnownNames, "policies">,
  key?: string,
): CaseProblem[] {
  if (typeof value === "string") return checkLiteral(value, pointer, key);
  if (Array.isArray(value))
    return value.flatMap((entry, index) => checkMatchers(entry, pointerTo(pointer, index), names));
  if (typeof value !== "object" || value === null) return [];
  const sigils = Object.keys(value).filter(isName);
  const matcher = matcherOf(value);
  if (sigils.length > 0 && !matcher) {
    return [
      {
        pointer,
        message: `a matcher is an object with one key, but ${sigils.join(", ")} has other keys beside it; write a literal leading $ as $$`,
      },
    ];
  }
  if (!matcher) {
    return Object.entries(value).flatMap(([name, entry]) =>
      checkMatchers(entry, pointerTo(pointer, name), names, name),
    );
  }
  const { name, operand } = matcher;
  if (!(name in matchers))
    return [
      {
        pointer,
        message: `no matcher is called ${name}; known: ${Object.keys(matchers).join(", ")}. A literal leading $ is written $$`,
      },
    ];
  const wrong = checkOperand(name, operand, names);
  if (wrong) return [{ pointer: pointerTo(pointer, name), message: wrong }];
  if (name === "$policy")
    return Object.entries((operand as { cases: object }).cases).flatMap(([at, entry]) =>
      checkMatchers(entry, pointerTo(`${pointer}/$policy/cases`, at), names, key),
    );
  if (name === "$match" || name === "$type") return [];
  return checkMatchers(operand, pointerTo(pointer, name), names, key);
}

function checkLiteral(value: string, pointer: string, key: string | undefined): CaseProblem[] {
  if (!isName(value) || (key !== undefined && idKeys.has(key))) return [];
  return [
    {
      pointer,
      message: `${value} binds nothing here, because only ids are bound (${[...idKeys].join(", ")}); write a literal leading $ as $$`,
    },
  ];
}

const jsonTypes = new Set(["string", "number", "integer", "boolean", "null", "array", "object"]);

/** Why an operand is not what its matcher takes; undefined if it is. */
function checkOperand(name: string, operand: unknown, names: Pick<KnownNames, "policies">): string | undefined {
  const needs = `${name} takes ${matchers[name]}`;
  if (name === "$any" || name === "$absent") return operand === true ? undefined : needs;
  if (name === "$type") return [operand].flat().every((type) => jsonTypes.has(type as string)) ? undefined : needs;
  if (name === "$unordered") return Array.isArray(operand) ? undefined : needs;
  if (name === "$match") return typeof operand === "string" ? invalidPattern(operand) : needs;
  if (name !== "$policy") return undefined;
  const { name: policy, cases } = (operand ?? {}) as { name?: unknown; cases?: unknown };
  if (typeof policy !== "string" || typeof cases !== "object" || cases === null) return needs;
  const known = names.policies.get(policy);
  if (!known) return `no policy is called ${policy}; known: ${list(names.policies.keys())}`;
  const unknown = Object.keys(cases).find((value) => !Object.hasOwn(known.choices, value));
  return unknown === undefined ? undefined : noChoice(policy, unknown, known);
}

function noChoice(policy: string, value: string, { choices }: Policy): string {
  return `policy ${policy} has no value ${value}; known: ${list(Object.keys(choices))}`;
}

function invalidPattern(pattern: string): string | undefined {
  try {
    // A filled word is made of letters.
    new RegExp(pattern.replace(wordPattern, "word"), "u");
    return undefined;
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`;
  }
}

/** Names in one line. */
export function list(names: Iterable<string>): string {
  return [...names].join(", ") || "none";
}
