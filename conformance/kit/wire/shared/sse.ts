// Writes events as a model provider does, one event in one write, each as the text of a server-sent event.

import type { Write } from "../codec.ts";

/** An event with a name, as Anthropic sends them. */
export function namedEvent(data: { type: string; [field: string]: unknown }): Write {
  return { text: `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n` };
}

/** An event without a name, as OpenAI sends them. */
export function dataEvent(data: unknown): Write {
  return { text: `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n` };
}

/** Cuts a text into up to three pieces, never inside a character. An empty text has no pieces. */
export function piecesOf(text: string): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / 3));
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size) {
    pieces.push(characters.slice(start, start + size).join(""));
  }
  return pieces;
}

/** Marks the last write as the one that completes a part. */
export function completing(writes: Write[], part: number): Write[] {
  return writes.map((write, at) => (at === writes.length - 1 ? { ...write, completes_part: part } : write));
}

export const jsonHeaders = { "content-type": "application/json" };
