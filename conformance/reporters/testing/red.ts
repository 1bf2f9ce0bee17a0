// Whether somebody who reads only one format of a report sees that the run was red.

import { expect } from "vitest";
import { exitCodeOf } from "../../kit/index.ts";
import type { Report } from "../../kit/index.ts";
import { badgeReporter } from "../badge.ts";
import { ctrfReporter } from "../ctrf.ts";
import { githubReporter } from "../github.ts";
import { jsonReporter } from "../json.ts";
import { junitReporter } from "../junit.ts";
import { tapReporter } from "../tap.ts";
import { elements, readXml } from "./read-xml.ts";
import { written } from "./sample.ts";

/** What a CI does that knows nothing but the format. */
export const isRedTo: Record<string, (report: Report) => boolean> = {
  junit: (report) => {
    const { attributes, children } = readXml(written(junitReporter, report));
    const counted = Number(attributes["failures"]) + Number(attributes["errors"]) > 0;
    const reported =
      children.flatMap((suite) => [...elements(suite, "failure"), ...elements(suite, "error")]).length > 0;
    expect(counted).toBe(reported);
    return reported;
  },
  tap: (report) => /^not ok (?!.* # TODO )/m.test(written(tapReporter, report)),
  ctrf: (report) => {
    const { results } = JSON.parse(written(ctrfReporter, report)) as { results: { summary: { failed: number } } };
    return results.summary.failed > 0;
  },
  github: (report) => written(githubReporter, report).startsWith("::error "),
  badge: (report) => (JSON.parse(written(badgeReporter, report)) as { color: string }).color === "red",
  json: (report) => {
    const last = written(jsonReporter, report).trimEnd().split("\n").at(-1)!;
    return exitCodeOf({ report: (JSON.parse(last) as { footer: Report }).footer }) !== 0;
  },
};

/** Expects that the run is red in every format. */
export function expectRedEverywhere(report: Report): void {
  const seen = Object.entries(isRedTo).map(([name, isRed]) => [name, isRed(report)]);
  expect(seen).toEqual(Object.keys(isRedTo).map((name) => [name, true]));
}
