// Reads an HTTP answer, whole or as a stream of server-sent events, with the codec of a provider.

import { createParser } from "eventsource-parser";
import { wellFormed } from "../../support/well-formed.ts";
import { failedResponse, interruption, providerError, unreadable } from "./http-error.ts";
import type { Failure } from "./http-error.ts";
import { listenerOfWholeLetters } from "./whole-letters.ts";
import type { ModelCall, StreamEvent } from "../../core/ports.ts";
import type { LoopError, ModelResponse } from "../../../schemas/types.ts";
import { boundsOf, type Bounds } from "../../support/bounds.ts";

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

/** How events are put into the bytes of a stream, and found there. */
export interface Framing {
  /** The media type of such a stream: an answer of another type is none. */
  readonly contentType: string;
  /** Finds the events in the bytes of a stream. Its `push` throws a `FrameError` for bytes that are no frames. */
  createFeed(reader: Reader): Feed;
  /** The bytes of one event. */
  write(event: SentEvent): Uint8Array;
}

/** Bytes of a stream are not framed as they should be; the message says what was expected, and what came. */
export class FrameError extends Error {
  override name = "FrameError";
}

/** How a provider's answers are read: pure functions, without HTTP. */
export interface Codec {
  readonly provider: string;
  /** Reads a whole answer: a JSON value, or its text. `model` is the one that was asked. */
  parseResponse(body: unknown, model: string): ModelResponse;
  /** Reads a stream. `onStream` receives the messages while they grow. */
  createReader(model: string, onStream?: (event: StreamEvent) => void): Reader;
  /** How its streams are framed. Absent: they are server-sent events. */
  readonly framing?: Framing;
  /** Classifies what the server answers in place of a response, where more than the status and the usual fields say what it is. */
  readError?(failure: Failure): LoopError;
}

/**
 * Reads an answer by what it is, not by what was asked for: JSON where the content type says so, an error page as such, all
 * else as a stream. Never throws.
 * @see PROVIDER-14 PROVIDER-22 PROVIDER-24 PROVIDER-47
 */
export async function receive(
  response: Response,
  codec: Codec,
  model: string,
  call: ModelCall,
): Promise<ModelResponse> {
  try {
    return wellFormed(await readAnswer(response, codec, model, listenerOfWholeLetters(call)));
  } catch (thrown) {
    return failedResponse(tooDeep(codec.provider, call, thrown));
  }
}

/** @throws RangeError where an answer is nested so deep that no engine goes through it */
async function readAnswer(response: Response, codec: Codec, model: string, call: ModelCall): Promise<ModelResponse> {
  const { provider } = codec;
  const type = response.headers.get("content-type") ?? "";
  const streamed = response.ok && !/\b(json|html)\b/i.test(type) && isTypeOf(codec.framing, type);
  if (streamed) return readStream(response, codec, model, call);
  const most = boundsOf(call.bounds).body_bytes;
  let text: string | undefined;
  try {
    text = await textOf(response, most);
  } catch (thrown) {
    const reason = call.signal.aborted ? "the call was aborted" : `the connection broke: ${String(thrown)}`;
    return failedResponse(interruption(provider, reason));
  }
  if (text === undefined) return failedResponse(tooLong(provider, "body_bytes", most));
  if (!response.ok) {
    const failure = { status: response.status, headers: response.headers, body: text };
    return failedResponse(codec.readError?.(failure) ?? providerError(provider, failure));
  }
  if (/\bhtml\b/i.test(type)) return failedResponse(unreadable(provider, "JSON or a stream", text));
  return codec.parseResponse(text, model);
}

/** A server-sent event is text, and known for one by what it says; a frame is known by the type alone. */
function isTypeOf(framing: Framing | undefined, type: string): boolean {
  return framing === undefined || type === "" || type.toLowerCase().startsWith(framing.contentType);
}

/** The text of an answer; undefined if it is longer than so many bytes, of which no more are read. @see PROVIDER-43 */
async function textOf({ body }: Response, most: number): Promise<string | undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let read = 0; reader;) {
    const { done, value } = await reader.read();
    if (done) break;
    read += value.length;
    if (read > most) return void reader.cancel().catch(() => undefined);
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

/** The error of an answer of which there is more than a bound lets be read. @see PROVIDER-43 */
function tooLong(provider: string, bound: "line_bytes" | "body_bytes", most: number): LoopError {
  const what = bound === "line_bytes" ? "a line" : "an answer";
  const message = `${provider} sent ${what} of more than ${most} bytes (bounds.${bound}); no more of it was read`;
  return { kind: "invalid_response", message, provider };
}

/** The error of an answer that is nested so deep that it cannot be read. */
function tooDeep(provider: string, { bounds }: ModelCall, thrown: unknown): LoopError {
  const reason = `deeper than can be read, and than ${boundsOf(bounds).depth} (bounds.depth)`;
  const message = thrown instanceof RangeError ? `${provider} sent something nested ${reason}` : String(thrown);
  return { kind: thrown instanceof RangeError ? "invalid_response" : "internal", message, provider };
}

/** Counts the bytes of a stream. Returns the bound beyond which they are, if they are. */
function createGauge({
  line_bytes,
  body_bytes,
}: Bounds): (piece: Uint8Array) => "line_bytes" | "body_bytes" | undefined {
  let all = 0;
  let line = 0;
  return (piece) => {
    all += piece.length;
    const isLong = line + piece.length > line_bytes && longestLine(piece, line) > line_bytes;
    const end = lastBreak(piece);
    line = end < 0 ? line + piece.length : piece.length - 1 - end;
    return all > body_bytes ? "body_bytes" : isLong ? "line_bytes" : undefined;
  };
}

/** Where the last line of a piece that ends in it ends, or -1. Most streams have no CR: it is looked for behind the last LF alone. */
function lastBreak(piece: Uint8Array): number {
  const lf = piece.lastIndexOf(LF);
  const cr = piece.subarray(lf + 1).lastIndexOf(CR);
  return cr < 0 ? lf : lf + 1 + cr;
}

/** The longest line of a piece, of whose first line so many bytes came before. */
function longestLine(piece: Uint8Array, before: number): number {
  let longest = 0;
  let line = before;
  for (const byte of piece) {
    line = byte === LF || byte === CR ? 0 : line + 1;
    if (line > longest) longest = line;
  }
  return longest;
}

const LF = 10;
const CR = 13;

async function readStream(response: Response, codec: Codec, model: string, call: ModelCall): Promise<ModelResponse> {
  const reader = codec.createReader(model, call.onStream);
  const body = response.body?.getReader();
  if (!body) return reader.end("it has no body");
  let aborted = call.signal.aborted;
  let soFar: ModelResponse | undefined;
  const abort = () => {
    aborted = true;
    soFar = reader.end("the call was aborted");
    call.onCutOff?.(soFar);
    void body.cancel().catch(() => undefined);
  };
  call.signal.addEventListener("abort", abort, { once: true });
  const feed = codec.framing?.createFeed(reader) ?? createFeed(reader);
  const bounds = boundsOf(call.bounds);
  // Where frames have lengths, no line is looked for.
  const gauge = createGauge(codec.framing ? { ...bounds, line_bytes: bounds.body_bytes } : bounds);
  let beyond: ReturnType<typeof gauge>;
  try {
    for (;;) {
      const { done, value } = await body.read();
      if (aborted) return soFar ?? reader.end("the call was aborted");
      if (value) beyond = gauge(value);
      if (beyond) return failedResponse(tooLong(codec.provider, beyond, bounds[beyond]), reader.end(beyond));
      if (!done && feed.push(value)) continue;
      const other = feed.otherText();
      return other === undefined ? feed.end() : codec.parseResponse(other, model);
    }
  } catch (thrown) {
    if (thrown instanceof RangeError) throw thrown;
    if (thrown instanceof FrameError) {
      void body.cancel().catch(() => undefined);
      return failedResponse(unreadable(codec.provider, "frames", thrown.message), reader.end(thrown.message));
    }
    return soFar ?? reader.end(aborted ? "the call was aborted" : `the connection broke: ${String(thrown)}`);
  } finally {
    call.signal.removeEventListener("abort", abort);
    if (aborted || beyond) void body.cancel().catch(() => undefined);
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

/** Feeds the bytes of server-sent events to a reader. @see PROVIDER-14 */
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
