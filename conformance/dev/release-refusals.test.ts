// A release is refused while anything is not ready, and every reason says what to do.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { releaseRefusals, type Moment } from "./release-refusals.ts";
import { root } from "./schema-files.ts";

const ready: Moment = {
  manifest: {
    ...{ name: "agent-loop-spec", version: "1.2.0", published: true, author: "Some people" },
    repository: { type: "git", url: "git+https://example.com/some/people.git" },
  },
  changelog: "# Changelog\n\n## 1.2.0\n\n- A change.\n",
  changed: [],
};

it("nothing is refused that is ready", () => {
  expect(releaseRefusals(ready)).toEqual([]);
});

it.each<[change: Partial<Moment> | Partial<Moment["manifest"]>, reason: RegExp]>([
  [{ published: false }, /says "published": false; say true/],
  [{ repository: { type: "git", url: "" } }, /says no repository; write/],
  [{ author: "" }, /says no author/],
  [{ version: "1.3.0" }, /has no heading "## 1.3.0"/],
  [{ changelog: "## 1.2.0 (unreleased)\n" }, /without \(unreleased\)/],
  [{ changed: ["README.md"] }, /^not committed: README.md; commit/],
])("%j is refused", (change, reason) => {
  const isOfMoment = "changelog" in change || "changed" in change;
  const moment = isOfMoment
    ? { ...ready, ...(change as Partial<Moment>) }
    : { ...ready, manifest: { ...ready.manifest, ...(change as Partial<Moment["manifest"]>) } };
  expect(releaseRefusals(moment)).toEqual([expect.stringMatching(reason)]);
});

it("the command ends at once with the reasons", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "conformance/dev/release.ts")], {
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^Not released:\n {2}package\.json says "published": false/);
});
