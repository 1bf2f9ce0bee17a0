// Says what of a row is not as it was in an earlier run.

import type { MatrixChange, MatrixChanges, MatrixRow } from "../../schemas/types.ts";

/** What changed between two runs of a row, or undefined if nothing did. */
export function changesOf(before: MatrixRow | undefined, after: MatrixRow): MatrixChanges | undefined {
  if (before === undefined || before.cells === undefined || after.cells === undefined) return undefined;
  const earlier = new Map(before.packages.map(({ name, version }) => [name, version]));
  const versions = after.packages.flatMap(({ name, version }) => {
    const known = earlier.get(name);
    return known === undefined || known === version ? [] : [`${name} ${known} → ${version}`];
  });
  const ids = new Set([...Object.keys(before.cells), ...Object.keys(after.cells)]);
  const cells = [...ids].flatMap((requirement): MatrixChange[] => {
    const known = before.cells![requirement]?.outcome ?? "-";
    const now = after.cells![requirement]?.outcome ?? "-";
    return known === now ? [] : [{ requirement, before: known, after: now }];
  });
  if (versions.length + cells.length === 0) return undefined;
  return {
    since: before.measured_at,
    ...(versions.length > 0 && { versions }),
    ...(cells.length > 0 && { cells }),
  };
}

/** The changes in one line. */
export function changedLine({ since, versions = [], cells = [] }: MatrixChanges): string {
  const changed = cells.map(({ requirement, before, after }) => `${requirement} ${worded(before)} → ${worded(after)}`);
  return `changed since ${since.slice(0, 10)}: ${[...versions, ...changed].join(", ")}`;
}

function worded(outcome: string): string {
  return outcome === "-" ? "not there" : outcome.replaceAll("_", " ");
}
