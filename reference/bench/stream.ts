// Measures how fast streams are decoded: `npm run bench:stream`. Beside the adapters run the official SDKs and a bare reader.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ModelCall } from "../core/ports.ts";
import { readOptions } from "./options.ts";
import type { StreamedText } from "./measured-wire.ts";
import { measured } from "./wires.ts";

/** A provider, and what it streams. */
type Subject = StreamedText & { name: string };

const usage = `npm run bench:stream

Decodes long streams of deltas with each adapter, with the SDK of its provider and with a bare reader, in turn. Prints how many
deltas a second each one takes, and how the heap grows with the stream; ends with 1 if a target is missed. It has no options.
`;

readOptions(usage, {});

const deltas = 20_000;
const longer = 80_000;
const rounds = 9;
/** How many times as fast as the SDK's stream, and as the bare reader, the adapter must be. */
const targets = { sdk: 1.5, bare: 0.5 };
/** How much the heap may grow from a stream of `deltas` to one of `longer`, beside the text itself, in bytes for each delta. */
const growthPerDelta = 16;
/** One delta to a read, as models send them, and many, as a proxy or a replay does. */
const readSizes = { "one delta a read": 1, "128 deltas a read": 128 };

const words = ["The", " weather", " in", " Zürich", " is", " fine", ",", " 18", " °C", " –", " “warm”", "\n"];

/** The stream of a subject in network reads, made while it is read, so that it takes no memory of its own. */
function* reads({ before, delta, after }: Subject, count: number, size: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(before);
  for (let at = 0; at < count; at += size) {
    const many = Math.min(size, count - at);
    yield encoder.encode(Array.from({ length: many }, (_, i) => delta(words[(at + i) % words.length]!)).join(""));
  }
  yield encoder.encode(after);
}

function fetchOf(pieces: Iterable<Uint8Array>): typeof globalThis.fetch {
  const iterator = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const headers = { "content-type": "text/event-stream" };
  return async () => new Response(body, { headers });
}

async function ours(subject: Subject, fetch: typeof globalThis.fetch, each?: () => void): Promise<number> {
  let length = 0;
  const call: ModelCall = {
    signal: new AbortController().signal,
    onStream(event) {
      if (event.type !== "message_delta") return;
      length += event.delta.length;
      each?.();
    },
    warn() {},
  };
  const { messages } = await subject.provider(fetch).invokeModel({ messages: [], tools: [] }, call);
  const [said] = messages;
  if (said?.role !== "assistant" || said.content.length !== length) throw new Error(`${subject.name} lost text`);
  return length;
}

/** The least that a reader can do. */
async function bare({ textOf }: Subject, fetch: typeof globalThis.fetch): Promise<number> {
  const reader = (await fetch("http://localhost")).body!.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text.length;
    const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = events.pop()!;
    for (const event of events) {
      const data = event.slice(event.indexOf("data: ") + 6);
      if (data !== "[DONE]") text += textOf(JSON.parse(data)) ?? "";
    }
  }
}

/** Deltas a second, the median of the rounds, which take turns so that a busy machine slows them all. */
async function rates(subject: Subject, size: number): Promise<{ ours: number; sdk: number; bare: number }> {
  const pieces = [...reads(subject, deltas, size)];
  const runs = {
    ours: () => ours(subject, fetchOf(pieces)),
    sdk: () => subject.sdk(fetchOf(pieces)),
    bare: () => bare(subject, fetchOf(pieces)),
  };
  const times: Record<keyof typeof runs, number[]> = { ours: [], sdk: [], bare: [] };
  for (let round = -2; round < rounds; round++) {
    const lengths = new Set<number>();
    for (const name of ["ours", "sdk", "bare"] as const) {
      const start = performance.now();
      lengths.add(await runs[name]());
      if (round >= 0) times[name].push(performance.now() - start);
    }
    if (lengths.size > 1) throw new Error(`${subject.name}: not all read the same text`);
  }
  const rate = (name: keyof typeof runs) => (deltas / times[name].toSorted((a, b) => a - b)[rounds >> 1]!) * 1000;
  return { ours: rate("ours"), sdk: rate("sdk"), bare: rate("bare") };
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** The heap when the last delta has come, less the heap before the stream, in bytes. */
async function heapAtTheEnd(subject: Subject, count: number): Promise<number> {
  collect();
  const before = process.memoryUsage().heapUsed;
  let heard = 0;
  let heap = 0;
  const text = await ours(subject, fetchOf(reads(subject, count, 128)), () => {
    heard += 1;
    if (heard !== count) return;
    collect();
    heap = process.memoryUsage().heapUsed - before;
  });
  return heap - text * 2;
}

let failed = false;
const verdict = (holds: boolean) => {
  failed ||= !holds;
  return holds ? "ok" : "TOO LITTLE";
};
for (const [name, { stream }] of Object.entries(measured)) {
  const subject = { ...stream, name };
  for (const [what, size] of Object.entries(readSizes)) {
    const rate = await rates(subject, size);
    const [sdk, plain] = [rate.ours / rate.sdk, rate.ours / rate.bare];
    console.log(`${subject.name}, ${what}: ${Math.round(rate.ours / 1000)} thousand deltas a second`);
    console.log(`  ${sdk.toFixed(2)} × the SDK's stream (at least ${targets.sdk}): ${verdict(sdk >= targets.sdk)}`);
    console.log(`  ${plain.toFixed(2)} × a bare reader (at least ${targets.bare}): ${verdict(plain >= targets.bare)}`);
  }
  await heapAtTheEnd(subject, deltas);
  const [short, long] = [await heapAtTheEnd(subject, deltas), await heapAtTheEnd(subject, longer)];
  const growth = (long - short) / (longer - deltas);
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} kB`;
  console.log(
    `${subject.name}, heap beside the text after ${deltas} deltas: ${kilobytes(short)}; after ${longer}: ${kilobytes(long)}`,
  );
  console.log(`  ${growth.toFixed(1)} bytes a delta (at most ${growthPerDelta}): ${verdict(growth <= growthPerDelta)}`);
}
process.exitCode = failed ? 1 : 0;
