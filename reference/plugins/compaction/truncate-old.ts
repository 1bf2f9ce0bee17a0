// Strategy truncate_old: cuts thinking and arguments of old responses; texts, results and errors stay unchanged.

import type { Message } from "../../../schemas/types.ts";
import { isCompacted, isSealed } from "./responses.ts";
import { PREVIEW_CHARS, shortCall, shortThinking } from "./shorten.ts";
import type { CompactionStrategy } from "./strategy.ts";

/** @see COMPACT-13 */
export const truncateOld: CompactionStrategy = {
  name: "truncate_old",
  compact({ messages, keepFrom }) {
    const old = messages.slice(0, keepFrom);
    const shorter = old.map(shortened);
    const from = shorter.findIndex((message, at) => message !== old[at]);
    if (from < 0) return undefined;
    const to = shorter.findLastIndex((message, at) => message !== old[at]) + 1;
    return { from, to, messages: shorter.slice(from, to) };
  },
};

/** The message itself if there is nothing to shorten. */
function shortened(message: Message): Message {
  if (isCompacted(message)) return message; // [COMPACT-12]
  if (message.type === "thinking" && message.content.length > PREVIEW_CHARS && !isSealed(message as never))
    return shortThinking(message as never);
  if (message.type !== "tool_call" || !message.input) return message;
  return JSON.stringify(message.input).length > PREVIEW_CHARS ? shortCall(message as never) : message;
}
