// How the answers of a provider travel: as one JSON body, or as a stream of events in some framing. Types, and what is the same for all.

import { isObject, type JsonObject } from "./shared/json.ts";
import type { TransportName } from "../../../schemas/types.ts";

/** One event of a stream. */
export interface SentEvent {
  event?: string;
  /** As it was sent; mostly JSON. */
  data: string;
}

/** How events are put into bytes. */
export interface Framing {
  /** The bytes of one event. */
  write(event: SentEvent): Uint8Array;
  /** The events of bytes that end where an event ends; undefined where something is left over, or is no event. */
  read(bytes: Uint8Array): SentEvent[] | undefined;
}

/** One way in which a provider answers, declared in the `transports.ts` of its folder. */
export interface AnswerTransport {
  /** `json` is one JSON body, and the only one that is no stream. */
  readonly name: TransportName;
  /** The media type of an answer, without parameters. Transports of one name have the same. */
  readonly contentType: string;
  /** Headers of an answer beside that of its type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a request asks for it: its body, with the fields that are in its path. */
  isAskedFor(body: JsonObject): boolean;
  /** How the events of the stream are framed; absent for `json` alone. */
  readonly framing?: Framing;
}

/** Whether an answer is sent in pieces. */
export function isStreamed(transport: TransportName): boolean {
  return transport !== "json";
}

/** The transport that a request asks for: `json` where it asks for none of the others. `body` has the fields that are in its path. */
export function transportAskedFor(transports: readonly AnswerTransport[], body: unknown): TransportName {
  const streamed = isObject(body) ? transports.find((one) => isStreamed(one.name) && one.isAskedFor(body)) : undefined;
  return streamed?.name ?? "json";
}

/** The transport by which a provider streams; undefined if it has none. */
export function streamOf(transports: readonly AnswerTransport[]): AnswerTransport | undefined {
  return transports.find(({ name }) => isStreamed(name));
}

/**
 * The bytes of one write of an answer. A codec writes each event as the text of a server-sent event, whatever the transport: so
 * it can be read, searched and cut in one way. Only here it gets its frame.
 */
export function bytesOf(
  { text, bytes }: { text: string; bytes?: Uint8Array },
  { framing }: { framing?: Framing | undefined },
): Uint8Array {
  if (bytes !== undefined) return bytes;
  if (framing === undefined) return Buffer.from(text);
  return Buffer.concat(eventsIn(text).map((event) => framing.write(event)));
}

/** The text of an event as a server-sent one. */
export function eventText({ event, data }: SentEvent): string {
  const lines = data.split("\n").map((line) => `data: ${line}\n`);
  return `${event === undefined ? "" : `event: ${event}\n`}${lines.join("")}\n`;
}

/** The events of a text in which each is written as `eventText` writes it; undefined where something is written otherwise. */
export function eventsOfText(text: string): SentEvent[] | undefined {
  if (text === "") return [];
  if (!text.endsWith("\n\n")) return undefined;
  const events = text
    .slice(0, -2)
    .split("\n\n")
    .map((block) => eventOf(block));
  return events.every((event) => event !== undefined) ? events : undefined;
}

function eventOf(block: string): SentEvent | undefined {
  const lines = block.split("\n");
  const name = lines[0]!.startsWith("event: ") ? lines.shift()!.slice("event: ".length) : undefined;
  if (lines.length === 0 || !lines.every((line) => line.startsWith("data: "))) return undefined;
  const data = lines.map((line) => line.slice("data: ".length)).join("\n");
  return { ...(name !== undefined && { event: name }), data };
}

/** @throws Error for what no codec writes */
function eventsIn(text: string): SentEvent[] {
  const events = eventsOfText(text);
  if (events === undefined)
    throw new Error(`expected whole events, each as "data: …" and a blank line, to put into frames, got ${text}`);
  return events;
}
