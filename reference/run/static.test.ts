// The static entry works where there is no import(), no crypto, no structuredClone, no TextEncoder and no timer.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

import { following } from "../support/any-signal.ts";
import { plainClone } from "../support/clone.ts";
import { plainHex } from "../support/unique-id.ts";
import { plainUtf8 } from "../support/utf8.ts";

it("runs, suspends, resumes and recovers in a context with nothing but the language", async () => {
  const program = fileURLToPath(new URL("../testing/in-sandbox.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--experimental-vm-modules",
    "--disable-warning=ExperimentalWarning",
    program,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    statuses: ["suspended", "completed", "completed"],
    outcomes: ["invalid_arguments", "ok"],
    hash: 64,
    phases: ["turn_boundary", "calling_model", "deciding", "turn_boundary"],
    phase: "done",
    missing: ["structuredClone", "crypto", "TextEncoder", "setTimeout", "Buffer", "process"],
  });
});

it("copies JSON as the platform does, and refuses what is none", () => {
  const value = { list: [1, null, { deep: "x" }], text: "é", no: undefined, yes: true };
  const copy = plainClone(value);
  expect(copy).toEqual(structuredClone(value));
  expect(copy.list[2]).not.toBe(value.list[2]);
  expect(() => plainClone({ act: () => {} })).toThrow("cannot be copied");
});

it.each(["", "abc", "é ü 乌 😀", "100 %", "\ud800", "%41"])("writes %j as UTF-8 as the platform does", (text) => {
  expect(plainUtf8(text)).toEqual(new TextEncoder().encode(text));
});

it("follows several signals, with the reason of the first that aborts", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const signal = following([one.signal, other.signal]);
  expect(signal.aborted).toBe(false);
  other.abort("over");
  one.abort("late");
  expect([signal.aborted, signal.reason, following([one.signal]).reason]).toEqual([true, "over", "late"]);
});

it("makes ids without a source of randomness of the platform", () => {
  expect(plainHex()).toMatch(/^[0-9a-f]{32}$/);
});
