// Explains a word of the glossary.

import { basename } from "node:path";
import { packagePath } from "../../kit/base/package-root.ts";
import { shownPath } from "../../kit/base/display-path.ts";
import type { Kind } from "./kind.ts";
import { tableOf } from "./spec-tables.ts";

export const termKind: Kind = {
  called: "a term",
  names: () => [...terms().keys()],
  *explain(name, { suite }) {
    const { meaning, not } = terms().get(name)!;
    yield `${name}, a term  ${meaning}`;
    if (not !== undefined) yield `  Not called: ${not}`;
    const files = [...new Set([...suite.catalogue.requirements.values()].map(({ file }) => file))];
    const chapter = files.find((file) => [`${name}.md`, `${name}s.md`].includes(basename(file)));
    if (chapter !== undefined) yield `  Its chapter: ${shownPath(packagePath(chapter))}`;
  },
};

interface Term {
  meaning: string;
  not?: string;
}

/** The words of the glossary; a row with two words, such as "call, tool call", stands under both. */
function terms(): Map<string, Term> {
  const rows = [...tableOf("glossary", "word")];
  return new Map(
    rows.flatMap(([words, row]) => {
      const not = row.get("not");
      const term = { meaning: row.get("meaning")!, ...(not !== undefined && { not }) };
      return words.split(", ").map((word) => [word, term] as const);
    }),
  );
}
