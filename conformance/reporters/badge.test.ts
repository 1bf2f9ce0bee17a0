// The badge: what shields.io demands of it, and when it is red.

import { describe, expect, it } from "vitest";
import { badgeReporter } from "./badge.ts";
import { reportOf, resultOf, written } from "./testing/sample.ts";

const badgeOf = (...args: Parameters<typeof reportOf>) =>
  JSON.parse(written(badgeReporter, reportOf(...args))) as Record<string, unknown>;

describe("the badge", () => {
  it("is green where all that is meant to pass does", () => {
    expect(badgeOf([resultOf("pass"), resultOf("not-applicable")])).toEqual({
      schemaVersion: 1,
      label: "agent loop spec 1.0-draft",
      message: "1 of 1 kept",
      color: "brightgreen",
    });
  });
  it("counts what is known to fail, and is not as green", () => {
    const badge = badgeOf([resultOf("pass"), resultOf("expected-fail")]);
    expect(badge).toMatchObject({ message: "0 of 1 kept, 1 known to fail", color: "orange" });
    const kept = [
      { ...resultOf("pass"), requirement: "TOOL-8" },
      { ...resultOf("pass"), requirement: "TOOL-7" },
    ];
    expect(badgeOf([...kept, resultOf("expected-fail")])).toMatchObject({
      message: "2 of 3 kept, 1 known to fail",
      color: "yellowgreen",
    });
  });
  it("says how much a driver does not declare, and is not as green unless a profile says what it has to", () => {
    const results = [resultOf("pass"), resultOf("unsupported"), { ...resultOf("unsupported"), variant: "generic" }];
    expect(badgeOf(results)).toMatchObject({ message: "1 of 1 kept, 2 variants unsupported", color: "green" });
    expect(badgeOf(results, { profiles: ["core", "sessions"] })).toMatchObject({
      message: "core, sessions: 1 of 1 kept, 2 variants unsupported",
      color: "brightgreen",
    });
  });
  it("says that a driver which takes several runs at once was given one at a time, and is not as green [REPORT-17]", () => {
    const { message, color } = badgeOf([resultOf("pass")], { one_at_a_time: true });
    expect([message, color]).toEqual(["1 of 1 kept, one run at a time", "green"]);
  });
  it("is red wherever the run is", () => {
    const red = { color: "red", isError: true };
    expect(badgeOf([resultOf("pass"), resultOf("fail")])).toMatchObject({ ...red, message: "0 of 1 kept" });
    expect(badgeOf([resultOf("pass"), resultOf("not-run")])).toMatchObject({
      ...red,
      message: "1 of 1 kept, 1 not run",
    });
    expect(badgeOf([resultOf("unsupported")])).toMatchObject({ ...red, message: "nothing executed" });
    expect(badgeOf([resultOf("not-run")], { start_error: "x" })).toMatchObject({
      ...red,
      message: "driver does not start",
    });
    const { requirements: _, ...older } = reportOf([resultOf("pass"), resultOf("fail")]);
    expect(written(badgeReporter, older)).toContain("1 of 2 pass");
    const problems = [{ file: "known.yaml", message: "stale" }];
    expect(badgeOf([resultOf("pass")], { problems })).toMatchObject({
      ...red,
      message: "1 of 1 kept, 1 wrong beside them",
    });
  });
});
