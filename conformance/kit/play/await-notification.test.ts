// A driver that tells nothing is given up after a while, and one that is slow has longer.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { awaitNotification } from "./await-notification.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = async (ms: number) => {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
};

/** How long is waited, in milliseconds, for news that come after `newsMs` from a driver that takes `barrierMs` for each barrier. */
async function waited(newsMs: number, barrierMs: number): Promise<number> {
  const start = Date.now();
  let end = NaN;
  void awaitNotification(after(newsMs), () => after(barrierMs)).then(() => (end = Date.now()));
  await vi.advanceTimersByTimeAsync(100_000);
  return end - start;
}

it("ends with the news", async () => expect(await waited(700, 0)).toBe(700));

it("ends after two seconds where none come, and the driver is swift", async () =>
  expect(await waited(50_000, 0)).toBe(2_000));

it("counts nothing of the time that the driver takes for a barrier", async () => {
  expect(await waited(15_000, 2_000)).toBeGreaterThanOrEqual(15_000);
  expect(await waited(50_000, 2_000)).toBe(22_000);
});

it("leaves no timer behind", async () => {
  await awaitNotification(Promise.resolve(), () => after(0));
  expect(vi.getTimerCount()).toBe(0);
});
