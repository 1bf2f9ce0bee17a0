// What a relay writes into what it hands over. No loop knows it, and none may lose it.

import type { Message } from "../../../schemas/types.ts";

/** The field of a session and of its messages. @see SESSION-2 */
export const mark = "handed_over";
/** The field and the counter of a snapshot. @see LOOP-107 */
export const extension = "com.example.handed_over";

/** Whether a session or a message has the mark. */
export function isMarked(value: object): boolean {
  return mark in value;
}

/** Without the marks of the relay. */
export function withoutMarks<Carrier extends { messages: Message[] }>(carrier: Carrier): Carrier {
  const { [mark]: _, ...rest } = carrier as Carrier & { [mark]?: unknown };
  return { ...rest, messages: carrier.messages.map(withoutMark) } as unknown as Carrier;
}

/** A message without the mark of the relay. */
export function withoutMark(message: Message): Message {
  const { [mark]: _, ...rest } = message as Message & { [mark]?: unknown };
  return rest as Message;
}

/** What a driver says of a run, in which messages may have marks, without them. */
export function unmarkedParams<Params extends object>(params: Params): Params {
  return JSON.parse(JSON.stringify(params, (key, value: unknown) => (key === mark ? undefined : value))) as Params;
}
