// What fails after the client has gone fails for nobody: an error that nobody waits for would end the kit without a report.

import { expect, it } from "vitest";
import type { ServerResponse } from "node:http";
import { orGone, writeResponse } from "./write-response.ts";

/** Resolves when what was rejected and is waited for by nobody has been reported to the process. */
async function unheardOf(act: () => Promise<unknown>): Promise<unknown[]> {
  const others = process.listeners("unhandledRejection");
  const unheard: unknown[] = [];
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (error) => unheard.push(error));
  await act();
  await new Promise((turn) => setImmediate(turn));
  process.removeAllListeners("unhandledRejection");
  for (const listener of others) process.on("unhandledRejection", listener);
  return unheard;
}

it("lets nobody hear of a wait that fails after the client has gone", async () => {
  const barrier = Promise.withResolvers<void>();
  const unheard = await unheardOf(async () => {
    expect(await orGone(barrier.promise, AbortSignal.abort())).toBeUndefined();
    barrier.reject(new Error("the driver hung"));
  });
  expect(unheard).toEqual([]);
});

it("reports no part during whose pieces the client has gone", async () => {
  const client = new AbortController();
  const reported: string[] = [];
  const response = {
    writeHead: () => undefined,
    write(_: Uint8Array, written: () => void) {
      client.abort();
      written();
    },
    end: () => reported.push("end"),
  } as unknown as ServerResponse;
  const wire = { status: 200, headers: {}, writes: [{ text: "ab", completes_part: 1 }, { text: "cd" }] };
  await writeResponse(response, wire, {
    gone: client.signal,
    cut: (bytes) => [bytes.subarray(0, 1), bytes.subarray(1)],
    afterPart: (part) => void reported.push(`part ${part}`),
    afterWrite: (count) => void reported.push(`write ${count}`),
  });
  expect(reported).toEqual([]);
});
