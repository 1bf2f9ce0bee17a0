// Reads a stream as a network may give it: cut at any byte, or lost there.

import type { StreamEvent } from "../core/ports.ts";
import { receive, type Codec } from "../providers/shared/receive.ts";
import type { ModelResponse } from "../../schemas/types.ts";

/** What was read, and what was reported of it meanwhile. */
export interface CutReading {
  response: ModelResponse;
  /** The texts, thoughts and arguments that were reported, message by message, and how each message ended. */
  reported: string;
}

/** Reads the pieces of a stream. `lost`: the connection breaks after the last one. */
export async function readPieces(
  codec: Codec,
  model: string,
  pieces: readonly Uint8Array[],
  lost = false,
): Promise<CutReading> {
  const left = pieces.filter(({ length }) => length > 0);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(next);
      else if (lost) controller.error(new TypeError("the connection was lost"));
      else controller.close();
    },
  });
  const events: StreamEvent[] = [];
  const call = {
    signal: new AbortController().signal,
    onStream: (event: StreamEvent) => void events.push(event),
    warn() {},
  };
  const headers = { "content-type": "text/event-stream" };
  const response = await receive(new Response(body, { headers }), codec, model, call);
  return { response, reported: reportedIn(events) };
}

/** The stream in two pieces, cut after so many bytes. */
export function cutAt(bytes: Uint8Array, at: number): Uint8Array[] {
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

/** Deltas are joined: where they are cut is no matter of what is said. */
function reportedIn(events: readonly StreamEvent[]): string {
  const messages = new Map<number, { deltas: string; ended?: unknown }>();
  for (const event of events) {
    if (!("index" in event)) continue;
    const message = messages.get(event.index) ?? { deltas: "" };
    messages.set(event.index, message);
    if (event.type === "message_delta") message.deltas += event.delta;
    if (event.type === "message_end") message.ended = event.message;
  }
  return JSON.stringify([...messages]);
}
