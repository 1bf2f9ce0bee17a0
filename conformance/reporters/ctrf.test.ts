// The Common Test Report Format, held against what its schema demands: which fields there are, and of which type.

import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { ctrfReporter } from "./ctrf.ts";
import { everyVerdict, hostileReport, reportOf, resultOf, written } from "./testing/sample.ts";

const text = { type: "string" };
const named = { type: "string", minLength: 1 };
const count = { type: "integer", minimum: 0 };
const extra = { type: "object" };
const closed = (required: string[], properties: object) => ({
  type: "object",
  additionalProperties: false,
  required,
  properties,
});

/**
 * The part of the format that is used here. Unknown fields are forbidden outside `extra`.
 * @see https://github.com/ctrf-io/ctrf/blob/main/schema/ctrf.schema.json
 */
const isCtrf = new Ajv({ allErrors: true }).compile(
  closed(["reportFormat", "specVersion", "results"], {
    reportFormat: { const: "CTRF" },
    specVersion: { type: "string", pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+$" },
    timestamp: text,
    generatedBy: text,
    results: closed(["tool", "summary", "tests"], {
      tool: closed(["name"], { name: named, version: text }),
      summary: closed(["tests", "passed", "failed", "skipped", "pending", "other", "start", "stop"], {
        ...{ tests: count, passed: count, failed: count, skipped: count, pending: count, other: count },
        ...{ start: count, stop: count, extra },
      }),
      tests: {
        type: "array",
        items: closed(["name", "status", "duration"], {
          name: named,
          status: { enum: ["passed", "failed", "skipped", "pending", "other"] },
          duration: count,
          suite: { type: "array", minItems: 1, items: text },
          ...{ message: text, trace: text, rawStatus: text, type: text, filePath: text, line: count, extra },
          tags: { type: "array", items: text },
        }),
      },
      environment: closed([], { appName: text, appVersion: text, healthy: { type: "boolean" }, extra }),
    }),
  }),
);

interface Ctrf {
  results: {
    summary: Record<string, number>;
    tests: { name: string; status: string; rawStatus?: string; message?: string; filePath?: string; line?: number }[];
    environment: { healthy: boolean };
  };
}

function read(source: string): Ctrf["results"] {
  const document = JSON.parse(source) as Ctrf;
  isCtrf(document);
  expect(isCtrf.errors ?? []).toEqual([]);
  return document.results;
}

describe("the ctrf reporter", () => {
  it("has a status for each verdict, and calls only a pass passed [REPORT-4]", () => {
    const { tests } = read(written(ctrfReporter, reportOf(everyVerdict.map((verdict) => resultOf(verdict, "x")))));
    expect(Object.fromEntries(tests.map(({ rawStatus, status, name }) => [rawStatus ?? name, status]))).toEqual({
      pass: "passed",
      fail: "failed",
      "expected-fail": "other",
      "unexpected-pass": "failed",
      unsupported: "skipped",
      "not-applicable": "skipped",
      "not-run": "skipped",
      "harness-error": "failed",
      "what was selected is run": "failed",
      "TOOL-9 is kept": "failed",
    });
    const of = (verdict: string) => tests.find(({ rawStatus }) => rawStatus === verdict);
    expect(of("unsupported")!.message).toBe("unsupported: because x");
    expect(of("fail")).toMatchObject({ filePath: expect.stringMatching(/area\/one\.yaml$/) as unknown, line: 12 });
  });
  it("adds up, and says whether the run is green", () => {
    const { summary, tests, environment } = read(written(ctrfReporter, hostileReport()));
    const { tests: all, passed, failed, skipped, pending, other, start, stop } = summary;
    expect(all).toBe(tests.length);
    expect(passed! + failed! + skipped! + pending! + other!).toBe(all);
    expect([passed, failed, skipped, other]).toEqual([1, 6, 3, 1]);
    expect(stop! - start!).toBe(1235);
    expect(environment.healthy).toBe(false);
    expect(read(written(ctrfReporter, reportOf([resultOf("pass")]))).environment.healthy).toBe(true);
  });
});
