// Cuts a rendered answer where a case has the connection lost.

import type { ProviderCodec, WireResponse, Write } from "./codec.ts";
import { isStreamType } from "./transports-by-type.ts";

/** Where a rendered answer is cut. */
export type Cut = "mid_stream" | "before_end";

/**
 * The part of the answer that is sent before the connection is lost: up to its first part or its ending in a stream, up to its middle
 * or its last character in a body.
 */
export function cutAnswer(answer: WireResponse, cut: Cut, codec: ProviderCodec): WireResponse {
  const isStream = isStreamType(answer.headers["content-type"]);
  const writes = isStream ? cutStream(answer.writes, cut, codec) : cutBody(answer.writes, cut);
  return { ...answer, writes, reset: true };
}

function cutStream(writes: readonly Write[], cut: Cut, codec: ProviderCodec): Write[] {
  if (cut === "before_end") {
    const ending = writes.findIndex(({ text }) => codec.traffic.ending.test(text));
    return writes.slice(0, ending < 0 ? writes.length : ending);
  }
  const first = writes.findIndex(({ completes_part }) => completes_part !== undefined);
  return writes.slice(0, first < 0 ? Math.ceil(writes.length / 2) : first + 1);
}

function cutBody(writes: readonly Write[], cut: Cut): Write[] {
  const text = writes.map((write) => write.text).join("");
  return [{ text: text.slice(0, cut === "before_end" ? -1 : Math.ceil(text.length / 2)) }];
}
