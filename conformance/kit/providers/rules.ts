// What a rule of a provider is, and how a request is held against a list of them.

import type { RuleBreach, RuleDescription } from "../codec.ts";

/** What is wrong in one place. `param` names the place in the provider's own notation. */
export interface Finding {
  message: string;
  param?: string;
}

/**
 * A rule as data, with the function that checks it. A check must bear any JSON: every rule sees every request, also one that breaks others.
 */
export interface Rule<Request> extends RuleDescription {
  /** The provider's own name for this kind of error. */
  code: string;
  check(request: Request): Finding[];
}

/** Every breach, in the order of the rules. */
export function breachesOf<Request>(
  rules: readonly Rule<Request>[],
  request: Request,
  body: (rule: Rule<Request>, finding: Finding) => unknown,
): RuleBreach[] {
  return rules.flatMap((rule) =>
    rule.check(request).map((finding) => ({
      rule: rule.id,
      requirement: rule.requirement,
      message: finding.message,
      status: rule.status,
      body: body(rule, finding),
    })),
  );
}

/**
 * The requirement behind rules about the shape of a request as a whole: who breaks one sends what the provider's format does not have.
 */
export const shapeRequirement = "PROVIDER-26";

/** A finding if the condition holds. */
export function when(wrong: boolean, message: string, param?: string): Finding[] {
  return wrong ? [{ message, ...(param !== undefined && { param }) }] : [];
}

/** The entries that stand a second time. */
export function repeated<Entry>(entries: readonly Entry[], key: (entry: Entry) => unknown): Entry[] {
  const seen = new Set<unknown>();
  return entries.filter((entry) => seen.size === seen.add(key(entry)).size);
}

/** The keys of the object that are not in the list. */
export function unknownKeys(object: Record<string, unknown>, known: ReadonlySet<string>): string[] {
  return Object.keys(object).filter((key) => !known.has(key));
}
