// What a message says, as a text that is equal for equal messages, without what providers and clients hang onto it.

import type { Message } from "../../../schemas/types.ts";

/** Those that were made already: every request of a conversation is held against all before it. */
const made = new WeakMap<Message, string>();

/** Two messages with one essence say the same. A message must not be changed once its essence was taken. */
export function essence(message: Message): string {
  const known = made.get(message) ?? makeEssence(message);
  made.set(message, known);
  return known;
}

function makeEssence(message: Message): string {
  switch (message.type) {
    case "thinking":
      return JSON.stringify(["thinking", message.content]);
    case "tool_call":
      return JSON.stringify(["call", message.id, message.name, sorted(message.input ?? message.raw_input)]);
    case "tool_result":
      return JSON.stringify(["result", message.id, sorted(message.output)]);
    case "provider_item":
      return JSON.stringify(["item", sorted(message.item)]);
    default:
      return JSON.stringify([message.role, sorted(message.content)]);
  }
}

/** The value with the keys of its objects in one order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
