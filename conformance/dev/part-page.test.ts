// Holds the optional parts to the features, the cases and the drivers of this project, and shows that a wrong list is refused.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import type { SuiteCase } from "../kit/index.ts";
import { coreRequirements, partMistakes, readParts } from "./part-page.ts";
import { readRequirements } from "./generate-requirements.ts";
import { root } from "./schema-files.ts";

const suite = await sharedSuite();
const parts = readParts();

describe("spec/parts.json", () => {
  it("has every feature once, and the needs that the cases show", () => {
    expect(partMistakes(suite, parts)).toEqual([]);
  });

  it.each(globSync("conformance/drivers/*/agent-loop.json", { cwd: root }))(
    "%s declares what its features need",
    (file) => {
      const { features = [] } = JSON.parse(readFileSync(join(root, file), "utf8")) as { features?: string[] };
      const unmet = features.flatMap((name) =>
        (parts.needs[name] ?? []).filter(({ one_of }) => !one_of.some((other) => features.includes(other))),
      );
      expect(unmet).toEqual([]);
    },
  );
});

const features = new Map([
  ["ask", "It asks."],
  ["wait", "It waits."],
]);
const requirements = new Map([
  ["A-1", { ...[...suite.catalogue.requirements.values()][0]!, id: "A-1", feature: "ask" }],
]);
const caseWith = (names: string[]) => ({ case: { requires: ["A-1"], features: names } }) as unknown as SuiteCase;
const catalogue = { ...suite.catalogue, features, requirements };
const both = [{ title: "Asking", says: "All of it.", features: ["ask", "wait"] }];
const because = "It does.";

it.each([
  ["a feature in no part", [{ ...both[0]!, features: ["ask"] }], {}, ["ask"], "wait is in no part"],
  ["a feature in two parts", [...both, { ...both[0]!, features: ["ask"] }], {}, ["ask"], "ask is in two parts"],
  ["an unknown feature", [{ ...both[0]!, features: ["ask", "wait", "sing"] }], {}, ["ask"], "there is no feature sing"],
  ["a need that nobody stated", both, {}, ["ask", "wait"], "each case of ask declares wait, too"],
  [
    "a need that no case bears out",
    both,
    { ask: [{ one_of: ["wait"], because }] },
    ["ask"],
    "a case of it declares neither",
  ],
])("refuses %s", (_, given, needs, declared, expected) => {
  const found = partMistakes({ catalogue, cases: [caseWith(declared)] }, { parts: given, needs });
  expect(found).toEqual([expect.stringContaining(expected)]);
});

it("takes into the core what binds every loop, and nothing of one feature or one provider", () => {
  const core = coreRequirements(suite.catalogue.requirements.values());
  expect(core.map(({ id }) => id)).toEqual(expect.arrayContaining(["LOOP-9", "SESSION-6", "TOOL-12", "PROVIDER-26"]));
  expect(
    core.filter(({ id, level, feature }) => (feature && level !== "essential") || /^(CHAT|KIT|EVENT)-/.test(id)),
  ).toEqual([]);
  expect(core.length).toBeGreaterThan(80);
  expect(core.length).toBeLessThan(120);
});

it.each([
  ["loop", ["adapter", "loop", "repair", "store"]],
  ["kit", ["driver", "fixture", "kit", "recorder", "server"]],
])("the document of the %s binds no actor of the other", (document, expected) => {
  const own = readRequirements(join(root, "spec")).filter(({ file }) => file.startsWith(`spec/${document}/`));
  expect([...new Set(own.map(({ actor }) => actor))].sort()).toEqual(expected);
});
