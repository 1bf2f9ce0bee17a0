// Calls of a server's own tools that nothing answers: what of a session must not go back once a missing result stays missing.

import type { Message } from "../../../../schemas/types.ts";

type Item = Record<string, unknown>;

/**
 * The messages without them.
 * @param called the id of a call that waits for a result, if the item is one
 * @param answered the id of the call that an item answers, if it answers one
 * @param isOver whether a call is over when it is reported: a result that is missing stays missing
 * @see PROVIDER-44 RESPONSES-41
 */
export function withoutOpenServerCalls(
  messages: Message[],
  called: (item: Item) => unknown,
  answered: (item: Item) => unknown,
  isOver: (item: Item) => boolean = () => false,
): Message[] {
  const items = messages.flatMap((message) => (message.type === "provider_item" ? [message.item] : []));
  const results = new Set(items.map(answered));
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages.filter((message, at) => {
    if (message.type !== "provider_item" || (at > last && !isOver(message.item))) return true;
    const id = called(message.item);
    return id === undefined || results.has(id);
  });
}
