// Cuts a rendered answer where a case has the connection lost.

import type { ProviderName, WireResponse, Write } from "./codec.ts";

/** Where a rendered answer is cut. */
export type Cut = "mid_stream" | "before_end";

/** The event with which the ending of a stream begins. */
const endings: Record<ProviderName, RegExp> = {
  "anthropic-messages": /^event: message_stop$/m,
  "openai-chat": /"finish_reason":"|^data: \[DONE\]$/m,
  "openai-responses": /"type":"response\.(completed|incomplete|failed)"/,
};

/**
 * The part of the answer that is sent before the connection is lost: up to its first part or its ending in a stream, up to its middle
 * or its last character in a body.
 */
export function cutAnswer(answer: WireResponse, cut: Cut, provider: ProviderName): WireResponse {
  const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") ?? false;
  const writes = isStream ? cutStream(answer.writes, cut, provider) : cutBody(answer.writes, cut);
  return { ...answer, writes, reset: true };
}

function cutStream(writes: readonly Write[], cut: Cut, provider: ProviderName): Write[] {
  if (cut === "before_end") {
    const ending = writes.findIndex(({ text }) => endings[provider].test(text));
    return writes.slice(0, ending < 0 ? writes.length : ending);
  }
  const first = writes.findIndex(({ completes_part }) => completes_part !== undefined);
  return writes.slice(0, first < 0 ? Math.ceil(writes.length / 2) : first + 1);
}

function cutBody(writes: readonly Write[], cut: Cut): Write[] {
  const text = writes.map((write) => write.text).join("");
  return [{ text: text.slice(0, cut === "before_end" ? -1 : Math.ceil(text.length / 2)) }];
}
