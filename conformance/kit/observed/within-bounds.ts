// What the bounds of a run make of a response: unreadable arguments, or a failure that only the case describes.

import type { Case, Message } from "../../../schemas/types.ts";

/** The defaults of `spec/bounds.json` that a message can go beyond. */
const defaults = { depth: 128, calls: 1000 };

/**
 * The messages as the loop has to take them; undefined where the whole response goes beyond a bound. How many bytes an answer has
 * is not known here: where a case bounds them, it says what becomes of the answer.
 * @see LOOP-97 LOOP-99 LOOP-98 PROVIDER-43
 */
export function withinBounds(messages: Message[], { features = [], given }: Case): Message[] | undefined {
  if (!features.includes("bounds")) return messages;
  const { depth, calls, line_bytes, body_bytes } = { ...defaults, ...given.options?.bounds };
  if (line_bytes !== undefined || body_bytes !== undefined) return undefined;
  if (messages.filter(({ type }) => type === "tool_call").length > calls) return undefined;
  const readable = messages.map((message) =>
    message.type === "tool_call" && depthOf(message.input) > depth
      ? { ...message, input: null, raw_input: JSON.stringify(message.input) }
      : message,
  );
  return readable.some((message) => Object.values(message).some((field) => depthOf(field) > depth))
    ? undefined
    : readable;
}

/** How many objects and lists stand inside one another. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
