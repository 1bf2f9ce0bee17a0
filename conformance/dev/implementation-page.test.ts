// An implementation is listed with what its report shows, and a part of a run certifies nothing.

import { expect, it } from "vitest";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import type { Report } from "../kit/index.ts";
import { entryOf, implementationPage, readEntries } from "./implementation-page.ts";

const suite = await sharedSuite();
const only = suite.cases.find(({ id }) => id === "extensions/error-of-somebody-else")!;
const report = {
  report: 1,
  kit: "0.1.0",
  spec: "1.0-draft",
  driver: "./mine",
  implementation: {
    protocol: 1,
    implementation: { name: "mine", version: "2.0", language: "perl" },
    seams: ["generic"],
  },
  started_at: "2026-11-23T10:00:00.000Z",
  selected: 1,
  variants: [{ check: `${only.id}#EXTENSION-2`, case: only.id, variant: "generic", verdict: "pass" }],
} as unknown as Report;

it("says what was run, and certifies no profile of which variants are missing", async () => {
  const entry = await entryOf(report, suite, "https://example.com/mine");
  expect(entry).toMatchObject({
    ...{ name: "mine", version: "2.0", language: "perl", home: "https://example.com/mine", certified: [] },
    ...{ tested: { on: "2026-11-23", kit: "0.1.0", spec: "1.0-draft" }, verdicts: { pass: 1 } },
  });
  expect(entry.missing["portable"]).toBeGreaterThan(100);
  expect(implementationPage([entry])).toMatch(
    /^\| \[mine\]\(https:\/\/example\.com\/mine\) \| 2\.0 \| perl \| nothing; not all of `portable` \(\d+\)/m,
  );
});

it.each([
  ["a shard", { shard: { index: 1, count: 2 } }],
  ["a level", { level: "core" }],
  ["a run that was broken off", { selected: 2 }],
])("refuses the report of %s", async (_, change) => {
  await expect(entryOf({ ...report, ...change } as Report, suite)).rejects.toThrow("of a part of the suite");
});

it("refuses the report of a driver that never began", async () => {
  const { implementation: _, ...without } = report;
  await expect(entryOf(without as Report, suite)).rejects.toThrow("never initialised");
});

it("lists implementations that are certified for the core and every feature that they have", () => {
  const entries = readEntries();
  expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(["go", "python", "reference"]));
  for (const { name, certified, missing } of entries) {
    expect(certified, name).toEqual(expect.arrayContaining(["essential", "core", "portable"]));
    expect(missing, name).toEqual({});
  }
});
