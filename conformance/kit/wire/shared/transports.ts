// The two transports that most providers have: one JSON body, and server-sent events. The field `stream` of a request chooses.

import type { Transport, WireResponse, Write } from "../codec.ts";
import { eventsOfText, eventText, type AnswerTransport, type Framing } from "../transport.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const serverSent: Framing = {
  write: (event) => Buffer.from(eventText(event)),
  read(bytes) {
    try {
      return eventsOfText(utf8.decode(bytes));
    } catch {
      return undefined;
    }
  },
};

/** One JSON body. */
export const json: AnswerTransport = {
  name: "json",
  contentType: "application/json",
  isAskedFor: ({ stream }) => stream !== true,
};

/** A stream of server-sent events. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const sse: AnswerTransport = {
  name: "sse",
  contentType: "text/event-stream",
  headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  isAskedFor: ({ stream }) => stream === true,
  framing: serverSent,
};

/** An answer over a transport. `headers` are those that it has beside the transport's own. */
export function answerOver(
  { contentType, headers: own, framing }: AnswerTransport,
  writes: Write[],
  headers: Record<string, string> = {},
): WireResponse {
  return {
    status: 200,
    headers: { "content-type": contentType, ...own, ...headers },
    writes,
    // What a codec writes is the text of server-sent events already.
    ...(framing && framing !== serverSent && { framing }),
  };
}

/** The transport of this name. @throws Error if the provider has none */
export function transportNamed(transports: readonly AnswerTransport[], name: Transport): AnswerTransport {
  const found = transports.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new Error(`expected one of the transports ${transports.map((one) => one.name).join(", ")}, got ${name}`);
}
