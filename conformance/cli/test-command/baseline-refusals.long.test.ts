// What `test` refuses of known failures, versions and profiles before it runs anything, and what it says of a part of the suite.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { findDriver, loadSuite, readReport } from "../../kit/index.ts";
import type { Selection } from "../../kit/index.ts";
import type { ListedFailure } from "../../kit/run/known-failures.ts";
import { baselineOf, changeLines, checkBaselineOptions, updateBaseline } from "./baseline.ts";
import type { BaselineOptions } from "./baseline.ts";
import { coverage } from "../coverage.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-baseline-"));
afterAll(() => rmSync(folder, { recursive: true }));
/** Loading the suite takes its time where the machine has much to do. */
vi.setConfig({ testTimeout: 60_000 });

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 1e8 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const fake = fileURLToPath(new URL("../../kit/testing/fake-driver.ts", import.meta.url));
const driver = `${process.execPath} ${fake} good`;
/** One case alone. */
const pattern = "tools/unknown*tool";
const part = ["--case", pattern, "--variant", "generic"];
const list =
  "known_failures: 1\nfailures:\n  - check: tools/unknown-tool#TOOL-9\n    code: assertion\n    reason: It ends.\n";
const known = file("known.yaml", list);

describe("the command", () => {
  it("is red with the place of an entry that passes, found by the agent-loop.json of the driver", async () => {
    const manifest = { name: "fake", version: "1.0.0", command: driver.split(" "), known_failures: "known.yaml" };
    file("agent-loop.json", JSON.stringify(manifest));
    const { code, stdout } = await run("test", "--driver", folder, ...part, "--reporter", "json", "--suite", "1.0");
    const report = readReport(stdout, "stdout");
    expect(report.totals["unexpected-pass"]).toBe(1);
    expect(report.problems).toMatchObject([{ file: expect.stringMatching(/known\.yaml$/) as unknown, line: 3 }]);
    expect([report.suite_version, code]).toEqual(["1.0", 1]);
  });
  it("says in words what is stale", async () => {
    const { stdout } = await run("test", "--driver", driver, ...part, "--known-failures", known);
    expect(stdout).toContain(`${known}:3 tools/unknown-tool#TOOL-9 is listed as failing, but passes on generic`);
    expect(stdout).toMatch(/1 passed unexpectedly, 1 false claim in its files/);
    expect(stdout).not.toContain("certified");
  });
  it("refuses a list that is wrong, and a version of the suite that there never was", async () => {
    const wrong = file("wrong.yaml", "known_failures: 1\nfailures:\n  - check: a\n    code: stuck\n");
    expect(await run("test", "--driver", driver, ...part, "--known-failures", wrong)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/wrong\.yaml:3:5 .*missing "reason"/) as unknown,
    });
    expect(await run("test", "--driver", driver, ...part, "--suite", "0.9")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^the suite has no version 0\.9; it has 1\.0/) as unknown,
    });
  });
});

describe("an update", () => {
  const update: BaselineOptions = { driver: ["x"], knownFailures: known, updateKnownFailures: true };
  afterEach(() => vi.unstubAllEnvs());
  const check = (options: Partial<BaselineOptions>, selection: Selection = {}) =>
    checkBaselineOptions({ ...update, ...options }, selection);

  it("is made after a run of everything", () => {
    vi.stubEnv("CI", "");
    expect(check({})).toBeUndefined();
    vi.stubEnv("CI", "false");
    expect(check({})).toBeUndefined();
  });
  it.each(["cases", "requires", "features", "providers", "variants"])("is refused with %s [KIT-11]", (kind) => {
    vi.stubEnv("CI", "");
    expect(() => check({}, { [kind]: ["x"] })).toThrow(/writes only what a whole run has found; leave out --case/);
  });
  it("is refused with a shard, in CI, and for several drivers [KIT-11]", () => {
    vi.stubEnv("CI", "");
    expect(() => check({ shard: { index: 1, count: 2 } })).toThrow(/leave out/);
    expect(() => check({ driver: ["x", "y"] })).toThrow(/belongs to one driver, but several are named/);
    expect(() => check({ driver: ["x", "y"], updateKnownFailures: false })).toThrow(/belongs to one driver/);
    vi.stubEnv("CI", "true");
    expect(() => check({})).toThrow(/CI is set/);
    expect(() => check({ updateKnownFailures: false })).not.toThrow();
  });
  it("begins a file that is named, and asks for one that is not", async () => {
    const found = findDriver(driver);
    const none = join(folder, "none.yaml");
    expect((await baselineOf(found, { ...update, knownFailures: none }))?.list.entries).toEqual([]);
    await expect(baselineOf(found, { driver: ["x"], knownFailures: none })).rejects.toThrow(/cannot be read: ENOENT/);
    await expect(baselineOf(found, { driver: ["x"], updateKnownFailures: true })).rejects.toThrow(/name it with/);
    expect(await baselineOf(found, { driver: ["x"] })).toBeUndefined();
  });
  it("leaves the file as it is if not everything was run [KIT-11]", async () => {
    const output = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const baseline = (await baselineOf(findDriver(driver), update))!;
    const suite = await loadSuite();
    const { report } = await import("../../kit/index.ts").then(({ runSuite }) =>
      runSuite({ driver: findDriver("true"), suite, select: { cases: [pattern] } }),
    );
    expect(await updateBaseline(baseline, report, findDriver(driver), suite)).toBe(report);
    expect(output.mock.calls).toEqual([[expect.stringContaining("was not changed: not everything was run")]]);
    expect(readFileSync(known, "utf8")).toBe(list);
    output.mockRestore();
  });
});

it("says what an update did to a list, and takes away no reason without a word", () => {
  const entry = (check: string, reason: string, line: number): ListedFailure => ({
    check,
    code: "stuck",
    reason,
    line,
  });
  const list = (...entries: ListedFailure[]) => ({ file: "known.yaml", today: "", entries });
  const before = list(entry("a", "Ours.", 3), { ...entry("b", "Theirs.", 6), variants: ["generic"] });
  const after = list(entry("a", "Ours.", 5), entry("c", "Not looked into yet: it hangs", 8));
  expect([...changeLines(before, after)]).toEqual([
    "known.yaml: 1 as before, 1 gone, 1 new",
    "  gone: b generic (stuck): Theirs.",
    '  1 without a reason: search for "Not looked into yet" and write why it fails',
  ]);
});

describe("coverage", () => {
  const printed: string[] = [];
  const print = async (...args: Parameters<typeof coverage>) => {
    printed.length = 0;
    vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
    await coverage(...args).finally(() => vi.restoreAllMocks());
    return printed.join("\n");
  };
  afterEach(() => (process.exitCode = 0));

  it("needs a report or a driver, and a profile that there is", async () => {
    await expect(coverage(undefined, { missing: 1 })).rejects.toThrow(/needs one of the two/);
    await expect(coverage("x.json", { missing: 1, driver })).rejects.toThrow(/needs one of the two/);
    await expect(coverage("x.json", { missing: 1 })).rejects.toThrow(/x\.json cannot be read/);
    await expect(coverage("x.json", { missing: 1, profile: ["telepathy"] })).rejects.toThrow(
      /known: essential, core, portable, anthropic/,
    );
  });
  it("of a run of a part certifies nothing", async () => {
    const { reportLines, runSuite } = await import("../../kit/index.ts");
    const select = { cases: [pattern], variants: ["generic"] };
    const { report } = await runSuite({ driver: findDriver(driver), select });
    const saved = file("part.jsonl", reportLines(report));
    const json = join(folder, "coverage.json");
    const text = await print(saved, { missing: 1, json });
    expect(text).toMatch(/^fake 1\.0\.0, suite \d+\.\d+$/m);
    expect(text).toMatch(/^core +\d+ +1 +1 {2}\d+ missing$/m);
    expect(text).toMatch(/^missing in core:\n {2}\S+ generic {2}not-selected\n {2}… and \d+ more, see --missing$/m);
    expect(process.exitCode).toBe(0);
    const { profiles, requirements } = JSON.parse(readFileSync(json, "utf8")) as {
      profiles: { profile: string; certified: boolean }[];
      requirements: { id: string; passed: number }[];
    };
    const core = profiles.find(({ profile }) => profile === "core");
    expect(core).toMatchObject({ ran: 1, passed: 1, certified: false });
    expect(requirements.find(({ id }) => id === "TOOL-9")).toMatchObject({ ran: 1, passed: 1 });
    await print(saved, { missing: 1, profile: ["core"] });
    expect(process.exitCode).toBe(1);
  });
});
