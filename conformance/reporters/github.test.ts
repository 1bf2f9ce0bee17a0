// Workflow commands as the runner of GitHub reads them, and the summary of the job.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { githubReporter } from "./github.ts";
import { hostileReport, reportOf, resultOf, sampleSuite, written } from "./testing/sample.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-github-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Command {
  name: string;
  properties: Record<string, string>;
  message: string;
}

/** Reads every line; a line that is no command is a mistake here. */
function readCommands(text: string): Command[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [, name = "", list = "", message = ""] = /^::(\w+)(?: ([^:]*))?::(.*)$/.exec(line) ?? [];
    expect(name, line).toMatch(/^(error|notice)$/);
    const pairs = list
      .split(",")
      .filter(Boolean)
      .map((pair) => pair.split("="));
    return {
      name,
      properties: Object.fromEntries(pairs.map(([key, value]) => [key!, decode(value!)])),
      message: decode(message),
    };
  });
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll(/%(?!25|0A|0D|3A|2C)/g, "%25"));
}

describe("the github reporter", () => {
  it("annotates each broken requirement once, at the line of the case that shows it", () => {
    const results = [resultOf("fail", "x"), { ...resultOf("fail", "x"), variant: "generic" }, resultOf("pass", "x")];
    const [command, ...others] = readCommands(written(githubReporter, reportOf(results)));
    expect(others).toEqual([]);
    expect(command!.name).toBe("error");
    expect(command!.properties).toEqual({
      file: expect.stringMatching(/conformance\/cases\/area\/one\.yaml$/) as unknown,
      line: "12",
      title: "TOOL-9 essential, loses",
    });
    expect(command!.message).toMatch(/^expect\.status: x\nbroken in 2 variants of 1 case[^]*The loop MUST answer/);
  });
  it("annotates the driver where the case is not in the repository", () => {
    const own = "conformance/drivers/reference";
    const away = { ...sampleSuite, cases: sampleSuite.cases.map((one) => ({ ...one, file: "/elsewhere/one.yaml" })) };
    const annotated = (driver: string) => {
      let text = "";
      const write = (piece: string) => void (text += piece);
      githubReporter({ write, suite: away }).end({ ...reportOf([resultOf("fail", "x")]), driver });
      return readCommands(text)[0]!.properties;
    };
    expect(annotated(`./${own}`)).toMatchObject({ file: `${own}/agent-loop.json`, line: "1" });
    expect(annotated("node package.json --now")).toMatchObject({ file: "package.json", line: "1" });
    expect(annotated("somewhere on PATH")).toEqual({ title: "TOOL-9 essential, loses" });
  });
  it("tells what is broken before what passed unexpectedly", () => {
    const results = [resultOf("unexpected-pass", "x"), resultOf("fail", "x")];
    const commands = readCommands(written(githubReporter, reportOf(results)));
    expect(commands.map(({ properties }) => properties["title"])).toEqual([
      "TOOL-9 essential, loses",
      "area/one#TOOL-9 on openai-chat/unexpected-pass",
    ]);
  });
  it("says what was not run, and what is wrong beside the variants", () => {
    const problems = [{ file: "known.yaml", line: 3, message: "passes" }];
    const commands = readCommands(written(githubReporter, reportOf([resultOf("not-run", "x")], { problems })));
    expect(commands.map(({ name, properties }) => [name, properties["file"], properties["line"]])).toEqual([
      ["error", "known.yaml", "3"],
      ["error", undefined, undefined],
    ]);
    expect(commands[1]).toMatchObject({
      properties: { title: "not so: what was selected is run" },
      message: "1 variant was not run: because x",
    });
    const [start, ...rest] = readCommands(
      written(githubReporter, reportOf([resultOf("not-run", "x")], { start_error: "it exited" })),
    );
    expect([start!.message, rest]).toEqual(["it exited", []]);
  });
  it("warns of a summary that cannot be written", () => {
    const text = written(githubReporter, reportOf([resultOf("pass", "x")]), { summaryFile: join(folder, "none/x.md") });
    expect(text).toMatch(/^::warning::the job has no summary: ENOENT.*none\/x\.md'\n$/);
  });
  it("is quiet about a green run", () => {
    expect(written(githubReporter, reportOf([resultOf("pass", "x"), resultOf("expected-fail", "x")]))).toBe("");
  });
  it("says so where there are more than GitHub shows", () => {
    const results = Array.from({ length: 11 }, (_, index) => ({
      ...resultOf("fail", "x"),
      ...{ check: `area/one#TOOL-${index}`, requirement: `TOOL-${index}` },
    }));
    const [first, ...commands] = readCommands(written(githubReporter, reportOf(results)));
    expect(first).toMatchObject({
      name: "notice",
      message: expect.stringMatching(/^11 requirements are broken/) as unknown,
    });
    expect(commands.length).toBe(11);
  });
  it("writes one command per line whatever the texts are [REPORT-12]", () => {
    const commands = readCommands(written(githubReporter, { ...hostileReport(), start_error: undefined as never }));
    expect(commands.map(({ name }) => name)).toEqual(["error", "error", "error", "error"]);
  });
  it("appends a summary to the file of the job, and nothing in it is markup", () => {
    const summaryFile = join(folder, "summary.md");
    writeFileSync(summaryFile, "# Before\n");
    written(githubReporter, hostileReport(), { summaryFile });
    const text = readFileSync(summaryFile, "utf8");
    expect(text).toMatch(/^# Before\n## ❌ /);
    expect(text).toContain("Variants: 8 selected, 1 pass, 1 fail");
    expect(text).not.toMatch(/<img|[^\\]`|[^\\]\]\(/);
    const rows = text.split("\n").filter((line) => line.startsWith("| "));
    for (const row of rows.slice(2)) expect(row.replaceAll("\\|", "").split("|").length).toBe(5);
  });
  it("keeps the summary far below what GitHub takes", () => {
    const summaryFile = join(folder, "long.md");
    const long = "y".repeat(2000);
    const results = Array.from({ length: 150 }, (_, index) => ({
      ...resultOf("fail", long),
      ...{ check: `a/b#TOOL-${index}`, requirement: `TOOL-${index}` },
    }));
    written(githubReporter, reportOf(results), { summaryFile });
    const text = readFileSync(summaryFile, "utf8");
    expect(text.length).toBeLessThan(100_000);
    expect(text).toContain("… and 50 more requirements");
  });
});
