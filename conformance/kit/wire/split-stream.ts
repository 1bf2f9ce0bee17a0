// Cuts a stream into pieces, the same for the same seed: the content of an answer must not depend on where its bytes are cut.

import type { WireResponse } from "./codec.ts";
import { seeded } from "../base/seeded-random.ts";
import { bytesOf } from "./transport.ts";
import { isStreamType } from "./transports-by-type.ts";

/** The split that cuts after every byte. */
export const everyByte = 0;
/** A longer answer is cut by `everyByte` into longer pieces too: a hundred thousand writes prove no more than a thousand. */
const longestByByte = 8192;
const longestPiece = 64;

/** Cuts bytes that are written one after the other. */
export type Cutter = (bytes: Uint8Array) => Uint8Array[];

/**
 * The splits of a run of the suite: `everyByte`, then random ones.
 * @param seed the same seed makes the same splits
 */
export function splitsOf(seed: number, count: number): number[] {
  const random = seeded(seed, "splits");
  const others = Array.from({ length: Math.max(0, count - 1) }, () => 1 + Math.floor(random() * 0x7ffffffe));
  return count > 0 ? [everyByte, ...others] : [];
}

/** How the n-th answer of a run is cut in this split. */
export function cutterOf(split: number, answer: number): Cutter {
  const random = seeded(split, `answer ${answer}`);
  return (bytes) => {
    const pieces: Uint8Array[] = [];
    const isByByte = split === everyByte && bytes.length <= longestByByte;
    for (let start = 0; start < bytes.length; start += pieces.at(-1)!.length) {
      // Short pieces are more frequent: they end where a decoder does not expect it.
      const length = isByByte ? 1 : 1 + Math.floor(random() ** 3 * longestPiece);
      pieces.push(bytes.subarray(start, start + length));
    }
    return pieces;
  };
}

/** The answer in one write, so that a piece can begin in one event of the stream and end in another. */
export function joined(wire: WireResponse): WireResponse {
  if (wire.writes.length < 2) return wire;
  const bytes = Buffer.concat(wire.writes.map((write) => bytesOf(write, wire)));
  return { ...wire, writes: [{ text: wire.writes.map(({ text }) => text).join(""), bytes }] };
}

/** Whether an answer is a stream of a transport that some provider has: it may be cut anywhere. */
export function isStream({ headers, writes }: WireResponse): boolean {
  return writes.length > 0 && isStreamType(headers["content-type"]);
}

/** The name of a split in messages. */
export function describeSplit(split: number): string {
  return `split ${split}${split === everyByte ? ", a byte at a time" : ""}`;
}
