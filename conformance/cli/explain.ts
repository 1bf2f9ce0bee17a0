// The command `explain`: a requirement with its cases, a case with its requirements, a feature with both.

import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { loadSuite } from "../kit/index.ts";
import type { Requirement, Suite, SuiteCase } from "../kit/index.ts";
import { commandLine } from "../kit/command-line.ts";
import { packagePath } from "../kit/package-root.ts";
import { variantsOf } from "../kit/variant.ts";
import { UsageError } from "./usage-error.ts";

/** Explains whatever has this id. */
export async function explain(id: string): Promise<void> {
  const suite = await loadSuite();
  const name = id
    .replace(/^conformance\/cases\//, "")
    .replace(/\.yaml$/, "")
    .replace(/#.*$/, "");
  const requirement = suite.catalogue.requirements.get(id.toUpperCase());
  const entry = suite.cases.find((one) => one.id === name);
  const featureName = id.replaceAll("-", "_");
  const feature = suite.catalogue.features.get(featureName);
  const lines = requirement
    ? explainRequirement(requirement, suite)
    : entry
      ? explainCase(entry, suite)
      : feature !== undefined
        ? explainFeature(featureName, feature, suite)
        : undefined;
  if (!lines) throw new UsageError(unknownId(name, suite));
  for (const line of lines) console.log(line);
}

function* explainRequirement(
  { id, text, why, feature, untestable, file, line }: Requirement,
  { cases }: Suite,
): Generator<string> {
  yield `${id}  ${text}`;
  yield `  ${file}:${line}`;
  if (why !== undefined) yield `  Why: ${why}`;
  if (feature !== undefined) yield `  Holds for implementations that declare the feature ${feature}.`;
  if (untestable !== undefined) yield `  No case tests it: ${untestable}`;
  yield* listed(
    "Tested by",
    cases.filter(({ case: source }) => source.requires[0] === id),
  );
  yield* listed(
    "Named by",
    cases.filter(({ case: source }) => source.requires.indexOf(id) > 0),
  );
  const bugs = new Set(cases.filter(({ case: source }) => source.requires[0] === id).flatMap(bugsOf));
  if (bugs.size > 0) yield `  Real bugs: ${[...bugs].join(", ")}`;
}

function* explainCase({ id, file, case: source }: SuiteCase, { catalogue, bugs }: Suite): Generator<string> {
  yield `${id}  ${source.title}`;
  yield `  ${relative(process.cwd(), file)}:1`;
  for (const [index, requirement] of source.requires.entries()) {
    yield `  ${index === 0 ? "Tests" : "Needs"} ${requirement}  ${catalogue.requirements.get(requirement)?.text ?? ""}`;
  }
  if (source.features?.length) yield `  Runs where the driver declares ${source.features.join(", ")}`;
  yield `  Variants: ${variantsOf(source)
    .map(({ name }) => name)
    .join(", ")}`;
  for (const why of source.why ?? []) {
    yield why.bug === undefined ? `  Why: ${why.text}` : `  Real bug ${why.bug}: ${bugs[why.bug]?.symptom ?? ""}`;
  }
  yield `  Try it: ${commandLine} test --driver <driver> --case ${id}`;
}

function* explainFeature(name: string, meaning: string, { catalogue, cases }: Suite): Generator<string> {
  yield `${name}  ${meaning}`;
  for (const { id, text, feature, file, line } of catalogue.requirements.values())
    if (feature === name) yield `  ${id}  ${text} (${file}:${line})`;
  yield* listed(
    "Cases",
    cases.filter(({ case: source }) => source.features?.includes(name)),
  );
  for (const path of examplesOf(name)) yield `  Example: ${relative(process.cwd(), path)}`;
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

function* listed(title: string, cases: readonly SuiteCase[]): Generator<string> {
  if (cases.length === 0) return;
  yield `  ${title}:`;
  for (const { id, case: source } of cases) yield `    ${id}  ${source.title}`;
}

function bugsOf({ case: source }: SuiteCase): string[] {
  return (source.why ?? []).flatMap(({ bug }) => bug ?? []);
}

function unknownId(name: string, { cases }: Suite): string {
  const near = cases.filter(({ id }) => id.includes(name)).map(({ id }) => id);
  const advice =
    near.length > 0
      ? `do you mean ${near.slice(0, 5).join(", ")}?`
      : `see them with: ${commandLine} list requirements, list cases, list features`;
  return `${name} is no requirement, no case and no feature; ${advice}`;
}
