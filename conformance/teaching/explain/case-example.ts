// Shows a case as an example: what the model says in it and what has to come of it, as they stand in its file.

import { readFileSync } from "node:fs";
import type { SuiteCase } from "../../kit/index.ts";
import { counted } from "../../kit/base/plural.ts";
import type { Sources } from "./kind.ts";

/** The parts of a case that are read as a story, in the order of the file. */
const shownParts = ["given", "model", "actions", "expect"];
/** What is given in most cases, and says little beside what the model does with it. */
const hiddenGiven = ["messages", "tools", "handlers"];
/** Lines of an example; one that is longer is cut, unless everything is shown. */
const maxLines = 16;

/** The case that takes the fewest lines, of those that say what has to happen, and that answer a real bug, if there are any. */
export function shortest(cases: readonly SuiteCase[]): SuiteCase {
  const telling = orAll(cases, ({ case: { expect } }) => expect.one_of === undefined);
  const chosen = orAll(telling, ({ case: { why } }) => why !== undefined);
  return chosen.reduce((best, entry) => (story(entry).length < story(best).length ? entry : best));
}

function orAll(cases: readonly SuiteCase[], isWanted: (entry: SuiteCase) => boolean): readonly SuiteCase[] {
  const wanted = cases.filter(isWanted);
  return wanted.length > 0 ? wanted : cases;
}

/** The lines of the example, with a heading. */
export function* caseExample(entry: SuiteCase, { isFull }: Sources): Generator<string> {
  const lines = story(entry);
  const shown = isFull ? lines.length : maxLines;
  yield `  For example, ${entry.id}:`;
  for (const line of lines.slice(0, shown)) yield `    ${line}`;
  if (lines.length > shown) yield `    … and ${counted(lines.length - shown, "line")} more, see --full`;
}

const stories = new Map<string, string[]>();

function story({ file }: SuiteCase): string[] {
  const known = stories.get(file) ?? partsOf(readFileSync(file, "utf8"));
  stories.set(file, known);
  return known;
}

/** The lines of the parts that are shown. A part begins at the left edge, what is given two spaces further. */
function partsOf(yaml: string): string[] {
  let part = "";
  let given = "";
  const lines = yaml.split("\n").filter((line) => {
    part = /^([a-z_]+):/.exec(line)?.[1] ?? part;
    given = part === "given" ? (/^  ([a-z_]+):/.exec(line)?.[1] ?? given) : "";
    return shownParts.includes(part) && !hiddenGiven.includes(given) && line.trim() !== "";
  });
  return lines[0] === "given:" && !lines[1]?.startsWith(" ") ? lines.slice(1) : lines;
}
