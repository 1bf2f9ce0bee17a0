// A suite that is pinned to a version has the cases of that version: no later ones, and those that have ended since.

import { describe, expect, it } from "vitest";
import type { Case } from "../../../schemas/types.ts";
import type { Suite } from "./types.ts";
import { compareVersions, pinSuite, suiteVersion, versionsOf } from "./suite-version.ts";

const entry = (id: string, since: string, until?: string) => ({
  id,
  file: id,
  case: { since, ...(until !== undefined && { until }) } as Case,
});
const suite: Suite = {
  bugs: {},
  catalogue: { requirements: new Map(), features: new Map(), policies: new Map(), source: "" },
  cases: [
    entry("first", "1.0"),
    entry("changed", "1.0", "1.2"),
    entry("short", "1.2", "1.2"),
    entry("changed-anew", "1.10"),
    entry("second", "1.2"),
  ],
};
const ids = (version?: string) => pinSuite(suite, version).cases.map(({ id }) => id);

describe("a suite", () => {
  it("has the versions in which cases came, in their order", () => {
    expect(versionsOf(suite.cases)).toEqual(["1.0", "1.2", "1.10"]);
    expect(suiteVersion(suite.cases)).toBe("1.10");
    expect(suiteVersion(pinSuite(suite, "1.2").cases)).toBe("1.2");
    expect(Math.sign(compareVersions("2.0", "1.10"))).toBe(1);
  });
  it("is the newest unless it is pinned [KIT-14]", () => {
    expect(ids()).toEqual(["first", "changed-anew", "second"]);
    expect(ids("1.10")).toEqual(ids());
  });
  it("has at a version what came until then and had not ended [KIT-14]", () => {
    expect(ids("1.0")).toEqual(["first", "changed"]);
    expect(ids("1.2")).toEqual(["first", "changed", "short", "second"]);
  });
  it("refuses a version that it never had [KIT-15]", () => {
    expect(() => pinSuite(suite, "1.1")).toThrow(/^the suite has no version 1\.1; it has 1\.0, 1\.2, 1\.10$/);
    expect(() => pinSuite(suite, "1.11")).toThrow(/; it has 1\.0, 1\.2, 1\.10, and a newer kit may have more$/);
    expect(() => pinSuite({ ...suite, cases: [] }, "1.0")).toThrow("it has none");
  });
});
