// Explains a real bug: what was seen, where it was reported, what settles it, and which cases answer it.

import type { Bug } from "../../kit/index.ts";
import type { Kind, Sources } from "./kind.ts";
import { listed, listedCases, listedRequirements } from "./lists.ts";

/** What an entry of conformance/bugs.yaml may have beside its symptom. */
interface ListedBug extends Bug {
  links: string[];
  settled?: string[];
  cases?: string[];
  /** Why no case answers it. */
  none?: string;
}

export const bugKind: Kind = {
  called: "a real bug",
  names: ({ suite }) => Object.keys(suite.bugs),
  explain: lines,
};

function* lines(id: string, sources: Sources): Generator<string> {
  const { suite } = sources;
  const { symptom, links, settled = [], cases: answers = [], none } = suite.bugs[id] as ListedBug;
  const cases = suite.cases.filter((entry) => answers.includes(entry.id));
  const ids = new Set([...settled, ...cases.map(({ case: { requires } }) => requires[0]!)]);
  const requirements = [...ids].flatMap((one) => suite.catalogue.requirements.get(one) ?? []);
  yield `${id}  ${symptom}`;
  if (none !== undefined) yield `  No case answers it: ${none}`;
  yield* listedRequirements("What keeps it out", requirements, sources);
  yield* listedCases("Cases that a loop with the bug fails", cases);
  yield* listed("Seen at", links);
}
