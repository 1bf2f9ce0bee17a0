// The order of several calls and of the results behind them, which every provider takes in any: here they stand in the order in which the model called.

import type { Message } from "../../../schemas/types.ts";
import type { ProviderName } from "../wire/codec.ts";

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
  const key = provider === "openai-responses" ? "input" : "messages";
  const list = (body as Fields | undefined)?.[key];
  if (!Array.isArray(list)) return body;
  const items = list as Fields[];
  return { ...body, [key]: provider === "anthropic-messages" ? blocksInOrder(items) : ordered(items, openAI) };
}

/** Results are blocks there, in the message behind that of their calls. */
function blocksInOrder(messages: readonly Fields[]): Fields[] {
  return messages.map((message, at) => {
    const before = messages[at - 1]?.["content"];
    const { content } = message;
    if (!Array.isArray(before) || !Array.isArray(content)) return message;
    return { ...message, content: ordered([...before, ...content] as Fields[], anthropic).slice(before.length) };
  });
}

const anthropic: Places<Fields> = {
  callsOf: ({ type, id }) => (type === "tool_use" ? [id] : []),
  answeredBy: ({ type, tool_use_id: id }) => (type === "tool_result" ? id : undefined),
};

const openAI: Places<Fields> = {
  callsOf: ({ tool_calls: calls, type, call_id: id }) => {
    if (Array.isArray(calls)) return (calls as Fields[]).map((call) => call["id"]);
    return type === "function_call" || type === "custom_tool_call" ? [id] : [];
  },
  answeredBy: ({ role, tool_call_id: answered, type, call_id: id }) => {
    if (role === "tool") return answered;
    return String(type).endsWith("_call_output") ? id : undefined;
  },
};

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
