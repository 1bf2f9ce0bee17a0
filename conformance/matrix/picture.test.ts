// The picture of the matrix: each row and each requirement is in it once, only what a script shows is red, and nobody is named.

import { expect, it } from "vitest";
import type { MatrixRow } from "../../schemas/types.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { readMatrix } from "./matrix-file.ts";
import { matrixPicture } from "./picture.ts";

const matrix = readMatrix(packagePath("conformance/matrix/matrix.json"));
const picture = matrixPicture(matrix);

/** How many squares have a colour, the one of the legend aside. */
function squaresOf(svg: string, paint: string): number {
  const [, path = ""] = new RegExp(`<path class="${paint}" d="([^"]*)"/>\n`).exec(svg) ?? [];
  return path.split("z").length - 1;
}

it("has a square for each requirement of each row, red only where a script shows the breach", () => {
  const rows = matrix.rows.filter(({ cells }) => cells !== undefined);
  const count = (outcome: string) =>
    rows.flatMap(({ cells }) => Object.values(cells!)).filter((cell) => cell.outcome === outcome).length;
  expect(squaresOf(picture, "broken")).toBe(count("broken"));
  expect(squaresOf(picture, "kept")).toBe(count("kept"));
  const all = rows.length * Object.keys(matrix.requirements).length;
  expect(["broken", "kept", "open"].reduce((sum, paint) => sum + squaresOf(picture, paint), 0)).toBe(all);
});

it("names nobody, and is small", () => {
  for (const { title, id } of matrix.rows) expect(picture.includes(title) || picture.includes(id)).toBe(false);
  expect(Buffer.byteLength(picture)).toBeLessThan(150_000);
});

it("says in words what it shows", () => {
  const [requirement] = Object.entries(matrix.requirements);
  const [id] = requirement!;
  const row = (outcome: "broken" | "kept") =>
    ({ ...matrix.rows[0]!, kind: "program", cells: { [id]: { outcome } } }) as MatrixRow;
  const small = matrixPicture({ rows: [row("broken"), row("kept")], requirements: { [id]: requirement![1] } });
  expect(small).toContain("<title>What each loop does with each essential requirement. 2 programs: 1 broken.</title>");
  expect(small).toContain(">2 programs</text>");
});
