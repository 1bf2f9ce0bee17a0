// The policies are data that hangs together: each names choices that exist, a requirement that makes one, and is shown by something.

import { describe, expect, it } from "vitest";
import { packageRoot } from "../base/package-root.ts";
import { anywhere } from "../checks/behaviours.ts";
import { readCatalogue } from "./catalogue.ts";
import { sharedSuite } from "../testing/shared-suite.ts";

const { policies, requirements } = readCatalogue(packageRoot());
const { cases } = await sharedSuite();
const branches = cases.flatMap(({ case: { expect: expected } }) => expected.one_of ?? []);

describe.each([...policies])("the policy %s", (name, { choices, spec, requirement }) => {
  it("has a choice of the spec, which is not essential", () => {
    expect(Object.keys(choices)).toContain(spec);
    expect(requirements.get(requirement)?.level).toMatch(/^(core|portable)$/);
  });
  it("is shown in any run, or by a case that names each of its choices", () => {
    const named = branches.flatMap(({ observes }) => observes[name] ?? []).sort();
    expect(anywhere.includes(name) ? Object.keys(choices).sort() : named).toEqual(Object.keys(choices).sort());
  });
});

it("holds in cases that a loop of level wire can be told, and that test what is essential", () => {
  const own = cases.filter(({ case: { expect: expected } }) => expected.one_of);
  expect(own.length).toBeGreaterThan(9);
  for (const { case: source } of own) expect(requirements.get(source.requires[0]!)?.level).toBe("essential");
});
