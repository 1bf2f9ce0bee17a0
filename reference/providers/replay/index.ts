// A provider that answers from a fixture: the same every time, without a network, an SDK or a key.

import { failedResponse } from "../shared/http-error.ts";
import { providers } from "../registry.ts";
import { receive } from "../shared/receive.ts";
import type { Codec, Framing, SentEvent } from "../shared/receive.ts";
import type { Provider } from "../../core/ports.ts";
import type {
  Exchange,
  Fixture,
  FixtureEvent,
  FixtureResponse,
  FixtureWrite,
  ModelResponse,
} from "../../../schemas/types.ts";

const codecs = Object.values(providers).map(({ codec }) => codec);

/**
 * Answers each model call with the next exchange of a fixture, read as the adapter of its provider reads it. What was asked is
 * not compared; `tapeProvider` of `agent-loop-spec/replay` does that. The times in the fixture are not waited for. A response that
 * was cut off is an interrupted one, and a call after the last exchange a response with an error.
 */
export function replay(fixture: Fixture): Provider {
  let used = 0;
  return {
    name: "replay",
    async invokeModel(request, call) {
      const exchange = fixture.exchanges[used];
      if (!exchange) {
        const count = fixture.exchanges.length;
        return refused(
          `the fixture has ${count} exchanges and all are used; the run made one call more. Record it again`,
        );
      }
      used += 1;
      const codec = codecs.find(({ provider }) => provider === exchange.provider);
      if (!codec) {
        const known = codecs.map(({ provider }) => provider).join(" or ");
        return refused(`exchange ${used} of the fixture is of ${exchange.provider ?? "no provider"}, not of ${known}`);
      }
      return receive(toHttp(exchange.response, codec), codec, request.model ?? modelOf(exchange), call);
    },
  };
}

function refused(message: string): ModelResponse {
  return failedResponse({ kind: "configuration", message, provider: "replay" });
}

function modelOf({ request }: Exchange): string {
  const body = request?.body as { model?: unknown } | null | undefined;
  return typeof body?.model === "string" ? body.model : "replay";
}

/** The HTTP answer that a fixture describes, with the content type of its kind where it names none. */
function toHttp(response: FixtureResponse, { framing }: Codec): Response {
  const { status, headers, cut } = response;
  const [type, pieces] = piecesOf(response, framing);
  return new Response(streamOf(pieces, cut !== undefined), { status, headers: { "content-type": type, ...headers } });
}

/** What is written, piece by piece. */
function piecesOf(
  { body, text, events, writes }: FixtureResponse,
  framing: Framing | undefined,
): [type: string, pieces: Uint8Array[]] {
  const streamType = framing?.contentType ?? "text/event-stream";
  if (events) return [streamType, joined(events, framing)];
  if (writes) return [streamType, writes.map(writeBytes)];
  if (text !== undefined) return ["text/plain", [encoded(text)]];
  return ["application/json", [encoded(JSON.stringify(body))]];
}

/** The bytes of events; those that were sent in one write are one piece. */
function joined(events: FixtureEvent[], framing: Framing | undefined): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (const { event, data, joined: isJoined } of events) {
    const sent = { event, data: typeof data === "string" ? data : JSON.stringify(data) };
    const bytes = framing ? framing.write(sent) : encoded(serverSent(sent));
    pieces.push(isJoined && pieces.length > 0 ? concatenated(pieces.pop()!, bytes) : bytes);
  }
  return pieces;
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function serverSent({ event, data }: SentEvent): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  const lines = data.split("\n").map((line) => `data: ${line}\n`);
  return `${name}${lines.join("")}\n`;
}

function writeBytes({ text, base64 }: FixtureWrite): Uint8Array {
  return text === undefined ? Uint8Array.from(atob(base64 ?? ""), (char) => char.charCodeAt(0)) : encoded(text);
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A stream that ends after its pieces, or breaks off there. */
function streamOf(pieces: Uint8Array[], isCut: boolean): ReadableStream<Uint8Array> {
  const left = pieces.values();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = left.next();
      if (!done) controller.enqueue(value);
      else if (isCut) controller.error(new TypeError("the recorded response was cut off here"));
      else controller.close();
    },
  });
}
