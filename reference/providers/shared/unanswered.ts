// Leaves out the calls of a server's tools that never got a result: with them a provider refuses every later request.

import type { Message } from "../../../schemas/types.ts";
import type { WarnedLoss, WarnOfLoss } from "./losses.ts";
import type { Fields } from "./parts.ts";

/** How a provider names such calls: the id of a call that waits for a result, and the id of the call that an item answers. */
export interface ServerCalls {
  provider: string;
  called(item: Fields): unknown;
  answered(item: Fields): unknown;
}

/**
 * The messages without calls of the server that nothing answers. One that no user message follows may still get its result: the
 * response was paused, or waits for results of the loop.
 * @see PROVIDER-44
 */
export function withoutUnanswered(
  messages: Message[],
  { provider, called, answered }: ServerCalls,
  loss: WarnedLoss,
  warn: WarnOfLoss,
): Message[] {
  const itemOf = (message: Message) =>
    message.type === "provider_item" && message.provider === provider ? message.item : undefined;
  const results = new Set<unknown>();
  let hasCalls = false;
  for (const message of messages) {
    const item = itemOf(message);
    if (!item) continue;
    hasCalls ||= called(item) !== undefined;
    results.add(answered(item));
  }
  if (!hasCalls) return messages;
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages.filter((message, at) => {
    const item = at < last ? itemOf(message) : undefined;
    const id = item && called(item);
    const isOpen = id !== undefined && !results.has(id);
    if (isOpen) warn(loss, `the call ${String(id)} of the server's own tool was left out: it has no result`);
    return !isOpen;
  });
}
