// Leaves out the calls of a server's tools that never got a result: with them a provider refuses every later request.

import type { Message } from "../../../schemas/types.ts";
import type { WarnedLoss, WarnOfLoss } from "./losses.ts";
import type { Fields } from "./parts.ts";

/** How a provider names such calls. */
export interface ServerCalls {
  provider: string;
  /** The id of a call that needs a result, if the item is one. */
  called(item: Fields): unknown;
  /** The id of the call that an item answers. */
  answered(item: Fields): unknown;
  /** Whether a call is over when it is reported: a result that is missing stays missing. Absent: none is. */
  isOver?(item: Fields): boolean;
}

/**
 * The messages without calls of the server that nothing answers. One that is not over, and that no user message follows, may still
 * get its result: the response was paused, or waits for results of the loop.
 * @see PROVIDER-44 RESPONSES-41
 */
export function withoutUnanswered(
  messages: Message[],
  { provider, called, answered, isOver = () => false }: ServerCalls,
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
    const item = itemOf(message);
    const id = item && (at < last || isOver(item)) ? called(item) : undefined;
    const isOpen = id !== undefined && !results.has(id);
    if (isOpen) warn(loss, `the call ${String(id)} of the server's own tool was left out: it has no result`);
    return !isOpen;
  });
}
