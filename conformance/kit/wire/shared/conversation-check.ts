// Checks consecutive requests against the rules: of a request that extends an earlier one, only what is new.

import type { RuleBreach } from "../codec.ts";
import { isObject, listOf, sameJson, without, type JsonObject } from "./json.ts";
import { breachesOf, type RuleBook } from "./rules.ts";

/** A request that broke no rule: its conversation, and its other fields. */
interface Clean {
  entries: unknown[];
  otherFields: JsonObject;
}

/** How many conversations are kept: the last ones. */
const mostConversations = 8;

/**
 * A check that remembers what it has checked. It finds what it would find if this were the first request.
 * @see ProviderCodec.createCheck
 */
export function createCheck<Request>(
  book: RuleBook<Request>,
): (body: unknown, headers: Record<string, string>) => RuleBreach[] {
  const known: Clean[] = [];
  return (body, headers) => {
    const current = readConversation(body, book.conversation);
    const { before, common } = nearest(known, current);
    const request = book.open(body, headers);
    const at = before ? beginning(book, current, Math.min(common, before.entries.length)) : 0;
    const breaches = breachesOf(book, request, at > 0 ? book.from(request, at) : request);
    if (breaches.length === 0) keep(known, current, before && common === before.entries.length ? before : undefined);
    return breaches;
  };
}

function readConversation(body: unknown, field: string): Clean {
  const fields = isObject(body) ? body : {};
  return { entries: listOf(fields[field]), otherFields: without(fields, field) };
}

/** The earlier request with the longest common prefix, and the length of that prefix in entries. */
function nearest(known: readonly Clean[], current: Clean): { before?: Clean; common: number } {
  let found: { before?: Clean; common: number } = { common: 0 };
  for (const before of known) {
    if (!sameJson(before.otherFields, current.otherFields)) continue;
    const common = commonPrefix(before.entries, current.entries);
    if (common > found.common) found = { before, common };
  }
  return found;
}

function commonPrefix(one: readonly unknown[], other: readonly unknown[]): number {
  const most = Math.min(one.length, other.length);
  let common = 0;
  while (common < most && sameJson(one[common], other[common])) common += 1;
  return common;
}

/** The entry from which a request has to be checked, given its common prefix with one that broke no rule. */
function beginning<Request>({ mayBegin }: RuleBook<Request>, { entries }: Clean, common: number): number {
  let at = common - 1;
  while (at > 0 && !mayBegin(entries[at] as JsonObject)) at -= 1;
  return Math.max(at, 0);
}

/** Keeps a request, in place of the one that it extends. */
function keep(known: Clean[], current: Clean, before: Clean | undefined): void {
  if (before) known.splice(known.indexOf(before), 1);
  known.unshift(current);
  known.length = Math.min(known.length, mostConversations);
}
