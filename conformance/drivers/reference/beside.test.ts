// Shows that a digest is counted until it is made, whoever asks for it.

import { expect, it } from "vitest";
import { doneBeside, isAnythingBeside } from "./beside.ts";

it("counts a digest until it is made", async () => {
  let isMade = false;
  const making = crypto.subtle.digest("SHA-256", new Uint8Array(1)).then(() => (isMade = true));
  expect([isMade, isAnythingBeside()]).toEqual([false, true]);
  await doneBeside();
  await making;
  expect([isMade, isAnythingBeside()]).toEqual([true, false]);
});

it("is done with a digest that could not be made", async () => {
  const failing = crypto.subtle.digest("no such digest", new Uint8Array(1));
  await doneBeside();
  await expect(failing).rejects.toThrow();
  expect(isAnythingBeside()).toBe(false);
});
