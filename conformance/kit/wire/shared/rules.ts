// What a rule of a provider is, and how a request is held against a list of them.

import type { AnsweredRequest, RuleBreach, RuleDescription, ScriptedResponse } from "../codec.ts";
import type { JsonObject, Placed } from "./json.ts";

/** What the rules of every provider see of a request. */
export interface OpenedRequest {
  body: unknown;
  /** The body, or an empty object where it is none. */
  fields: JsonObject;
  headers: Record<string, string>;
  /** What the run was answered so far; absent where that is not known. */
  sent?: readonly ScriptedResponse[];
  /** Where strings are looked at: the body, or the entries of the conversation. */
  strings: readonly Placed[];
}

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
  /**
   * Whether it looks far back, as for the call that a result answers. What another rule finds in an entry of the conversation hangs
   * only on that entry and on those around it, up to the nearest at which the conversation may be cut.
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
  conversation: "messages" | "input";
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
