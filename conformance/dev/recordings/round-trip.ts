// Checks that recorded traffic becomes a fixture and comes back without loss, in the pieces in which it was read.

import { createHash } from "node:crypto";
import type { Fixture } from "../../../schemas/types.ts";
import { fixtureAnswer, fixtureResponse } from "../../kit/wire/fixture-bytes.ts";
import type { Chunk } from "../../kit/wire/fixture-bytes.ts";
import { describeProblems, validate } from "../../kit/base/validate.ts";
import type { Difference } from "./difference.ts";
import { bytesOf, type RecordedExchange, type Recording } from "./recording.ts";

/** The forms in which the answers of all recordings are kept. */
export type FormCounts = Record<"body" | "text" | "events" | "writes", number>;

/** Makes a fixture of a recording, and compares the bytes that it would send with those that were recorded. */
export function checkRoundTrip(recording: Recording, counts: FormCounts, differences: Difference[]): void {
  const report = (exchange: number, kind: string, detail: string) =>
    differences.push({ file: recording.file, exchange, kind, detail });
  const fixture = toFixture(recording);
  const problems = validate("Fixture", fixture);
  if (problems.length > 0) report(0, "fixture-invalid", describeProblems(problems));
  for (const [at, { response }] of fixture.exchanges.entries()) {
    const form = (["body", "text", "events", "writes"] as const).find((name) => response[name] !== undefined)!;
    counts[form] += 1;
    const sent = fixtureAnswer(response).writes.map(({ text, bytes }) => Buffer.from(bytes ?? text));
    const wanted = chunksOf(recording.exchanges[at]!).map(({ bytes }) => Buffer.from(bytes));
    const [before, after] = [wanted, sent].map(form === "body" || form === "text" ? whole : pieces);
    if (before !== after) report(at + 1, "fixture-lossy", `as ${form}: ${before} became ${after}`);
  }
}

/** A recording as a fixture. Where another host than the provider's own answered, it has a name. */
export function toFixture({ provider, vendor, exchanges }: Recording): Fixture {
  const isOwn = vendor === "anthropic" || vendor === "openai";
  return {
    fixture: 1,
    origin: "recorded",
    recorded: { date: "2026-01-01", recorder: "recordings" },
    exchanges: exchanges.map((exchange) => ({
      provider,
      ...(!isOwn && { upstream: vendor }),
      request: exchange.request && {
        method: exchange.request.method,
        path: exchange.request.path,
        ...(exchange.request.body != null && { body: exchange.request.body }),
      },
      response: fixtureResponse({
        status: exchange.response.status,
        headers: { "content-type": bytesOf(exchange).type },
        chunks: chunksOf(exchange),
      }),
    })),
  };
}

/** The body in the pieces in which it was read, where the recording kept their sizes. */
function chunksOf(exchange: RecordedExchange): Chunk[] {
  const { bytes } = bytesOf(exchange);
  const chunks: Chunk[] = [];
  let start = 0;
  for (const size of exchange.response.chunk_sizes ?? []) {
    if (start < bytes.length) chunks.push({ bytes: bytes.subarray(start, start + size) });
    start += size;
  }
  if (start < bytes.length) chunks.push({ bytes: bytes.subarray(start) });
  return chunks;
}

function whole(parts: Buffer[]): string {
  return pieces([Buffer.concat(parts)]);
}

/** The sizes of the pieces, and what they hold. */
function pieces(parts: Buffer[]): string {
  const digests = parts.map((part) => `${part.length}:${createHash("sha256").update(part).digest("hex").slice(0, 12)}`);
  return digests.join(" ");
}
