// The report of a whole run may not grow beyond what a build keeps and a browser opens.

import { expect, it } from "vitest";
import { sizeProblem } from "./read-report.ts";

it("says how large a report is that has more than ten megabytes, and nothing of others", () => {
  expect(sizeProblem("x".repeat(10_000_000))).toBeUndefined();
  expect(sizeProblem("x".repeat(10_100_000))).toMatch(/^the report has 10\.1 MB, of at most 10; /);
});
