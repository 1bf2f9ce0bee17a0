// Explains a requirement: its sentence, why it exists, an example, what tests it, the real bugs, where the reference keeps it.

import type { Requirement } from "../../kit/suite/catalogue.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { shownPath } from "../../kit/base/display-path.ts";
import { caseExample, shortest } from "./case-example.ts";
import type { Kind, Sources } from "./kind.ts";
import { listed, listedBugs, listedCases } from "./lists.ts";
import { requirementTables } from "./requirement-tables.ts";
import { placesOf } from "./where.ts";

export const requirementKind: Kind = {
  called: "a requirement",
  names: ({ suite }) => suite.catalogue.requirements.keys(),
  explain: (id, sources) => lines(sources.suite.catalogue.requirements.get(id)!, sources),
};

function* lines(requirement: Requirement, sources: Sources): Generator<string> {
  const { suite } = sources;
  const {
    id,
    text,
    why,
    feature,
    untestable,
    file,
    line,
    level,
    severity,
    level_reason: reason,
    dialect,
    until,
  } = requirement;
  const tests = suite.cases.filter(({ case: { requires } }) => requires[0] === id);
  yield `${id}  ${text}`;
  yield `  ${shownPath(packagePath(file))}:${line}`;
  yield* requirementTables(requirement, "  ");
  if (why !== undefined) yield `  Why: ${why}`;
  if (until !== undefined) yield `  Until ${until}`;
  yield `  Level: ${severity === undefined ? level : `${level}, ${severity}`}. ${reason}`;
  if (dialect !== undefined) yield `  Servers: ${dialect}`;
  if (feature !== undefined) yield `  Holds for implementations that declare the feature ${feature}.`;
  if (untestable !== undefined) yield `  No case tests it: ${untestable}`;
  if (tests.length > 0) yield* caseExample(shortest(tests), sources);
  yield* listedCases("Tested by", tests);
  yield* listedCases(
    "Named by",
    suite.cases.filter(({ case: { requires } }) => requires.indexOf(id) > 0),
  );
  yield* listedBugs(tests, suite);
  yield* listed("In the reference", placesOf(id));
}
