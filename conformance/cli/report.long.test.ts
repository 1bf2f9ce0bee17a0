// Reports as a person makes, cuts up, merges, compares and shows them on the command line.

import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReport, reportLines } from "../kit/index.ts";
import type { Report } from "../kit/index.ts";
import { reporters } from "../reporters/all.ts";
import { shardOption } from "./shared/report-options.ts";
import { diffReportFiles, mergeReports, showReport, writeBadge } from "./report.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const good = `${process.execPath} ${fileURLToPath(new URL("../kit/testing/fake-driver.ts", import.meta.url))} good`;
const broken = `${process.execPath} -e process.exit(1)`;
const folder = mkdtempSync(join(tmpdir(), "agent-loop-report-"));
const at = (name: string) => join(folder, name);
const read = (name: string): Report => readReport(readFileSync(at(name), "utf8"), name);
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(...args: string[]): Promise<Ended> {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", GITHUB_STEP_SUMMARY: at("summary.md") };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env, cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** A run of a driver that is only good enough for the generic seam: some pass, some do not. */
const test = (...args: string[]) =>
  run("test", "-d", good, "-c", "tools/unknown*", "--provider", "generic", "--seed", "7", ...args);

/** What of a result is the same in every run. */
const lasting = ({ variants }: Report) =>
  variants.map(({ check, variant, verdict, reason }) => ({ check, variant, verdict, reason }));

let whole: Ended;

beforeAll(async () => {
  const files = ["json=out/whole.jsonl", "junit=out/whole.xml", "tap=out/whole.tap", "ctrf=out/ctrf.json"];
  whole = await test("--reporter", "pretty", ...files.flatMap((file) => ["--reporter", file]));
}, 120_000);

describe("test with several reporters", () => {
  it("writes each file, in a folder that it makes, beside what a person reads", () => {
    expect(whole.stdout).toMatch(/: \d+ variants, seed 7\n/);
    expect(whole.code).toBe(1);
    const { totals } = read("out/whole.jsonl");
    expect(totals.pass).toBeGreaterThan(0);
    expect(totals.fail).toBeGreaterThan(0);
    for (const name of ["whole.xml", "whole.tap", "ctrf.json"]) expect(existsSync(at(`out/${name}`))).toBe(true);
  });
  it("has details of failures, and of all only when asked", async () => {
    expect((await test("--details", "all", "--reporter", "json=out/all.jsonl")).code).toBe(1);
    const withExchanges = (report: Report) =>
      new Set(report.variants.filter(({ exchanges }) => exchanges).map(({ verdict }) => verdict));
    expect(withExchanges(read("out/whole.jsonl"))).toEqual(new Set(["fail"]));
    expect(withExchanges(read("out/all.jsonl"))).toEqual(new Set(["fail", "pass"]));
  }, 120_000);
  it("ends with the same code whatever the reporters are [REPORT-11]", async () => {
    const quiet = ["test", "-d", broken, "-c", "tools/unknown-tool"];
    const each = Object.keys(reporters).flatMap((name) => ["--reporter", `${name}=broken/${name}`]);
    expect(await run(...quiet)).toMatchObject({ code: 3, stderr: "" });
    expect(await run(...quiet, ...each)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/never initialised: the driver exited with code 1/) as unknown,
    });
    expect(Object.keys(reporters).filter((name) => !existsSync(at(`broken/${name}`)))).toEqual([]);
    expect((await test("--reporter", "github")).code).toBe(whole.code);
  }, 120_000);
  it("shows no live line where nobody watches", () => expect(whole.stdout).not.toContain("\r"));
});

describe("test --shard", () => {
  it("runs parts whose merged reports are the whole", async () => {
    const shards: Ended[] = [];
    for (const index of [1, 2, 3])
      shards.push(await test("--shard", `${index}/3`, "--reporter", `json=s${index}.jsonl`));
    expect(shards.every(({ stdout }) => stdout === "")).toBe(true);
    expect(await run("report", "merge", "s2.jsonl", "s3.jsonl", "s1.jsonl", "-o", "new/merged.jsonl")).toMatchObject({
      code: 0,
      stdout: "",
    });
    const [one, merged] = [read("out/whole.jsonl"), read("new/merged.jsonl")];
    expect(lasting(merged)).toEqual(lasting(one));
    expect([merged.totals, merged.selected, merged.seed]).toEqual([one.totals, one.selected, 7]);
    expect(merged).not.toHaveProperty("shard");
    const { code, stdout } = await run("report", "diff", "out/whole.jsonl", "new/merged.jsonl");
    expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([0, "nothing changed"]);
    expect(await run("report", "merge", "s1.jsonl", "s3.jsonl")).toMatchObject({
      code: 2,
      stderr: "shard 2 of 3 is missing; give the reports of all 3 shards\n",
    });
  }, 120_000);
  it("says of the whole what no part can: that a profile is not kept", async () => {
    const parts = ["s1.jsonl", "s2.jsonl", "s3.jsonl"];
    for (const part of parts)
      writeFileSync(
        at(`core-${part}`),
        readFileSync(at(part), "utf8").replace('{"header":{', '{"header":{"profiles":["core"],'),
      );
    const merged = await run("report", "merge", ...parts.map((part) => `core-${part}`), "-o", "core.jsonl");
    expect(merged).toMatchObject({ code: 1, stdout: "" });
    expect(merged.stderr).toMatch(/^agent-loop\.json declares the profile core, but \d+ of its \d+ required variants/);
    expect(read("core.jsonl").problems).toHaveLength(1);
  });
  it.each(["0/2", "3/2", "1", "1/0", "a/b"])("refuses %s", (shard) => {
    expect(() => shardOption().parseArg?.(shard, undefined)).toThrow(/expected i\/n with i from 1 to n/);
  });
});

describe("an output that takes nothing", () => {
  const show = [process.execPath, main, "report", "show", "out/whole.jsonl", "--reporter", "json"];
  const shell = (command: string) =>
    spawnSync("bash", ["-c", command, ...show], { cwd: folder, encoding: "utf8", timeout: 60_000 });
  it("is no success where somebody stops reading", () => {
    const { stdout, stderr } = shell('{ "$0" "$@"; echo "code $?" >&2; } | true');
    expect([stdout, stderr]).toEqual(["", "code 141\n"]);
  }, 120_000);
  it.skipIf(!existsSync("/dev/full"))(
    "says so where the disk is full",
    () => {
      const { status, stderr } = shell('"$0" "$@" > /dev/full');
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^the output cannot be written: ENOSPC.*\n$/)]);
    },
    120_000,
  );
});

describe("report", () => {
  it("shows a saved report with any reporter, as it was when it was made", async () => {
    const { code, stdout } = await run("report", "show", "out/whole.jsonl", "--reporter", "junit");
    expect([code, stdout]).toEqual([0, readFileSync(at("out/whole.xml"), "utf8")]);
    // Where to begin is for whoever has the driver before him.
    const details = (text: string) => text.slice(text.indexOf("✗")).split("begin here")[0]!.trimEnd();
    expect(details((await run("report", "show", "out/whole.jsonl")).stdout)).toBe(details(whole.stdout));
  }, 120_000);
  it("says what became worse, with exit code 1 [REPORT-10]", async () => {
    const report = read("out/whole.jsonl");
    const better = report.variants.map((result) =>
      result.verdict === "fail" ? { ...result, verdict: "pass" as const } : result,
    );
    const totals = { ...report.totals, pass: report.totals.pass + report.totals.fail, fail: 0 };
    writeFileSync(at("better.jsonl"), reportLines({ ...report, variants: better, totals }));
    const worse = await run("report", "diff", "better.jsonl", "out/whole.jsonl");
    expect(worse).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/worse: \d+\n.* pass → fail/) as unknown,
    });
    expect(await run("report", "diff", "out/whole.jsonl", "better.jsonl")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/fixed: \d+\n/) as unknown,
    });
  });
  it("makes a badge", async () => {
    expect((await run("report", "badge", "out/whole.jsonl", "-o", "badge.json")).code).toBe(0);
    expect(JSON.parse(readFileSync(at("badge.json"), "utf8"))).toMatchObject({ schemaVersion: 1, color: "red" });
  });
  it("refuses a report that was cut off, in every command that reads one", async () => {
    const lines = readFileSync(at("out/whole.jsonl"), "utf8").split("\n");
    writeFileSync(at("cut.jsonl"), lines.slice(0, -2).join("\n"));
    const cut = at("cut.jsonl");
    const message = /cut\.jsonl has no footer: .*cut off; run it again/;
    await expect(showReport(cut, {})).rejects.toThrow(message);
    await expect(writeBadge(cut, {})).rejects.toThrow(message);
    await expect(mergeReports([cut], {})).rejects.toThrow(message);
    expect(() => diffReportFiles(at("out/whole.jsonl"), cut)).toThrow(message);
    expect(await run("report", "show", "cut.jsonl")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message) as unknown,
    });
    expect(await run("validate", "cut.jsonl")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/no footer/) as unknown,
    });
    expect(await run("validate", "out/whole.jsonl")).toMatchObject({
      code: 0,
      stdout: "out/whole.jsonl: a valid report\n",
    });
    expect(await run("report", "show", "not-there.jsonl")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot be read/) as unknown,
    });
  }, 120_000);
  it("refuses one file for several drivers", async () => {
    expect(await run("test", "-d", "reference", "-d", "python", "--reporter", "junit=x.xml")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/x\.xml can have the report of one driver, but 2 are named/) as unknown,
    });
  });
});
