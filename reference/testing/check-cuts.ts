// What must hold of a stream wherever it is cut, or lost.

import { expect } from "vitest";
import type { Codec } from "../providers/shared/receive.ts";
import { cutAt, readPieces } from "./stream-cuts.ts";

/** The places at which a stream is cut: after every byte, or after every n-th. */
export function placesIn({ length }: Uint8Array, step = 1): number[] {
  return Array.from({ length: Math.ceil(length / step) }, (_, at) => at * step);
}

/** Cut in two, and byte by byte, a stream is read and reported as it is whole. @see PROVIDER-14 PROVIDER-12 */
export async function expectSameWhereverCut(codec: Codec, model: string, bytes: Uint8Array, step = 1): Promise<void> {
  const whole = await readPieces(codec, model, [bytes]);
  for (const at of placesIn(bytes, step)) expect(await readPieces(codec, model, cutAt(bytes, at))).toEqual(whole);
  const single = placesIn(bytes).map((at) => bytes.subarray(at, at + 1));
  expect(await readPieces(codec, model, single)).toEqual(whole);
}

/**
 * Lost before its end, a stream is an error, or what it is whole: with what had come of it, and nothing that it does not say.
 * @see PROVIDER-22
 */
export async function expectNoneMadeUpWhereverLost(
  codec: Codec,
  model: string,
  bytes: Uint8Array,
  step = 1,
): Promise<void> {
  const whole = await readPieces(codec, model, [bytes]);
  const calls = JSON.stringify(whole.response.messages);
  for (const at of placesIn(bytes, step)) {
    for (const lost of [true, false]) {
      const { response } = await readPieces(codec, model, [bytes.subarray(0, at)], lost);
      if (response.error === undefined) {
        expect(response.messages).toEqual(whole.response.messages);
        continue;
      }
      for (const message of response.messages)
        if (message.type === "tool_call" && message.input !== null)
          expect(calls).toContain(JSON.stringify(message.input));
    }
  }
}
