// To repeat the tests under load takes hours: whoever interrupts it is told what came of it so far.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { root } from "./schema-files.ts";

/** Repeats one small test without load. */
const repeat = (...options: string[]) =>
  spawn(process.execPath, ["conformance/dev/soak.ts", "--tests", "--busy", "0", ...options], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
  });

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends it, with what came of the rounds before", async (signal, code) => {
  const soak = repeat("--times", "1000", "driver/stray-processes");
  const exit = once(soak, "exit");
  const lines: string[] = [];
  for await (const line of createInterface(soak.stdout)) {
    lines.push(line);
    if (lines.length === 1) soak.kill(signal);
  }
  expect(await exit).toEqual([code, null]);
  expect(lines[0]).toMatch(/^pass +tests 1 of 1000 /);
  expect(lines.at(-1)).toMatch(/^\d+ of 1000 runs, 0 of them red; \d+ verdicts, 0 flakes; 0 busy loops/);
});

test("a path of no test that starts something is refused", async () => {
  const soak = repeat("no-such-test");
  expect(await once(soak, "exit")).toEqual([2, null]);
});
