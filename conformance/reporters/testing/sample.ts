// A report with every verdict, and with texts that break whatever writes them without care.

import { countRequirements, countVerdicts } from "../../kit/index.ts";
import type { Report, Suite, VariantResult, Verdict } from "../../kit/index.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { partsOf } from "../../kit/run/report-file.ts";
import type { Reporter, ReporterContext } from "../reporter.ts";

/** What no writer may pass on as it stands. */
export const hostile = [
  "two\nlines, and\r\nthree",
  "\u001b[31mred\u001b[0m \u001b[2J\u0000\u0008\u007f\u0085\u009b31m\ufffe",
  "\u202eturned around\u2066\u2028\u2029",
  "half of a pair \ud800, and both \ud83d\ude00",
  `]]> <!-- --> <x a="b" c='d'> &amp; & \\ \\\\`,
  "\n::error file=x,line=1::a command\n  ::set-output name=a::b\n##[group]x",
  "\n...\n  ...\n---\nok 1 - not really\nnot ok 2\n1..0\nBail out!",
  "# SKIP no \\# TODO nor this | `cell` | <img src=x> @somebody [a](b)",
  "%0A %25 : , \t tab",
  "{{ }} ${x} $(x) * _ ~ ! | \u0627\u0644\u0639",
].join(" § ");

const base = { check: "area/one#TOOL-9", case: "area/one", requirement: "TOOL-9", duration_ms: 1234 };

/** A result with a verdict, in which every text is hostile. */
export function resultOf(verdict: Verdict, text = hostile): VariantResult {
  const failure = {
    code: "assertion",
    requirement: "TOOL-9",
    message: `expect.status: ${text}`,
    expected: { [text]: text },
    received: [text, null],
  } as const;
  const isFailed = verdict === "fail" || verdict === "expected-fail";
  return {
    ...base,
    variant: `openai-chat/${verdict}`,
    verdict,
    ...(isFailed && { failures: [failure], line: 12, exchanges: [{ request: { text }, response: { text } }] }),
    ...(verdict !== "pass" && verdict !== "fail" && { reason: `because ${text}` }),
    ...((verdict === "fail" || verdict === "unexpected-pass") && {
      repro: `npx agent-loop-spec test --driver '${text}'`,
    }),
  };
}

export const everyVerdict: readonly Verdict[] = [
  ...(["pass", "fail", "expected-fail", "unexpected-pass"] as const),
  ...(["unsupported", "not-applicable", "not-run", "harness-error"] as const),
];

/** A report of these results. */
export function reportOf(variants: VariantResult[], more: Partial<Report> = {}): Report {
  return {
    report: 1,
    kit: "0.1.0",
    spec: "1.0-draft",
    driver: "x",
    suite_version: "1.0",
    suite: "0f3a9c51d2e84b67",
    selected: variants.length,
    seed: 7,
    started_at: "2026-01-02T03:04:05.678Z",
    totals: countVerdicts(variants),
    requirements: countRequirements(variants),
    variants,
    duration_ms: 1234.5,
    ...more,
  };
}

/** Every verdict, a driver that never started, a stale entry, and hostile texts wherever a text can be. */
export function hostileReport(): Report {
  const implementation = { protocol: 1, seams: ["generic"] } as const;
  return reportOf(
    everyVerdict.map((verdict) => resultOf(verdict)),
    {
      driver: hostile,
      implementation: {
        ...{ ...implementation, seams: ["generic"] },
        implementation: { name: hostile, version: hostile, language: hostile },
      },
      start_error: hostile,
      problems: [{ file: hostile, line: 3, message: hostile }],
    },
  );
}

/** A suite that has the case and the requirement of the results. */
export const sampleSuite: Suite = {
  cases: [
    {
      id: "area/one",
      file: packagePath("conformance/cases/area/one.yaml"),
      case: { title: "One is answered" } as never,
    },
  ],
  catalogue: {
    requirements: new Map([
      [
        "TOOL-9",
        {
          ...{ id: "TOOL-9", text: "The loop MUST answer.", file: "spec/loop/tools.md", line: 36 },
          ...{ level: "essential", severity: "loses", level_reason: "The run is lost." },
        },
      ],
    ]),
    features: new Map(),
    policies: new Map(),
    source: "",
  },
  bugs: {},
};

/** What a reporter writes of a report. */
export function written(
  make: (context: ReporterContext) => Reporter,
  report: Report,
  more: Partial<ReporterContext> = {},
): string {
  let text = "";
  const reporter = make({ write: (piece) => (text += piece), suite: sampleSuite, color: false, ...more });
  reporter.start?.(partsOf(report).header);
  for (const result of report.variants) reporter.result?.(result);
  reporter.end(report);
  return text;
}
