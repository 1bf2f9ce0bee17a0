// Explains a rule of a provider: what it refuses, for whom, and where that is documented or was seen.

import { codecs } from "../../kit/wire/codecs.ts";
import type { RuleDescription } from "../../kit/wire/codec.ts";
import type { Kind, Sources } from "./kind.ts";
import { listed, listedRequirements } from "./lists.ts";

const rules = new Map(Object.values(codecs).flatMap((codec) => codec.rules.map((rule) => [rule.id, rule] as const)));

export const ruleKind: Kind = {
  called: "a rule of a provider",
  names: () => rules.keys(),
  explain: (id, sources) => lines(rules.get(id)!, sources),
};

function named(upstreams: readonly string[] = []): string {
  return upstreams.length === 0 ? "" : `; audit asks it of upstreams that are named ${upstreams.join(" or ")}`;
}

function* lines(rule: RuleDescription, sources: Sources): Generator<string> {
  const { id, statement, status, requirement, models, dialect, note } = rule;
  const kept = sources.suite.catalogue.requirements.get(requirement);
  yield `${id}  ${statement}`;
  yield `  A request that breaks it is answered with the status ${status}.`;
  if (models !== undefined) yield `  Models: ${models}.`;
  if (dialect !== undefined) yield `  Servers: ${dialect}${named(rule.upstreams)}.`;
  if (note !== undefined) yield `  ${note}`;
  yield* listed(rule.undocumented ? "Not documented; it belongs to" : "Documented at", [rule.docs]);
  yield* listed(
    "Seen to be refused",
    (rule.seen ?? []).map(({ where, on }) => `${on}  ${where}`),
  );
  if (kept !== undefined) yield* listedRequirements("Who keeps it keeps", [kept], sources);
}
