// Reads the solutions of spec/kit/teaching-exercises.md, and what the kill matrix says of them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./schema-files.ts";

/** One exercise: its number, the fault that is planted, and the case that has to turn red. */
export interface Exercise {
  number: number;
  fault: string;
  case: string;
}

/** The exercises, in the order of the page. */
export function exercises(): Exercise[] {
  const rows = read("spec/kit/teaching-exercises.md").matchAll(/^\| (\d+) \| `([a-z0-9-]+)` \| `([a-z0-9/-]+)` \|$/gm);
  return [...rows].map(([, number, fault, id]) => ({ number: Number(number), fault: fault!, case: id! }));
}

/** The cases that found a fault, as the published kill matrix lists them; empty if it does not know the fault. */
export function killersOf(fault: string): string[] {
  const row = read("spec/kill-matrix.md")
    .split("\n")
    .find((line) => line.includes(` | \`${fault}\` | `));
  return [...(row?.split(" | ").at(-1) ?? "").matchAll(/`([^`]+)`/g)].map(([, id]) => id!);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
