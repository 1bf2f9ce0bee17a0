// What a rule of a provider is, and how a request is checked against a list of them.

import type { AnsweredRequest, RuleBreach, RuleDescription, ScriptedResponse } from "../codec.ts";
import type { JsonObject, Placed } from "./json.ts";

/** The request as the rules of every provider see it. */
export interface OpenedRequest {
  body: unknown;
  /** The body, or an empty object if it is not an object. */
  fields: JsonObject;
  headers: Record<string, string>;
  /** The answers of the run so far; absent if they are not known. */
  sent?: readonly ScriptedResponse[];
  /** The values whose strings are checked: the body, or the entries of the conversation. */
  strings: readonly Placed[];
}

/** What is wrong in one place. `param` names the place in the provider's own notation. */
export interface Finding {
  message: string;
  param?: string;
}

/**
 * A rule as data, with the function that checks it. A check must accept any JSON: every rule is applied to every request, including one that breaks other rules.
 */
export interface Rule<Request> extends RuleDescription {
  /** The provider's own name for this kind of error. */
  code: string;
  /**
   * Whether it needs the whole conversation, for example to find the call that a result answers. What any other rule finds in an
   * entry depends only on that entry and its neighbours, up to the nearest one at which the conversation may be cut.
   */
  looksBack?: true;
  check(request: Request): Finding[];
}

/** The rules of a provider, and how a request is opened for them. */
export interface RuleBook<Request> {
  rules: readonly Rule<Request>[];
  open(
    body: unknown,
    headers: Record<string, string>,
    sent?: readonly ScriptedResponse[],
    earlier?: readonly AnsweredRequest[],
  ): Request;
  /** The field of the body that has the conversation, entry by entry. */
  conversation: string;
  /** Whether the conversation may be cut before an entry. */
  mayBegin(entry: JsonObject): boolean;
  /** The request as if the conversation began with its n-th entry; places stay as they are. */
  from(request: Request, entry: number): Request;
  /** The body of the answer to a request that breaks a rule. */
  errorBody(rule: Rule<Request>, finding: Finding): unknown;
}

/** Every breach, in the order of the rules. Rules that do not look back see only the rest of the request, if one is given. */
export function breachesOf<Request>(
  { rules, errorBody }: RuleBook<Request>,
  request: Request,
  rest: Request = request,
): RuleBreach[] {
  return rules.flatMap((rule) =>
    rule.check(rule.looksBack ? request : rest).map((finding) => ({
      rule: rule.id,
      requirement: rule.requirement,
      message: finding.message,
      status: rule.status,
      body: errorBody(rule, finding),
      ...(rule.dialect !== undefined && { dialect: true as const, upstreams: rule.upstreams ?? [] }),
    })),
  );
}

/**
 * The requirement behind rules about the shape of a whole request: a request that breaks one is not in the provider's format.
 */
export const shapeRequirement = "PROVIDER-26";

/** A finding if the condition holds. */
export function when(wrong: boolean, message: string, param?: string): Finding[] {
  return wrong ? [{ message, ...(param !== undefined && { param }) }] : [];
}

/** The entries that are duplicates of an earlier one. */
export function repeated<Entry>(entries: readonly Entry[], key: (entry: Entry) => unknown): Entry[] {
  const seen = new Set<unknown>();
  return entries.filter((entry) => seen.size === seen.add(key(entry)).size);
}

/** The keys of the object that are not in the list. */
export function unknownKeys(object: Record<string, unknown>, known: ReadonlySet<string>): string[] {
  return Object.keys(object).filter((key) => !known.has(key));
}
