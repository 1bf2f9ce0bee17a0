// The recording log: what was received, line by line, so that a crash of the recorder loses no complete exchange.

import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type { Exchange, Fixture } from "../../../schemas/types.ts";
import { fixtureResponse } from "../../kit/wire/fixture-bytes.ts";
import type { Chunk, Received } from "../../kit/wire/fixture-bytes.ts";
import { FixtureError } from "../fixture/fixture-file.ts";
import { requestValue } from "../fixture/request-value.ts";

/** What is known of an exchange when its response begins. */
export interface Begun {
  provider?: string;
  upstream?: string;
  at_ms: number;
  request: NonNullable<Exchange["request"]>;
  status: number;
  headers: Record<string, string>;
}

type Entry =
  | { recording: Fixture["recorded"] }
  | ({ begun: number } & Begun)
  | { of: number; base64: string; at_ms: number }
  | { ended: number; last_ms: number; cut?: Received["cut"] }
  | { redacted: string };

/** The path of the recording log, beside the fixture that is recorded. */
export function recordingLogOf(fixture: string): string {
  return `${fixture}.journal`;
}

/**
 * Writes entries as they come; each is in the hands of the operating system when the call returns.
 * @see RECORD-2
 */
export class RecordingLog {
  readonly #file: number;

  /** @throws Error with code EEXIST if there is one already: an earlier recording was broken off */
  constructor(path: string, recorded: NonNullable<Fixture["recorded"]>) {
    this.#file = openSync(path, "wx", 0o600);
    this.#add({ recording: recorded });
  }

  begin(exchange: number, begun: Begun): void {
    this.#add({ begun: exchange, ...begun });
  }

  chunks(exchange: number, chunks: readonly Chunk[]): void {
    for (const { bytes, at_ms = 0 } of chunks)
      this.#add({ of: exchange, base64: Buffer.from(bytes).toString("base64"), at_ms });
  }

  /** @param last_ms when the last piece of the answer came, in milliseconds after the recording began */
  end(exchange: number, last_ms: number, cut?: Received["cut"]): void {
    this.#add({ ended: exchange, last_ms, ...(cut !== undefined && { cut }) });
  }

  /** Notes that a secret of a kind was replaced. */
  redacted(kind: string): void {
    this.#add({ redacted: kind });
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Removes a log once its fixture is written. */
  static remove(path: string): void {
    rmSync(path, { force: true });
  }

  #add(entry: Entry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
  }
}

/** An exchange that was recorded to its end. */
export interface CompleteExchange {
  exchange: Exchange;
  /** When its request came, and the last piece of its answer, in milliseconds after the recording began. */
  first_ms: number;
  last_ms: number;
}

/**
 * The fixture of a recording log: every exchange that was complete, in the order in which they began.
 * @returns nothing if no exchange was complete
 * @throws FixtureError if it is not a recording log
 */
export function recover(path: string): Fixture | undefined {
  const { recorded, complete } = readRecordingLog(path);
  if (complete.size === 0) return undefined;
  const exchanges = withOverlaps([...complete.values()]);
  return { fixture: 1, origin: "recorded", recorded: { ...recorded, ...modelOf(exchanges) }, exchanges };
}

/** The exchanges in the order of their requests; each says whether its request came before all answers before it had come. @see REPLAY-17 */
function withOverlaps(complete: readonly CompleteExchange[]): Exchange[] {
  let answered = 0;
  return complete
    .toSorted((one, other) => one.first_ms - other.first_ms)
    .map(({ exchange, first_ms, last_ms }) => {
      const overlaps = first_ms < answered;
      answered = Math.max(answered, last_ms);
      return overlaps ? { ...exchange, overlaps } : exchange;
    });
}

/** The complete exchanges of a recording log, by their numbers. @throws FixtureError if it is not a recording log */
export function readRecordingLog(path: string): {
  recorded: NonNullable<Fixture["recorded"]>;
  complete: Map<number, CompleteExchange>;
} {
  const entries = readEntries(path);
  const [first] = entries;
  if (first === undefined || !("recording" in first) || !first.recording)
    throw new FixtureError(`${path} is not a recording log; nothing was changed`);
  const open = new Map<number, { begun: Begun; chunks: Chunk[] }>();
  const complete = new Map<number, CompleteExchange>();
  const redacted = new Set<string>();
  for (const entry of entries) {
    if ("begun" in entry) open.set(entry.begun, { begun: entry, chunks: [] });
    else if ("of" in entry)
      open.get(entry.of)?.chunks.push({ bytes: Buffer.from(entry.base64, "base64"), at_ms: entry.at_ms });
    else if ("redacted" in entry) redacted.add(entry.redacted);
    else if ("ended" in entry) {
      const { begun, chunks } = open.get(entry.ended)!;
      open.delete(entry.ended);
      const exchange = toExchange(begun, chunks, entry.cut);
      complete.set(entry.ended, { exchange, first_ms: begun.at_ms, last_ms: entry.last_ms });
    }
  }
  const recorded = { ...first.recording, ...(redacted.size > 0 && { redacted: [...redacted] }) };
  return { recorded, complete };
}

function toExchange(begun: Begun, chunks: Chunk[], cut: Received["cut"]): Exchange {
  const { provider, upstream, at_ms, request, status, headers } = begun;
  return {
    ...(provider !== undefined && { provider }),
    ...(upstream !== undefined && { upstream }),
    at_ms: Math.round(at_ms),
    request,
    response: fixtureResponse({ status, headers, chunks, ...(cut !== undefined && { cut }) }),
  };
}

/** The model that was asked first. */
function modelOf(exchanges: Exchange[]): { model?: string } {
  const models = exchanges.map(({ request }) => (requestValue(request) as { model?: unknown } | undefined)?.model);
  const model = models.find((name) => typeof name === "string");
  return model === undefined ? {} : { model };
}

/** The entries; the last line counts only if all of it was written. */
function readEntries(path: string): Entry[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  try {
    return lines.map((line) => JSON.parse(line) as Entry);
  } catch (thrown) {
    throw new FixtureError(`${path} is damaged: ${(thrown as Error).message}`);
  }
}
