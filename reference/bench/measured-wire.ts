// What is measured of a provider, in `wires/<name>.ts`. Types only.

import type { Provider } from "../core/ports.ts";
import type { ReadInput, Transport } from "./turn-script.ts";

export type Fields = Record<string, unknown>;
export type Bytes = Uint8Array<ArrayBuffer>;

/** Sends the bytes of a body to a path below the address. */
export type Send = (path: string, body: Bytes) => Promise<Response>;

/** What the model said: the text, the calls, and the messages to append for it. */
export interface Answer {
  text: string;
  calls: { id: string; input: ReadInput }[];
  messages: Fields[];
}

/** Puts an answer together from the events of a stream. */
export interface Collector {
  push(event: Fields): void;
  answer(): Answer;
}

/** How a hand-written loop talks to one provider. */
export interface Hand {
  path(transport: Transport): string;
  /** What the API asks of every request beside its body: who asks, and in which version. */
  headers: Record<string, string>;
  /** The field of the body in which the conversation stands, after all others. */
  list: string;
  body(transport: Transport): Fields;
  first: Fields[];
  read(answer: Fields): Answer;
  collect(): Collector;
  /** The messages for the results of a turn. */
  results(results: { id: string; output: string }[]): Fields[];
}

/** A call of the scripted model. */
export interface Call {
  id: string;
  arguments: string;
}

/** How the model's answers look, and what a request says. */
export interface WireFormat {
  json(text: string, calls: Call[]): Fields;
  sse(text: string, calls: Call[]): string;
  /** What a request says, in the words of `conversation`. */
  read(body: Fields): string[];
}

/** What is streamed, and who can read it. */
export interface StreamedText {
  /** The events before, for, and after each delta. */
  before: string;
  delta(text: string): string;
  after: string;
  provider(fetch: typeof globalThis.fetch): Provider;
  /** Reads with the SDK's own stream; returns how much text came. */
  sdk(fetch: typeof globalThis.fetch): Promise<number>;
  textOf(data: unknown): string | undefined;
}

/** Settings of an adapter; `url` is where the scenario is played. */
export interface AdapterOptions {
  model: string;
  max_tokens: number;
  transport: Transport;
  url: string;
}

/** A provider, as it is measured. */
export interface MeasuredWire {
  hand: Hand;
  answers: WireFormat;
  stream: StreamedText;
  adapter(options: AdapterOptions): Provider;
  /** The SDK's own call. */
  create(url: string, transport: Transport): (body: Fields) => Promise<unknown>;
  /** The SDK, which is given bytes and gives back the response as it came. */
  send(url: string): Send;
}
