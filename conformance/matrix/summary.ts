// Says in lines what a row came to, for a terminal.

import type { Matrix, MatrixCell, MatrixRow } from "../../schemas/types.ts";
import { counted } from "../kit/base/plural.ts";
import { severities } from "../kit/suite/levels.ts";
import { visible } from "../reporters/visible.ts";
import { changedLine } from "./changes.ts";

/** How the outcomes of cells are called, in the order in which they are counted. */
export const outcomeWords: Readonly<Record<MatrixCell["outcome"], string>> = {
  broken: "broken",
  unconfirmed: "unconfirmed",
  kept: "kept",
  not_seen: "not seen",
  not_expressible: "not expressible",
  not_applicable: "not applicable",
};

/** The name of a row with its version. */
export function nameOf({ title, packages: [first] }: Pick<MatrixRow, "title" | "packages">): string {
  return first === undefined ? title : `${title} ${first.version}`;
}

/** How many cells of a row have which outcome, in words. */
export function countWords({ cells = {} }: Pick<MatrixRow, "cells">): string {
  const all = Object.values(cells);
  const words = Object.entries(outcomeWords).flatMap(([outcome, word]) => {
    const count = all.filter((cell) => cell.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return words.join(", ");
}

/** What a row came to: one line, and one for each severity that has breaches; last what changed. */
export function* rowLines(row: MatrixRow, { requirements }: Pick<Matrix, "requirements">): Generator<string> {
  if (row.unavailable !== undefined) return yield `${row.id}: not measured: ${visible(row.unavailable)}`;
  yield visible(`${row.id}: ${nameOf(row)}: ${countWords(row)}`);
  for (const severity of severities) {
    const ids = Object.entries(row.cells ?? {})
      .filter(([id, { outcome }]) => requirements[id]?.severity === severity && outcome === "broken")
      .map(([id]) => id);
    if (ids.length > 0) yield `  ${severity}: ${ids.join(" ")}`;
  }
  const alone = Object.entries(row.cells ?? {}).flatMap(([id, { outcome }]) => (outcome === "unconfirmed" ? [id] : []));
  if (alone.length > 0) yield `  without a script that shows it, and so not red: ${alone.join(" ")}`;
  const scripts = new Map(
    Object.values(row.cells ?? {}).flatMap(({ scripts = [] }) => scripts.map((one) => [one.file, one])),
  );
  const silent = [...scripts.values()].filter(({ shows }) => !shows);
  if (silent.length > 0) {
    yield `  ${counted(silent.length, "script")} showed nothing:`;
    for (const { file, exit } of silent) yield `    ${file} (${exit === null ? "did not end" : `exit code ${exit}`})`;
  }
  if (row.changed) yield `  ${visible(changedLine(row.changed))}`;
}

/** Whether a row breaks something, with a script or without. */
export function isRed({ cells = {} }: Pick<MatrixRow, "cells">): boolean {
  return Object.values(cells).some(({ outcome }) => outcome === "broken" || outcome === "unconfirmed");
}
