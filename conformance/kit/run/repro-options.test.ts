// What a person writes to see a failure again is what it failed with, and nothing more.

import { expect, it } from "vitest";
import { repeatOptions } from "./repro-options.ts";

const failed = { case: "tools/echo", variant: "generic", seed: 0 };

it("names the variant and its seed", () => {
  expect(repeatOptions(failed)).toBe("--case tools/echo --variant generic --seed 0");
});

it("names the split and the time, where they are not the usual ones", () => {
  expect(repeatOptions({ ...failed, split: 0, timeoutMs: 300 })).toBe(
    "--case tools/echo --variant generic --seed 0 --split 0 --timeout 300",
  );
});
