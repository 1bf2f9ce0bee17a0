// Explains a case: what it tests, where it runs, why it exists, and how to run it.

import { commandLine } from "../../kit/base/cli-name.ts";
import type { SuiteCase } from "../../kit/index.ts";
import { shownPath } from "../../kit/base/display-path.ts";
import { variantsOf } from "../../kit/suite/variant.ts";
import { caseExample } from "./case-example.ts";
import type { Kind, Sources } from "./kind.ts";
import { listed } from "./lists.ts";
import { placesOf } from "./where.ts";

export const caseKind: Kind = {
  called: "a case",
  names: ({ suite }) => suite.cases.map(({ id }) => id),
  explain: (name, sources) =>
    lines(
      sources.suite.cases.find(({ id }) => id === name)!,
      sources,
    ),
};

function* lines(entry: SuiteCase, sources: Sources): Generator<string> {
  const { catalogue, bugs } = sources.suite;
  const { id, file, case: source } = entry;
  yield `${id}  ${source.title}`;
  yield `  ${shownPath(file)}:1`;
  for (const [index, requirement] of source.requires.entries()) {
    const { text = "", why } = catalogue.requirements.get(requirement) ?? {};
    yield `  ${index === 0 ? "Tests" : "Needs"} ${requirement}  ${text}`;
    if (index === 0 && why !== undefined) yield `  Why: ${why}`;
  }
  if (source.features?.length) yield `  Runs where the driver declares ${source.features.join(", ")}`;
  yield `  Variants: ${variantsOf(source)
    .map(({ name }) => name)
    .join(", ")}`;
  for (const why of source.why ?? []) {
    yield why.bug === undefined ? `  Why: ${why.text}` : `  Real bug ${why.bug}: ${bugs[why.bug]?.symptom ?? ""}`;
  }
  yield* caseExample(entry, sources);
  yield* listed("In the reference", placesOf(source.requires[0]!));
  yield `  Try it: ${commandLine} test --driver <driver> --case ${id}`;
}
