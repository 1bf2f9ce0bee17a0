// A response as stream events.

import type { StreamEvent } from "../core/ports.ts";
import type { Message } from "../../schemas/types.ts";

/** A message with a delta appended. */
export function grown(message: Message, delta: string): Message {
  if (message.type === "tool_call") {
    return { ...message, input: null, raw_input: (message.raw_input ?? "") + delta } as Message;
  }
  return { ...message, content: String((message as { content: unknown }).content) + delta } as Message;
}

/** The stream events of messages, in deltas of `size` characters. */
export function piecesOf(messages: Message[], size: number, interleaved: boolean): StreamEvent[] {
  const lanes = messages.map((message, index): StreamEvent[] => {
    const isCall = message.type === "tool_call";
    const written = isCall
      ? (((message.raw_input as string | undefined) ?? JSON.stringify(message.input)) as string)
      : "content" in message && typeof message.content === "string"
        ? message.content
        : "";
    const empty = (isCall ? { ...message, input: null, raw_input: "" } : { ...message, content: "" }) as Message;
    const pieces = written.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
    return [
      { type: "message_start", index, message: empty },
      ...pieces.map((delta): StreamEvent => ({ type: "message_delta", index, delta })),
      { type: "message_end", index, message },
    ];
  });
  if (!interleaved) return lanes.flat();
  const mixed: StreamEvent[] = [];
  while (lanes.some((lane) => lane.length > 0)) for (const lane of lanes) mixed.push(...lane.splice(0, 1));
  return mixed;
}
