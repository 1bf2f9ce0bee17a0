// Holds requests against the rules one after the other: of one that goes on as one before, only what is new.

import type { RuleBreach } from "../codec.ts";
import { isObject, listOf, sameJson, without, type JsonObject } from "./json.ts";
import { breachesOf, type RuleBook } from "./rules.ts";

/** A request that broke no rule: its conversation, and what stands beside it. */
interface Clean {
  entries: unknown[];
  beside: JsonObject;
}

/** How many conversations are kept: the last ones. */
const mostConversations = 8;

/**
 * A check that keeps what it has checked. What it finds is what it would find if it had seen no request before.
 * @see ProviderCodec.createCheck
 */
export function createCheck<Request>(
  book: RuleBook<Request>,
): (body: unknown, headers: Record<string, string>) => RuleBreach[] {
  const known: Clean[] = [];
  return (body, headers) => {
    const asked = readConversation(body, book.conversation);
    const { before, alike } = nearest(known, asked);
    const request = book.open(body, headers);
    const at = before ? beginning(book, asked, Math.min(alike, before.entries.length)) : 0;
    const breaches = breachesOf(book, request, at > 0 ? book.from(request, at) : request);
    if (breaches.length === 0) keep(known, asked, before && alike === before.entries.length ? before : undefined);
    return breaches;
  };
}

function readConversation(body: unknown, field: string): Clean {
  const fields = isObject(body) ? body : {};
  return { entries: listOf(fields[field]), beside: without(fields, field) };
}

/** The request of before that begins most like this one, and with how many entries it does. */
function nearest(known: readonly Clean[], asked: Clean): { before?: Clean; alike: number } {
  let found: { before?: Clean; alike: number } = { alike: 0 };
  for (const before of known) {
    if (!sameJson(before.beside, asked.beside)) continue;
    const alike = alikeEntries(before.entries, asked.entries);
    if (alike > found.alike) found = { before, alike };
  }
  return found;
}

function alikeEntries(one: readonly unknown[], other: readonly unknown[]): number {
  const most = Math.min(one.length, other.length);
  let alike = 0;
  while (alike < most && sameJson(one[alike], other[alike])) alike += 1;
  return alike;
}

/** From which entry on a request has to be looked at, if it has as many in common with one that broke no rule. */
function beginning<Request>({ mayBegin }: RuleBook<Request>, { entries }: Clean, alike: number): number {
  let at = alike - 1;
  while (at > 0 && !mayBegin(entries[at] as JsonObject)) at -= 1;
  return Math.max(at, 0);
}

/** Keeps a request, in place of the one that it goes on from. */
function keep(known: Clean[], asked: Clean, before: Clean | undefined): void {
  if (before) known.splice(known.indexOf(before), 1);
  known.unshift(asked);
  known.length = Math.min(known.length, mostConversations);
}
