// Writes the answer of an exchange to a client: at once, or with the pauses that were recorded.

import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "../fixture/fault.ts";
import type { PreparedAnswer, PreparedWrite } from "../fixture/prepared.ts";

/** `fast`: as fast as the client reads. `recorded`: each write when it came. */
export type Timing = "fast" | "recorded";

/** Resolves when the last byte was handed to the socket, or the client has gone. */
export async function playAnswer(
  response: ServerResponse,
  answer: PreparedAnswer,
  timing: Timing,
  fault?: Fault["kind"],
): Promise<void> {
  const { status, headers, writes, text, reset } = answer;
  if (text !== undefined && fault === undefined && timing === "fast") {
    response.writeHead(status, headers).end(text);
    return;
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    if (typeof fault === "object" && "delayMs" in fault) await pause(fault.delayMs, undefined, gone);
    const began = performance.now();
    response.writeHead(status, headers).flushHeaders();
    for (const { bytes, at_ms } of fault === "cut" ? firstHalf(writes) : writes) {
      const early = timing === "recorded" ? at_ms - (performance.now() - began) : 0;
      if (early > 0) await pause(early, undefined, gone);
      if (!response.write(bytes)) await once(response, "drain", gone);
    }
  } catch (thrown) {
    if (gone.signal.aborted) return;
    throw thrown;
  }
  // What was written goes out before the connection closes.
  if (reset || fault === "cut") response.socket?.destroySoon();
  else response.end();
}

/** What is written of an answer that is cut: half of its writes, or half of its only one. */
export function firstHalf(writes: readonly PreparedWrite[]): readonly PreparedWrite[] {
  const [only] = writes;
  if (writes.length !== 1 || !only) return writes.slice(0, Math.ceil(writes.length / 2));
  return [{ ...only, bytes: only.bytes.subarray(0, only.bytes.length >> 1) }];
}
