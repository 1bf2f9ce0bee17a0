// The transports of all providers by the type of their answers: how a recorded or scripted answer is known for a stream.

import type { Transport } from "./codec.ts";
import { isStreamed, type AnswerTransport, type Framing } from "./transport.ts";
import { transportsOf } from "./transports.ts";

const all: readonly AnswerTransport[] = Object.values(transportsOf).flat();
const streams = all.filter(({ name }) => isStreamed(name));

/** Whether the type of an answer, with or without parameters, is that of a stream. */
export function isStreamType(type: string | undefined): boolean {
  return streamOfType(type) !== undefined;
}

/** The transport whose streams have the type of an answer, with or without parameters. */
export function streamOfType(type: string | undefined): AnswerTransport | undefined {
  const [bare = ""] = (type ?? "").split(";", 1);
  return streams.find(({ contentType }) => contentType === bare.trim().toLowerCase());
}

/** The type of the answers of a transport. */
export function typeOf(transport: Transport): string {
  return all.find(({ name }) => name === transport)!.contentType;
}

/** How the events of a stream of this type are framed. */
export function framingOf(type: string | undefined): Framing | undefined {
  return streamOfType(type)?.framing;
}
