// What `--reporter` takes, and what it refuses before anything runs.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { readReport } from "../../kit/index.ts";
import { partsOf } from "../../kit/run/report-file.ts";
import { reportOf, resultOf, sampleSuite } from "../../reporters/testing/sample.ts";
import { openReporters, targetsOf } from "./reporting.ts";
import type { Target } from "./reporting.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-reporting-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("targetsOf", () => {
  it("is pretty where nothing is said, and takes names with and without files", () => {
    expect(targetsOf()).toEqual([{ name: "pretty" }]);
    expect(targetsOf(["pretty", "github", "junit=out/a=b.xml"])).toEqual([
      { name: "pretty" },
      { name: "github" },
      { name: "junit", file: "out/a=b.xml" },
    ]);
  });
  it.each([
    [["spec"], /--reporter spec is not known; known: pretty, json, junit/],
    [["toString"], /is not known/],
    [["junit="], /--reporter junit= names no file after =/],
    [["junit=a.xml", "tap=./a.xml"], /two reporters write to .*a\.xml; give each a file of its own/],
    [["pretty", "json"], /pretty and json all write to the terminal.*--reporter json=<file>/],
    [["json", "tap", "junit=a.xml"], /json and tap all write to the terminal/],
  ])("refuses %j", (values, message) => expect(() => targetsOf(values)).toThrow(message));
});

describe("openReporters", () => {
  it("gives the same report to each, and writes the files when it has ended", async () => {
    const [json, junit] = [join(folder, "new/r.jsonl"), join(folder, "new/r.xml")];
    const report = reportOf([resultOf("fail", "x")]);
    const reporter = await openReporters(
      [
        { name: "json", file: json },
        { name: "junit", file: junit },
      ],
      sampleSuite,
    );
    reporter.start?.(partsOf(report).header);
    reporter.result?.(report.variants[0]!);
    expect(() => readFileSync(json)).toThrow(/ENOENT/);
    reporter.end(report);
    expect(readReport(readFileSync(json, "utf8"), json)).toEqual(report);
    expect(readFileSync(junit, "utf8")).toContain("<testsuites ");
  });
  it("writes what it can where one file cannot be written", async () => {
    const [gone, junit] = [join(folder, "gone/r.jsonl"), join(folder, "r.xml")];
    const targets: Target[] = [
      { name: "json", file: gone },
      { name: "junit", file: junit },
    ];
    const reporter = await openReporters(targets, sampleSuite);
    rmSync(join(folder, "gone"), { recursive: true });
    writeFileSync(join(folder, "gone"), "");
    expect(() => reporter.end(reportOf([resultOf("pass", "x")]))).toThrow(/gone\/r\.jsonl cannot be written: /);
    expect(readFileSync(junit, "utf8")).toContain("<testsuites ");
  });
  it("leaves the live line when a run ends in the middle, and only then", async () => {
    vi.stubEnv("CI", "");
    vi.stubEnv("NO_COLOR", "");
    vi.stubEnv("TERM", "xterm");
    const { isTTY } = process.stdout;
    process.stdout.isTTY = true;
    let text = "";
    const write = vi.spyOn(process.stdout, "write").mockImplementation((piece) => ((text += String(piece)), true));
    try {
      const report = reportOf([resultOf("pass", "x")]);
      const before = process.listenerCount("exit");
      const reporter = await openReporters([{ name: "pretty" }], sampleSuite);
      reporter.start?.(partsOf(report).header);
      expect(text.endsWith("0/1  0 failed  ")).toBe(true);
      const leave = process.listeners("exit").at(-1)!;
      leave(0);
      expect(text.endsWith("0/1  0 failed  \n")).toBe(true);
      reporter.end(report);
      expect(process.listenerCount("exit")).toBe(before);
      const ended = text;
      leave(0);
      expect(text).toBe(ended);
    } finally {
      write.mockRestore();
      process.stdout.isTTY = isTTY;
      vi.unstubAllEnvs();
    }
  });
  it("says before the run that a file cannot be written", async () => {
    await expect(openReporters([{ name: "json", file: folder }], sampleSuite)).rejects.toThrow(/it is a folder/);
  });
});
