// Names the loops of others that break a requirement, as the matrix measured them: what a learner may know of a rule that seems pedantic.

import type { Matrix, MatrixRow } from "../../schemas/types.ts";
import { nameOf } from "./summary.ts";

/** A requirement, and who breaks it, confirmed by a script. */
export interface Broken {
  id: string;
  by: MatrixRow[];
}

/** Of these requirements those that somebody breaks, the most often broken first. */
export function brokenByOthers({ rows }: Pick<Matrix, "rows">, ids: Iterable<string>): Broken[] {
  const others = rows.filter(({ kind }) => kind !== "own");
  return [...new Set(ids)]
    .map((id) => ({ id, by: others.filter(({ cells }) => cells?.[id]?.outcome === "broken") }))
    .filter(({ by }) => by.length > 0)
    .toSorted((left, right) => right.by.length - left.by.length);
}

/** `LOOP-9 by Some Framework 1.2.3 and 2 others`. */
export function brokenWords({ id, by }: Broken): string {
  const [first, ...rest] = by;
  const others = rest.length === 0 ? "" : ` and ${rest.length} ${rest.length === 1 ? "other" : "others"}`;
  return `${id} by ${nameOf(first!)}${others}`;
}

/** The names of all of them, with the days on which they were measured. */
export function brokenLines({ id, by }: Broken): string[] {
  const days = by.map(({ measured_at }) => measured_at.slice(0, 10)).sort();
  const when = days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`;
  return [
    `Loops that break ${id}, measured ${when}, each with a script that shows it:`,
    ...by.map((row) => `  ${nameOf(row)}`),
  ];
}
