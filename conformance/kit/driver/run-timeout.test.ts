// A run is given up for what the driver does not do, and not for what the machine does not let it do.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { heldUpMs } from "./held-up.ts";
import { RunWatch } from "./run-timeout.ts";

/** Resolves when a run without a sign of life is given up: with the reason, and after how long. */
function givenUp(heldUp?: () => number): Promise<{ why: string; afterMs: number }> {
  const start = performance.now();
  return new Promise((resolve) => {
    const giveUp = (why: string) => resolve({ why, afterMs: performance.now() - start });
    new RunWatch({ idleMs: 50, totalMs: 1_000_000 }, giveUp, heldUp);
  });
}

test("a silent run is given up", async () => {
  const { why, afterMs } = await givenUp();
  expect(why).toBe("the run was silent for 50 ms, half of its --timeout");
  expect(afterMs).toBeGreaterThanOrEqual(50);
});

test("time in which the machine let nobody run does not count", async () => {
  let looks = 0;
  const { afterMs } = await givenUp(() => (looks++ === 0 ? 7 : 67));
  expect(afterMs).toBeGreaterThanOrEqual(50 + 60);
});

test("a run that hangs is given up on a machine that is always busy, too", async () => {
  const { afterMs } = await givenUp(() => performance.now() * 1000);
  expect(afterMs).toBeGreaterThanOrEqual(5 * 50);
});

test("a driver that ends and takes its measure with it excuses nothing", async () => {
  let looks = 0;
  expect((await givenUp(() => (looks++ === 0 ? 900 : 0))).why).toContain("silent for 50 ms");
});

test("how long processes were held up is what the system says; of what is not there, nothing", () => {
  const own = () => Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e6;
  const before = process.platform === "linux" ? own() : 0;
  expect(heldUpMs([process.pid])).toBeGreaterThanOrEqual(before);
  expect(heldUpMs([undefined, 2 ** 22 + 1])).toBe(0);
});
