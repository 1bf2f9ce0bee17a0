// A signal that outlives what was given it: nothing of a run, or of a sleep, stays on it.

import { getEventListeners } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";

import { realClock, virtualClock } from "../support/clock.ts";
import { catalogue } from "../testing/catalogue.ts";
import { combinations, stillHeld } from "../testing/collect-garbage.ts";
import { live, warmUp } from "../testing/live.ts";

beforeAll(warmUp);

describe("a signal of the caller", () => {
  it("keeps nothing of the runs that it outlives, whatever they were in the middle of", async () => {
    const { signal } = new AbortController();
    const { combined, restore } = combinations();
    for (const scenario of Object.values(catalogue)) await live(scenario, { signal });
    expect(combined.length).toBeGreaterThan(Object.keys(catalogue).length);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    restore();
    expect(await stillHeld(combined)).toBe(0);
  });
});

describe("a clock", () => {
  it.each([true, false])("leaves no listener on a signal that outlives a sleep (real: %s)", async (isReal) => {
    const { signal } = new AbortController();
    const virtual = virtualClock();
    const slept = (isReal ? realClock : virtual).sleep(1, signal);
    virtual.advance(1);
    await slept;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
