// When a driver that dies again and again is given up, and with which verdict.

import { expect, it } from "vitest";
import { DriverCrash, DriverTimeout } from "./errors.ts";
import { RestartLimit } from "./restart-limit.ts";

const barren = (failure: Error = new DriverCrash("the driver exited with code 1")) => ({
  hasCompletedRuns: false,
  failure,
});
const fruitful = { hasCompletedRuns: true, failure: new DriverCrash("the driver exited with code 1") };

/** After how many barren lives the driver is given up. */
function livesOf(limit: RestartLimit): number {
  for (let lives = 1; lives < 1000; lives += 1) if (limit.reachedAfter(barren())) return lives;
  throw new Error("the driver is never given up");
}

it("gives up sooner what has never finished a run [KIT-16]", () => {
  expect(livesOf(new RestartLimit())).toBe(5);
  const limit = new RestartLimit();
  limit.reachedAfter(fruitful);
  expect(livesOf(limit)).toBe(25);
});
it("starts counting again after a session with completed runs", () => {
  const limit = new RestartLimit();
  for (let lives = 0; lives < 4; lives += 1) expect(limit.reachedAfter(barren())).toBeUndefined();
  expect(limit.reachedAfter(fruitful)).toBeUndefined();
  expect(livesOf(limit)).toBe(25);
});
it("says how often, and what happened the last time, with the same code [KIT-16]", () => {
  const limit = new RestartLimit();
  for (let lives = 0; lives < 4; lives += 1) limit.reachedAfter(barren());
  const error = limit.reachedAfter(barren(new DriverTimeout("the run was silent")));
  expect(error).toBeInstanceOf(DriverTimeout);
  expect(error?.message).toMatch(/^not run: .* started 5 times in a row .*; the last error: the run was silent$/);
});
