// Reads an HTTP answer, whole or as a stream of server-sent events, with the codec of a provider.

import { createParser } from "eventsource-parser";
import { failedResponse, interruption, providerError, unreadable } from "./http-error.ts";
import type { ModelCall, StreamEvent } from "../../core/ports.ts";
import type { ModelResponse } from "../../../schemas/types.ts";

/** One server-sent event. `data` is the text that was sent. */
export interface SentEvent {
  event?: string | undefined;
  data: string;
}

/** Puts a response together from the events of a stream. */
export interface Reader {
  /** Takes the next event. False: the response is complete or has failed, and nothing more is needed. */
  push(event: SentEvent): boolean;
  /** Ends the stream. `lost` says why it ended if it did not end by itself. The response is final. */
  end(lost?: string): ModelResponse;
}

/** How a provider's answers are read: pure functions, without HTTP. */
export interface Codec {
  readonly provider: string;
  /** Reads a whole answer: a JSON value, or its text. `model` is the one that was asked. */
  parseResponse(body: unknown, model: string): ModelResponse;
  /** Reads a stream. `onStream` receives the messages while they grow. */
  createReader(model: string, onStream?: (event: StreamEvent) => void): Reader;
}

/**
 * Reads an answer by what it is, not by what was asked for: JSON where the content type says so, an error page as such, all
 * else as a stream. Never throws.
 * @see PROVIDER-14 PROVIDER-22 PROVIDER-24
 */
export async function receive(
  response: Response,
  codec: Codec,
  model: string,
  call: ModelCall,
): Promise<ModelResponse> {
  const { provider } = codec;
  const type = response.headers.get("content-type") ?? "";
  const streamed = response.ok && !/\b(json|html)\b/i.test(type);
  if (streamed) return readStream(response, codec, model, call);
  let text: string;
  try {
    text = await response.text();
  } catch (thrown) {
    const reason = call.signal.aborted ? "the call was aborted" : `the connection broke: ${String(thrown)}`;
    return failedResponse(interruption(provider, reason));
  }
  if (!response.ok) {
    return failedResponse(providerError(provider, { status: response.status, headers: response.headers, body: text }));
  }
  if (/\bhtml\b/i.test(type)) return failedResponse(unreadable(provider, "JSON or a stream", text));
  return codec.parseResponse(text, model);
}

async function readStream(response: Response, codec: Codec, model: string, call: ModelCall): Promise<ModelResponse> {
  const reader = codec.createReader(model, call.onStream);
  const body = response.body?.getReader();
  if (!body) return reader.end("it has no body");
  let aborted = call.signal.aborted;
  const abort = () => {
    aborted = true;
    void body.cancel().catch(() => undefined);
  };
  call.signal.addEventListener("abort", abort, { once: true });
  const feed = createFeed(reader);
  try {
    for (;;) {
      const { done, value } = await body.read();
      if (aborted) return reader.end("the call was aborted");
      if (!done && feed.push(value)) continue;
      const other = feed.otherText();
      return other === undefined ? feed.end() : codec.parseResponse(other, model);
    }
  } catch (thrown) {
    return reader.end(aborted ? "the call was aborted" : `the connection broke: ${String(thrown)}`);
  } finally {
    call.signal.removeEventListener("abort", abort);
    if (aborted) abort();
    else drain(body);
  }
}

/** How long the rest of a stream is waited for, in milliseconds. */
const LONGEST_REST = 1000;

/** Reads what is left when nothing more is needed: only a connection whose answer was read to its end is used again. */
function drain(body: ReadableStreamDefaultReader<Uint8Array>): void {
  const timer: unknown = setTimeout(() => void body.cancel().catch(() => undefined), LONGEST_REST);
  (timer as { unref?(): void }).unref?.();
  const read = async (): Promise<void> => {
    while (!(await body.read()).done);
  };
  read()
    .catch(() => undefined)
    .finally(() => clearTimeout(timer as number));
}

/** What turns the bytes of a stream into events of a reader. */
export interface Feed {
  /** Takes the next bytes, cut anywhere. False: nothing more is needed. */
  push(bytes: Uint8Array): boolean;
  /** What came, if it is text but nothing of it is a stream of events. */
  otherText(): string | undefined;
  /** Ends the stream: what is left without its blank line counts if it is a whole event. */
  end(): ModelResponse;
}

/** Feeds bytes to a reader. @see PROVIDER-14 */
export function createFeed(reader: Reader): Feed {
  const decoder = new TextDecoder();
  let wanted = true;
  let flushing = false;
  let hasEvents = false;
  let unparsed = "";
  const parser = createParser({
    onEvent(event) {
      hasEvents = true;
      if (!wanted || (flushing && !isWhole(event.data))) return;
      wanted = reader.push(event);
    },
  });
  return {
    push(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      parser.feed(text);
      unparsed = hasEvents ? "" : unparsed + text;
      return wanted;
    },
    otherText() {
      return hasEvents || unparsed.trim() === "" || /^\uFEFF?(data|event|id|retry|):/m.test(unparsed)
        ? undefined
        : unparsed;
    },
    end() {
      flushing = true;
      parser.feed(`${decoder.decode()}\n\n`);
      return reader.end();
    },
  };
}

function isWhole(data: string): boolean {
  if (data.trim() === "[DONE]") return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}
