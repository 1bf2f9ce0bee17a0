// Calls leave nothing behind, however they end: few of them here, many in `npm run bench:kept`.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isWhole } from "../../conformance/dev/whole.ts";
import { type Kept } from "./kept-measure.ts";
import { measureKeptApart, startFates, wrongWith } from "./kept-processes.ts";
import { wires } from "./wires.ts";

let server: Awaited<ReturnType<typeof startFates>>;
beforeAll(async () => void (server = await startFates()));
afterAll(() => server.stop());

describe.each(isWhole ? wires : wires.slice(0, 1))("%s", (wire) => {
  test.each(isWhole ? (["json", "sse"] as const) : (["sse"] as const))(
    "%s leaves nothing of 1,000 calls",
    async (transport) => {
      const kept = await measureKeptApart({ wire, transport, calls: 1000, url: server.url });
      expect(wrongWith(kept)).toEqual([]);
      expect(kept.endings).toEqual({
        "answered completed": 750,
        "broken error": 50,
        "left cancelled": 50,
        "refused error": 50,
        "stalled cancelled": 50,
        "unreadable error": 50,
      });
    },
    120_000,
  );
});

test("what is kept is told", () => {
  const kept: Kept = { bytes: 24_000, listeners: 3, sockets: 90, socketsBefore: 40, endings: {} };
  expect(wrongWith(kept)).toEqual([
    "24000 bytes kept a call, expected less than 1000",
    "3 listeners left on the signal of all runs, expected none",
    "90 sockets open after 40",
  ]);
});
