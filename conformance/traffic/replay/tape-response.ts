// The answer of a tape as a `Response`, for a client in the same process: nothing goes over a socket.

import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "../fixture/fault.ts";
import { firstHalf } from "./play-answer.ts";
import type { Timing } from "./play-answer.ts";
import type { PreparedAnswer } from "../fixture/prepared.ts";
import type { TapeRequest } from "../fixture/incoming-request.ts";
import type { Tape } from "./tape.ts";

/** Statuses whose answers have no body. */
const withoutBody = [101, 103, 204, 205, 304];

/**
 * Takes an exchange for the request.
 * @throws TypeError, as `fetch` does, where the connection is lost before there is an answer
 * @throws what `signal` says, if it aborts before
 * @see REPLAY-5
 */
export async function tapeResponse(
  tape: Tape,
  request: TapeRequest,
  timing: Timing,
  signal: AbortSignal,
): Promise<Response> {
  signal.throwIfAborted();
  const taken = tape.take(request);
  if ("reset" in taken) throw new TypeError("fetch failed", { cause: new Error("the connection was reset") });
  if ("refused" in taken) {
    const { status, body } = taken.refused;
    return Response.json(body, { status, headers: { "x-should-retry": "false" } });
  }
  const { fault } = taken;
  if (typeof fault === "object" && "delayMs" in fault) await delay(fault.delayMs, signal);
  const { answer } = taken.taken;
  const { status, headers } = answer;
  return new Response(withoutBody.includes(status) ? null : streamOf(answer, timing, fault, signal), {
    status,
    headers,
  });
}

/** The writes, each when it is due and when there is room for it; then the end, or the loss of the connection. */
function streamOf(
  { writes, reset }: PreparedAnswer,
  timing: Timing,
  fault: Fault["kind"] | undefined,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const left = (fault === "cut" ? firstHalf(writes) : writes).values();
  const began = performance.now();
  const gone = new AbortController();
  const end = AbortSignal.any([signal, gone.signal]);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value: write, done } = left.next();
        if (done) return finish(controller);
        const early = timing === "recorded" ? write.at_ms - (performance.now() - began) : 0;
        if (early > 0) await delay(early, end);
        end.throwIfAborted();
        // A copy: who reads it may keep it, and other tapes play these bytes too.
        controller.enqueue(write.bytes.slice());
      } catch (thrown) {
        controller.error(thrown);
      }
    },
    cancel: () => gone.abort(),
  });

  function finish(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (!reset && fault !== "cut") return controller.close();
    controller.error(new TypeError("terminated", { cause: new Error("the connection was lost") }));
  }
}

/** Waits, and fails with the reason of the signal as `fetch` does. */
async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
