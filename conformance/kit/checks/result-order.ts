// The order of several calls and of the results behind them, which every provider takes in any: here they stand in the order in which the model called.

import type { Message } from "../../../schemas/types.ts";
import type { ProviderName } from "../wire/codec.ts";
import { codecs } from "../wire/codecs.ts";

type Fields = Record<string, unknown>;

/** How calls and their results are found in a list. */
interface Places<Item> {
  /** The ids of the calls that an item makes. */
  callsOf(item: Item): unknown[];
  /** The id of the call that an item answers; undefined if it answers none. */
  answeredBy(item: Item): unknown;
}

/**
 * The messages of a request with the results behind each response in the order of its calls. What answers none of them comes last, and
 * is found by the checks that follow.
 * @see SESSION-7
 */
export function inOrderOfCalls(messages: readonly Message[]): Message[] {
  return ordered(messages, {
    callsOf: (message) => (message.type === "tool_call" ? [message.id] : []),
    answeredBy: (message) => (message.type === "tool_result" ? message.id : undefined),
  });
}

/**
 * The messages of a request with the calls that stand beside each other in the order in which the model made them, as `made` has them:
 * together they are one batch, in whatever order a loop keeps them. What stands between them, thinking for example, keeps its place.
 * @see LOOP-1
 */
export function callsAsMade(messages: readonly Message[], made: readonly Message[]): Message[] {
  const place = new Map(made.flatMap((message, at) => (message.type === "tool_call" ? [[message.id, at]] : [])));
  const isMade = (message: Message) => message.type === "tool_call" && place.has(message.id);
  const placeOf = (message: Message) => (message.type === "tool_call" ? place.get(message.id)! : 0);
  const batches: Message[][] = [];
  for (const [at, message] of messages.entries()) {
    const before = messages[at - 1];
    if (before && isMade(before) && isMade(message)) batches.at(-1)!.push(message);
    else batches.push([message]);
  }
  return batches.flatMap((batch) => batch.toSorted((one, other) => placeOf(one) - placeOf(other)));
}

/** The body of a request with the results behind each response in the order of its calls. */
export function bodyInOrderOfCalls<Body>(body: Body, provider: ProviderName): Body {
  const { conversation, items, ...places } = codecs[provider].leeway;
  const list = (body as Fields | undefined)?.[conversation];
  if (!Array.isArray(list)) return body;
  const entries = list as Fields[];
  return { ...body, [conversation]: items ? itemsInOrder(entries, items, places) : ordered(entries, places) };
}

/** Results are items there, in the entry behind that of their calls. */
function itemsInOrder(entries: readonly Fields[], items: string, places: Places<Fields>): Fields[] {
  return entries.map((entry, at) => {
    const before = entries[at - 1]?.[items];
    const own = entry[items];
    if (!Array.isArray(before) || !Array.isArray(own)) return entry;
    return { ...entry, [items]: ordered([...before, ...own] as Fields[], places).slice(before.length) };
  });
}

function ordered<Item>(items: readonly Item[], { callsOf, answeredBy }: Places<Item>): Item[] {
  const done: Item[] = [];
  let calls: unknown[] = [];
  let results: Item[] = [];
  const answer = () => {
    done.push(...sorted(results, calls, answeredBy));
    results = [];
  };
  for (const item of items) {
    if (answeredBy(item) !== undefined) {
      results.push(item);
      continue;
    }
    if (results.length > 0) {
      answer();
      calls = [];
    }
    calls.push(...callsOf(item));
    done.push(item);
  }
  answer();
  return done;
}

/** Each call takes the first result under its id that no call before it has taken. */
function sorted<Item>(
  results: readonly Item[],
  calls: readonly unknown[],
  answeredBy: (item: Item) => unknown,
): Item[] {
  const left = [...results];
  const taken = calls.flatMap((id) => {
    const at = left.findIndex((result) => answeredBy(result) === id);
    return at < 0 ? [] : left.splice(at, 1);
  });
  return [...taken, ...left];
}
