// Bad drivers, one for each way to misbehave: each gets its verdict, takes no other case down, and leaves no process behind.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { VariantResult } from "../../reference/types.ts";
import { runSuite } from "./runner.ts";
import type { RunSuiteOptions, SuiteRun } from "./suite-run.ts";
import { loadSuite } from "./suite.ts";
import type { Suite } from "./suite.ts";
import { validate } from "./validate.ts";
import { exitCodeOf } from "./verdicts.ts";

const folder = fileURLToPath(new URL("testing/", import.meta.url));
/** These are judged by the time that passes. */
const slow = new Set(["hangs", "blocks", "ignores TERM"]);
let suite: Suite;
let count = 0;

beforeAll(async () => {
  suite = await loadSuite({ cases: `${folder}cases`, cache: null });
});

/** Runs the suite of this test against a bad driver, and checks what holds whatever the driver does. */
async function judge(
  behaviour: string,
  options: Partial<RunSuiteOptions> = {},
): Promise<SuiteRun & { byCase: Map<string, VariantResult> }> {
  const token = `fake-${process.pid}-${++count}`;
  const run = await runSuite({
    driver: {
      name: behaviour,
      argument: behaviour,
      command: { argv: ["node", `${folder}fake-driver.ts`, behaviour, token] },
    },
    suite,
    select: { cases: ["text-", "culprit"] },
    seed: 1,
    timeoutMs: 20_000,
    ...options,
  });
  expect(processesWith(token)).toEqual([]);
  const { totals } = run.report;
  const { selected, ...verdicts } = totals;
  expect(Object.values(verdicts).reduce((sum, number) => sum + number, 0)).toBe(selected);
  expect(validate("Report", JSON.parse(JSON.stringify(run.report)))).toEqual([]);
  return { ...run, byCase: new Map(run.report.variants.map((result) => [result.case, result])) };
}

/** Command lines of living processes that carry the token. */
function processesWith(token: string): string[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return line.includes(token) ? [line] : [];
    } catch {
      return [];
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe.concurrent("a good driver", () => {
  it("passes", async () => {
    const run = await judge("good", { select: { cases: ["text-", "culprit"] } });
    expect(run.report.totals).toMatchObject({ selected: 6, pass: 6 });
    expect(exitCodeOf(run)).toBe(0);
  });
  it("may write as much as it likes to stderr", async () => {
    expect((await judge("floods stderr")).report.totals.pass).toBe(6);
  });
  it("may block, and gets no barrier", async () => {
    expect((await judge("blocking")).report.totals.pass).toBe(6);
  });
});

describe.concurrent("a driver that fails in one run fails only that run", () => {
  const expected: [behaviour: string, code: string, message: RegExp][] = [
    ["exits mid-case", "driver_crashed", /exited with code 0/],
    ["exits mid-case with 3", "driver_crashed", /exited with code 3/],
    ["killed mid-case", "driver_crashed", /killed by SIGKILL/],
    ["grandchild", "driver_crashed", /exited with code 0/],
    ["hangs", "driver_timeout", /nothing came of the run/],
    ["ignores TERM", "driver_timeout", /nothing came of the run/],
    ["blocks", "driver_timeout", /nothing came of the run/],
    ["garbage", "protocol_error", /not JSON[^]*debug: about to call the model/],
    ["half a frame", "driver_crashed", /in the middle of the line \{"jsonrpc":"2.0","id":/],
    ["huge frame", "protocol_error", /longer than 16777216 bytes/],
    ["wrong id", "protocol_error", /never sent[^]*987654/],
    ["answers twice", "protocol_error", /answered twice/],
    ["unknown method", "protocol_error", /unknown request file\/read/],
    ["unknown notification", "protocol_error", /unknown notification progress/],
    ["invalid event", "protocol_error", /not valid EventParams/],
    ["invalid answer", "protocol_error", /not a valid RunResponse/],
    ["event after the answer", "invariant", /warning stands after run_end/],
    ["driver error", "driver_error", /does not like this session/],
    ["dies after the answer", "driver_crashed", /after the run had been answered: the driver exited with code 0/],
    ["drops a result", "invariant", /had a result|no result/],
    ["swaps results", "invariant", /stands before that of/],
  ];
  it.each(expected)("%s", async (behaviour, code, message) => {
    const run = await judge(behaviour, slow.has(behaviour) ? { timeoutMs: 3000 } : {});
    const culprit = run.byCase.get("culprit");
    expect(culprit?.verdict).toBe("fail");
    expect(culprit?.failures?.[0]).toMatchObject({ code, message: expect.stringMatching(message) as unknown });
    expect(run.report.totals).toMatchObject({ pass: 5, fail: 1 });
    expect(exitCodeOf(run)).toBe(1);
  });
  it("and what it left in its process group is gone", async () => {
    const run = await judge("grandchild");
    const pid = Number(/grandchild (\d+)/.exec(run.byCase.get("culprit")?.failures?.[0]?.message ?? "")?.[1]);
    expect(pid).toBeGreaterThan(0);
    expect(isAlive(pid)).toBe(false);
  });
  it("and the failure says how to run it again, and where to look", async () => {
    const culprit = (await judge("swaps results")).byCase.get("culprit");
    expect(culprit?.repro).toBe(
      "npx agent-loop test --driver 'swaps results' --case culprit --variant generic --seed 1",
    );
    expect(culprit?.line).toBeGreaterThan(1);
    expect(culprit?.exchanges?.length).toBe(2);
  });
});

describe.concurrent("a driver that never initialises", () => {
  const expected: [behaviour: string, message: RegExp][] = [
    ["silent", /did not answer initialize within 700 ms/],
    ["exits at start", /exited with code 1/],
    ["exits with 0 at start", /exited with code 0/],
    ["banner", /not JSON[^]*Welcome/],
    ["unknown feature", /declares the feature telepathy, which the spec does not have; known: cancel/],
    ["wrong protocol", /not a valid InitializeResult/],
  ];
  it.each(expected)("%s: nothing is run, and the exit code is 3", async (behaviour, message) => {
    const run = await judge(behaviour, behaviour === "silent" ? { startTimeoutMs: 700 } : {});
    expect(run.startError).toMatch(message);
    expect(run.report.totals).toMatchObject({ selected: 6, "not-run": 6 });
    expect(exitCodeOf(run)).toBe(3);
  });
  it("says which program is missing", async () => {
    const run = await runSuite({ driver: { name: "x", argument: "x", command: { argv: ["no-such-program"] } }, suite });
    expect(run.startError).toMatch(/no program no-such-program/);
    expect(exitCodeOf(run)).toBe(3);
  });
});

describe.concurrent("a verdict is not won by accident", () => {
  it("a driver that dies after each answer does not pass", async () => {
    const run = await judge("dies after each answer");
    expect(run.report.totals.pass).toBe(0);
    expect(run.report.variants[0]?.failures?.[0]?.code).toBe("driver_crashed");
    expect(exitCodeOf(run)).toBe(1);
  });
  it("what a driver does not report is unsupported, never passed", async () => {
    const run = await judge("reports no session");
    expect(run.report.totals).toMatchObject({ unsupported: 6, pass: 0 });
    expect(exitCodeOf(run)).toBe(1);
  });
  it("a declared feature that does not work is a failure: tools that never overlap are stuck", async () => {
    const run = await judge("good", { select: { cases: ["overlap"] } });
    const [result] = run.report.variants;
    expect(result?.failures?.[0]).toMatchObject({
      code: "stuck",
      message: expect.stringMatching(/while left runs; the case waits until left and right started/) as unknown,
    });
  });
  it("an undeclared feature is unsupported", async () => {
    const run = await judge("blocking", { select: { cases: ["overlap"] } });
    expect(run.report.totals).toMatchObject({ unsupported: 1 });
    expect(exitCodeOf(run)).toBe(1);
  });
  it("an empty selection is red", async () => {
    expect(exitCodeOf(await judge("good", { select: { cases: ["no such case"] } }))).toBe(1);
  });
});
