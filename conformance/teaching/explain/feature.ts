// Explains a feature: what it means, its requirements, its cases and its examples.

import { existsSync, readFileSync } from "node:fs";
import { commandLine } from "../../kit/base/cli-name.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { shownPath } from "../../kit/base/display-path.ts";
import type { Kind, Sources } from "./kind.ts";
import { listed, listedBugs, listedCases } from "./lists.ts";
import { requirementTables } from "./requirement-tables.ts";
import { placesOf } from "./where.ts";

export const featureKind: Kind = {
  called: "a feature",
  names: ({ suite }) => suite.catalogue.features.keys(),
  explain: lines,
};

function* lines(name: string, { suite }: Sources): Generator<string> {
  const cases = suite.cases.filter(({ case: source }) => source.features?.includes(name));
  yield `${name}  ${suite.catalogue.features.get(name)}`;
  const requirements = [...suite.catalogue.requirements.values()].filter(({ feature }) => feature === name);
  for (const requirement of requirements) {
    const { id, text, file, line } = requirement;
    yield `  ${id}  ${text} (${shownPath(packagePath(file))}:${line})`;
    yield* requirementTables(requirement, "    ");
  }
  yield* listedCases("Cases", cases);
  yield* listedBugs(cases, suite);
  const places = new Set(requirements.flatMap(({ id }) => placesOf(id)));
  yield* listed("In the reference", [...places]);
  for (const path of examplesOf(name)) yield `  Example: ${shownPath(path)}`;
  yield `  Try it: ${commandLine} test --driver <driver> --feature ${name}`;
}

/** The examples of a feature. The package that is published does not have them. */
function examplesOf(feature: string): string[] {
  const examples = JSON.parse(readFileSync(packagePath("spec", "examples.json"), "utf8")) as Record<string, string[]>;
  return Object.keys(examples)
    .filter((file) => examples[file]!.includes(feature))
    .map((file) => packagePath("reference", "examples", file))
    .filter((path) => existsSync(path));
}
