// When a driver that dies again and again is given up, and with which verdict.

import { expect, it } from "vitest";
import { DriverCrash, DriverTimeout } from "./errors.ts";
import { Patience } from "./restart-limit.ts";

const barren = (failure: Error = new DriverCrash("the driver exited with code 1")) => ({ isFruitful: false, failure });
const fruitful = { isFruitful: true, failure: new DriverCrash("the driver exited with code 1") };

/** After how many barren lives the driver is given up. */
function livesOf(patience: Patience): number {
  for (let lives = 1; lives < 1000; lives += 1) if (patience.after(barren())) return lives;
  throw new Error("the driver is never given up");
}

it("gives up sooner what has never finished a run", () => {
  expect(livesOf(new Patience())).toBe(5);
  const patience = new Patience();
  patience.after(fruitful);
  expect(livesOf(patience)).toBe(25);
});
it("counts anew after a life that came to something", () => {
  const patience = new Patience();
  for (let lives = 0; lives < 4; lives += 1) expect(patience.after(barren())).toBeUndefined();
  expect(patience.after(fruitful)).toBeUndefined();
  expect(livesOf(patience)).toBe(25);
});
it("says how often, and what happened the last time, with the same code", () => {
  const patience = new Patience();
  for (let lives = 0; lives < 4; lives += 1) patience.after(barren());
  const error = patience.after(barren(new DriverTimeout("nothing came of the run")));
  expect(error).toBeInstanceOf(DriverTimeout);
  expect(error?.message).toMatch(/^not tried: .* started 5 times in a row .*; the last time: nothing came of the run$/);
});
