// Reads recordings of real traffic: one file per conversation, with the requests and the answers as they were on the wire.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { ProviderName } from "../../../schemas/types.ts";
import { withTarget } from "../../traffic/fixture/request-value.ts";
import { providerNames } from "../../kit/wire/provider-names.ts";

/** A JSON object of unknown content. */
export type Fields = Record<string, unknown>;

/** One request and its answer. `sse` is the raw text of a stream; `chunk_sizes` are the sizes of the network reads. */
export interface RecordedExchange {
  request: { method: string; path: string; body: unknown } | null;
  response: {
    status: number;
    headers?: Record<string, string>;
    body?: unknown;
    body_text?: string;
    sse?: string;
    chunk_sizes?: number[];
  };
}

/** One conversation. `chains` are lists of exchanges in which each continues the one before. */
export interface Recording {
  /** Relative to the folder of recordings. */
  file: string;
  provider: ProviderName;
  vendor: string;
  tags: string[];
  fidelity: string[];
  exchanges: RecordedExchange[];
  analysis: { chains?: number[][]; links?: Record<string, [number, string]> };
}

/** All recordings of the providers that this project has adapters for, in the order of their names. */
export function readRecordings(folder: string): Recording[] {
  const recordings: Recording[] = [];
  for (const provider of providerNames) {
    if (!existsSync(join(folder, provider))) continue;
    const entries = readdirSync(join(folder, provider), { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".json"));
    for (const path of paths.map((entry) => join(entry.parentPath, entry.name)).toSorted()) {
      const recording = JSON.parse(readFileSync(path, "utf8")) as Recording;
      recordings.push({ ...recording, file: relative(folder, path) });
    }
  }
  return recordings;
}

/** The bytes of an answer and their content type. */
export function bytesOf({ response }: RecordedExchange): { bytes: Uint8Array; type: string } {
  const encoder = new TextEncoder();
  if (response.sse !== undefined) return { bytes: encoder.encode(response.sse), type: "text/event-stream" };
  if (response.body === undefined) return { bytes: encoder.encode(response.body_text ?? ""), type: "text/plain" };
  return { bytes: encoder.encode(JSON.stringify(response.body)), type: "application/json" };
}

/** An answer as `fetch` gives it, in pieces of these sizes; the last piece has the rest. */
export function answerOf(exchange: RecordedExchange, sizes: number[] = []): Response {
  const { bytes, type } = bytesOf(exchange);
  const ends = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0));
  const cuts = [0, ...ends.filter((end) => end < bytes.length), bytes.length];
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 1; at < cuts.length; at++) controller.enqueue(bytes.slice(cuts[at - 1], cuts[at]));
      controller.close();
    },
  });
  const headers = new Headers(exchange.response.headers ?? {});
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
  headers.set("content-type", type);
  return new Response(stream, { status: exchange.response.status, headers });
}

/** The model that an exchange asked, or the one that answered. */
export function modelOf({ request, response }: RecordedExchange): string {
  const body = request && withTarget(request.path, request.body);
  const model = (body as Fields | undefined)?.model ?? (response.body as Fields | undefined)?.model;
  return typeof model === "string" ? model : "unknown";
}
