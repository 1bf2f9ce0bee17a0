// TAP 14, read line by line as its grammar says, with the diagnostics read by a parser of YAML.

import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { everyVerdict, hostileReport, reportOf, resultOf, written } from "./testing/sample.ts";
import { tapReporter } from "./tap.ts";

interface Point {
  ok: boolean;
  number: number;
  description: string;
  directive?: string;
  reason?: string;
  yaml?: Record<string, unknown>;
}

/** Reads strictly: every line has to be something that the grammar has, in its place. */
function readTap(text: string): { plan: string; points: Point[] } {
  const [version, ...lines] = text.replace(/\n$/, "").split("\n");
  expect(version).toBe("TAP version 14");
  const points: Point[] = [];
  const plans: string[] = [];
  while (lines.length > 0) {
    const line = lines.shift()!;
    const point = /^(not )?ok (\d+) - (.*)$/.exec(line);
    if (/^1\.\.\d+/.test(line)) plans.push(line);
    else if (line === "  ---") points.at(-1)!.yaml = diagnostics(lines);
    else if (point) points.push(pointOf(point));
    else expect(line).toMatch(/^#/);
  }
  expect(plans.length).toBe(1);
  return { plan: plans[0]!, points };
}

function pointOf([, not, number, rest]: RegExpExecArray): Point {
  const [, description = "", directive, reason] = /^((?:\\.|[^\\#])*?)(?: # (SKIP|TODO) (.*))?$/.exec(rest!) ?? [];
  return {
    ok: not === undefined,
    number: Number(number),
    description: description.replaceAll(/\\([\\#])/g, "$1"),
    ...(directive && { directive, reason: reason!.replaceAll(/\\([\\#])/g, "$1") }),
  };
}

/** The block as it stands, and without the two spaces: readers differ in which they parse. */
function diagnostics(lines: string[]): Record<string, unknown> {
  const block = lines.splice(0, lines.indexOf("  ...") + 1).slice(0, -1);
  // An empty line ends the text for TAP::Parser of Perl.
  expect(block).not.toContain("");
  const bare = block.map((line) => line.replace(/^ {2}/, "")).join("\n");
  const read = parse(block.join("\n"), { strict: true }) as Record<string, unknown>;
  expect(parse(bare, { strict: true })).toEqual(read);
  return read;
}

describe("the tap reporter", () => {
  it("calls ok what passed and what is skipped, and nothing else [REPORT-4]", () => {
    const report = reportOf(everyVerdict.map((verdict) => resultOf(verdict, "x")));
    const { plan, points } = readTap(written(tapReporter, report));
    expect(plan).toBe("1..10");
    expect(points.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const lines = points.map(({ ok, description, directive }) => [description.split("/").at(-1), ok, directive]);
    expect(lines).toEqual([
      ["TOOL-9 is kept", false, undefined],
      ["what was selected is run", false, undefined],
      ["pass", true, undefined],
      ["fail", false, undefined],
      ["expected-fail", false, "TODO"],
      ["unexpected-pass", false, undefined],
      ["unsupported", true, "SKIP"],
      ["not-applicable", true, "SKIP"],
      ["not-run", true, "SKIP"],
      ["harness-error", false, undefined],
    ]);
    expect(points[6]!.reason).toBe("unsupported: because x");
  });
  it("says of a failure what, where and why", () => {
    const [requirement, point] = readTap(written(tapReporter, reportOf([resultOf("fail", "x")]))).points;
    expect(requirement!.description).toBe("TOOL-9 is kept");
    expect(point!.description).toBe("area/one#TOOL-9 openai-chat/fail");
    expect(point!.yaml).toEqual({
      message: "assertion: expect.status: x",
      severity: "fail",
      verdict: "fail",
      at: { file: expect.stringMatching(/area\/one\.yaml$/) as unknown, line: 12 },
      details: expect.stringMatching(/^✗ area\/one#TOOL-9[^]*The loop MUST answer/) as unknown,
    });
  });
  it("is red where the driver never started, and where a file says what is not so", () => {
    const problems = [{ file: "known.yaml", line: 3, message: "passes" }];
    const { plan, points } = readTap(written(tapReporter, reportOf([], { start_error: "it exited", problems })));
    expect(plan).toBe("1..2");
    expect(points.map(({ ok, yaml }) => [ok, yaml?.["message"]])).toEqual([
      [false, "it exited"],
      [false, "passes"],
    ]);
  });
  it("keeps its grammar whatever the texts are [REPORT-12]", () => {
    const { plan, points } = readTap(written(tapReporter, hostileReport()));
    expect(plan).toBe("1..11");
    expect(points.length).toBe(11);
    expect(points.filter(({ yaml }) => yaml).length).toBe(6);
  });
});
