// What reading recordings needs to know of a provider. Types, and the settings of every SDK.

import type { Message } from "../../../schemas/types.ts";
import type { Fields } from "./recording.ts";
import type { WireFormat } from "./wire-form.ts";

/** What an answer says, independent of who read it. */
export interface Reading {
  content: unknown[];
  stop: unknown;
  usage: unknown;
}

/** A provider, in `formats/<name>/index.ts`. */
export interface RecordedFormat {
  /** How its requests are read. */
  wire: WireFormat;
  /** What its official SDK makes of the answer that `fetch` gives, asked for as a stream or whole. */
  readWithSdk(
    streamed: boolean,
    fetch: (url: unknown, init?: RequestInit) => Promise<Response>,
  ): Promise<Reading | { refuses: string }>;
  /** Whether the SDK throws this where it refuses an answer. */
  isRefusal(thrown: unknown): boolean;
  /** What the adapter's message says, in the form of what the SDK gives. */
  readMessage(message: Message): Fields[];
  /** How many tokens went in where nothing was counted. */
  uncounted: 0 | null;
}

/** Settings of every SDK. */
export const common = {
  apiKey: "none",
  maxRetries: 0,
  logger: { debug() {}, info() {}, warn() {}, error() {} },
};
