// A fixture's response as the bytes that a server sends, and back: nothing that was on the wire is lost on the way.

import type { FixtureEvent, FixtureResponse, FixtureWrite } from "../../../schemas/types.ts";
import type { WireResponse, Write } from "./codec.ts";
import { jsonText, readLaidOut } from "../base/json-layout.ts";
import { isTooDeep } from "../base/nesting.ts";
import { bytesOf, eventText as serverSentText } from "./transport.ts";
import type { Framing, SentEvent } from "./transport.ts";
import { framingOf } from "./transports-by-type.ts";

const eventStream = "text/event-stream";

/** A piece of a body as it arrived, and when, in milliseconds after the response began. */
export interface Chunk {
  bytes: Uint8Array;
  at_ms?: number;
}

/** What was received: a status, headers in lower case, and the body in the pieces in which it arrived. */
export interface Received {
  status: number;
  headers: Record<string, string>;
  chunks: Chunk[];
  cut?: FixtureResponse["cut"];
}

/** A write of a response, and when it is due, in milliseconds after the response began. */
export interface TimedWrite extends Write {
  at_ms?: number;
}

/** What a server sends for a response of a fixture. Events that were `joined` are one write. */
export interface FixtureAnswer extends WireResponse {
  writes: TimedWrite[];
}

/** A write as a fixture has it: a text, or bytes. */
export function fixtureWrite({ text, base64, at_ms }: FixtureWrite): TimedWrite {
  const due = at_ms === undefined ? {} : { at_ms };
  if (text !== undefined) return { text, ...due };
  const bytes = Buffer.from(base64 ?? "", "base64");
  return { text: bytes.toString("utf8"), bytes, ...due };
}

/** An event as it is written in a stream of server-sent events. */
export function eventText(event: FixtureEvent): string {
  return serverSentText(sentEvent(event));
}

function sentEvent({ event, data }: FixtureEvent): SentEvent {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return { ...(event !== undefined && { event }), data: text };
}

/** The answer that a fixture's response describes, with the content type of its kind where it names none. */
export function fixtureAnswer({
  status,
  headers = {},
  body,
  layout,
  text,
  events,
  writes,
  cut,
}: FixtureResponse): FixtureAnswer {
  const answer = (type: string | undefined, sent: TimedWrite[]): FixtureAnswer => ({
    status,
    headers: type === undefined ? headers : { "content-type": type, ...headers },
    writes: sent,
    ...(cut !== undefined && { reset: true }),
  });
  if (events) return answer(eventStream, joinedWrites(events, headers["content-type"]));
  if (writes) return answer(undefined, writes.map(fixtureWrite));
  if (text !== undefined) return answer("text/plain", [{ text }]);
  return body === undefined ? answer(undefined, []) : answer("application/json", [{ text: jsonText(body, layout) }]);
}

function joinedWrites(events: FixtureEvent[], type = eventStream): TimedWrite[] {
  const writes: TimedWrite[] = [];
  for (const event of events) {
    const text = eventText(event);
    const last = writes.at(-1);
    if (event.joined && last) last.text += text;
    else writes.push({ text, ...(event.at_ms !== undefined && { at_ms: event.at_ms }) });
  }
  const framing = framingOf(type);
  const isText = framing === undefined || type.startsWith(eventStream);
  return isText ? writes : writes.map((write) => ({ ...write, bytes: bytesOf(write, { framing }) }));
}

/**
 * The response of a fixture for what was received, in the most readable form that loses nothing: `body` if the text is JSON
 * that is written again to the last byte in its layout; `events` if serializing them gives the same bytes in the same
 * pieces; `text` for a text that arrived whole; `writes` for everything else.
 */
export function fixtureResponse({ status, headers, chunks, cut }: Received): FixtureResponse {
  const head = { status, ...(Object.keys(headers).length > 0 && { headers }), ...(cut !== undefined && { cut }) };
  const framing = framingOf(headers["content-type"]);
  if (framing) {
    const events = eventsOf(chunks, framing);
    return events === undefined ? { ...head, writes: chunks.map(toWrite) } : { ...head, events };
  }
  const text = cut === undefined ? textOf(Buffer.concat(chunks.map(({ bytes }) => bytes))) : undefined;
  if (text === undefined) return { ...head, writes: chunks.map(toWrite) };
  const read = readLaidOut(text);
  if (read === undefined) return { ...head, text };
  return { ...head, body: read.value, ...(read.layout && { layout: read.layout }) };
}

/** The bytes decoded as UTF-8, or nothing if they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function toWrite({ bytes, at_ms }: Chunk): FixtureWrite {
  const text = textOf(bytes);
  const due = at_ms === undefined ? {} : { at_ms };
  return text === undefined ? { base64: Buffer.from(bytes).toString("base64"), ...due } : { text, ...due };
}

/** The events of a stream, or nothing if a piece does not end with an event, or an event would be written differently. */
function eventsOf(chunks: Chunk[], framing: Framing): FixtureEvent[] | undefined {
  const events: FixtureEvent[] = [];
  for (const { bytes, at_ms } of chunks) {
    const sent = framing.read(bytes) ?? [];
    const again = Buffer.concat(sent.map((event) => framing.write(event)));
    if (sent.length === 0 || !again.equals(bytes)) return undefined;
    for (const [at, { event, data }] of sent.entries()) {
      const name = event === undefined ? {} : { event };
      const due = at_ms === undefined ? {} : { at_ms };
      events.push({ ...name, data: jsonOr(data), ...due, ...(at > 0 && { joined: true as const }) });
    }
  }
  return events;
}

/** The parsed JSON, if it serializes to the same text; otherwise the text. */
function jsonOr(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value !== "string" && !isTooDeep(value) && JSON.stringify(value) === data ? value : data;
  } catch {
    return data;
  }
}
