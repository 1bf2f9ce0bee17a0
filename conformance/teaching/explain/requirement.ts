// Explains a requirement: its sentence, why it exists, an example, what tests it, the real bugs, where the reference keeps it.

import type { Requirement } from "../../kit/suite/catalogue.ts";
import type { SuiteCase } from "../../kit/suite/types.ts";
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

/** The cases that name a requirement, in their order. */
interface Naming {
  /** As what they test. */
  tests: SuiteCase[];
  /** Beside what they test. */
  others: SuiteCase[];
}

const named = new WeakMap<readonly SuiteCase[], Map<string, Naming>>();

/** What the cases of a suite name, found once for all requirements. */
function byRequirement(cases: readonly SuiteCase[]): ReadonlyMap<string, Naming> {
  const known = named.get(cases);
  if (known) return known;
  const found = new Map<string, Naming>();
  for (const entry of cases)
    for (const [at, id] of [...new Set(entry.case.requires)].entries()) {
      const naming = found.get(id) ?? { tests: [], others: [] };
      found.set(id, naming);
      (at === 0 ? naming.tests : naming.others).push(entry);
    }
  named.set(cases, found);
  return found;
}

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
  const { tests = [], others = [] } = byRequirement(suite.cases).get(id) ?? {};
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
  yield* listedCases("Named by", others);
  yield* listedBugs(tests, suite);
  yield* listed("In the reference", placesOf(id));
}
