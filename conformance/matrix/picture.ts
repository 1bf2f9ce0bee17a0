// Draws the matrix as a picture: a row for each loop, a column for each essential requirement. It names nobody; the page does, with evidence.

import type { Matrix, MatrixCell, MatrixRow } from "../../schemas/types.ts";
import { severities } from "../kit/suite/levels.ts";

/** A cell and the gap after it, in pixels. */
const step = 10;
const side = 8;
const groupGap = 16;
const left = 150;
const top = 44;

const kinds: Readonly<Record<MatrixRow["kind"], string>> = {
  framework: "frameworks",
  program: "programs",
  own: "loops of this project",
};

/** What a cell is painted as: only what a script shows again is called broken. */
function paintOf(cell: MatrixCell | undefined): "broken" | "kept" | "open" {
  return cell?.outcome === "broken" || cell?.outcome === "kept" ? cell.outcome : "open";
}

/** The picture, as SVG that needs nothing beside it. */
export function matrixPicture({ rows, requirements }: Pick<Matrix, "rows" | "requirements">): string {
  const columns = columnsOf(requirements);
  const groups = groupsOf(rows.filter(({ cells }) => cells !== undefined));
  const width = Math.max(...columns.values()) + side + 1;
  const height = groups.at(-1)!.bottom + 30;
  const marks = { kept: "", broken: "", open: "" };
  for (const { rows: own, y } of groups)
    for (const [at, { cells }] of own.entries())
      for (const [id, x] of columns) marks[paintOf(cells![id])] += `M${x} ${y + at * step}h${side}v${side}h-${side}z`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${titleOf(groups)}</title>
<style>
text { font: 12px system-ui, sans-serif; fill: #57606a } .kept { fill: #4c9f70 } .broken { fill: #c93c37 } .open { fill: #d8dee4 }
@media (prefers-color-scheme: dark) { text { fill: #9198a1 } .kept { fill: #3f8f62 } .broken { fill: #e5534b } .open { fill: #30363d } }
</style>
${severityLabels(columns, requirements).join("\n")}
${groups.map(({ kind, rows: { length }, y }) => `<text x="0" y="${y + side}">${length} ${kinds[kind]}</text>`).join("\n")}
${Object.entries(marks)
  .map(([paint, path]) => `<path class="${paint}" d="${path}"/>`)
  .join("\n")}
${legend(height - side - 2).join("\n")}
</svg>
`;
}

/** Where each requirement stands, worst severity first. */
function columnsOf(requirements: Matrix["requirements"]): Map<string, number> {
  const columns = new Map<string, number>();
  let x = left;
  for (const severity of severities) {
    for (const [id] of Object.entries(requirements).filter(([, one]) => one.severity === severity)) {
      columns.set(id, x);
      x += step;
    }
    x += groupGap;
  }
  return columns;
}

/** The rows of each kind, those that break least first. */
function groupsOf(
  rows: readonly MatrixRow[],
): { kind: MatrixRow["kind"]; rows: MatrixRow[]; y: number; bottom: number }[] {
  let y = top;
  return (Object.keys(kinds) as MatrixRow["kind"][]).flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind).toSorted((one, other) => countBroken(one) - countBroken(other));
    if (own.length === 0) return [];
    const group = { kind, rows: own, y, bottom: y + own.length * step };
    y = group.bottom + groupGap;
    return [group];
  });
}

function countBroken({ cells = {} }: MatrixRow): number {
  return Object.values(cells).filter(({ outcome }) => outcome === "broken").length;
}

function titleOf(groups: readonly { kind: MatrixRow["kind"]; rows: readonly MatrixRow[] }[]): string {
  const counts = groups.map(({ kind, rows }) => {
    const broken = rows.reduce((sum, row) => sum + countBroken(row), 0);
    return `${rows.length} ${kinds[kind]}: ${broken} broken`;
  });
  return `What each loop does with each essential requirement. ${counts.join("; ")}.`;
}

function severityLabels(columns: ReadonlyMap<string, number>, requirements: Matrix["requirements"]): string[] {
  return severities.flatMap((severity) => {
    const first = [...columns].find(([id]) => requirements[id]!.severity === severity);
    return first === undefined ? [] : [`<text x="${first[1]}" y="${top - 14}">${severity}</text>`];
  });
}

function legend(y: number): string[] {
  const meanings = { kept: "kept", broken: "broken, and a script shows it", open: "not seen, or does not apply" };
  return Object.entries(meanings).map(
    ([paint, meaning], at) =>
      `<path class="${paint}" d="M${left + at * 220} ${y}h${side}v${side}h-${side}z"/><text x="${left + at * 220 + 14}" y="${y + side}">${meaning}</text>`,
  );
}
