// Plays combinations with the loops of this repository, and holds what the reference makes of them against what it made before:
// npm run combinations [-- --times 400] [--keep]

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadSuite } from "../kit/index.ts";
import { makeCombination, variantsOfNumber } from "../kit/combine/make-combination.ts";
import type { Combination } from "../kit/combine/make-combination.ts";
import { playCombinations } from "../kit/combine/play-combinations.ts";
import { root } from "./schema-files.ts";

/** How many numbers are kept, from 1, each with two variants. */
export const kept = 400;
/** Where they are kept: what the record of each comes to, by its number. */
const file = join(root, "conformance/dev/combinations.json");

/** What the record of a combination comes to, in eight letters. */
function sumOf(record: unknown): string {
  return createHash("sha256").update(JSON.stringify(record)).digest("hex").slice(0, 8);
}

/** The combinations of a number, each on its variant. */
function ofNumber(number: number): Combination[] {
  return variantsOfNumber(number).map((variant) => makeCombination(number, [], variant));
}

/** Plays the first combinations with the reference: what each came to, by its number; null where it cannot be said there. */
async function playedNow(times: number): Promise<Record<string, (string | null)[]>> {
  const numbers = Array.from({ length: times }, (_, at) => at + 1);
  const combinations = numbers.flatMap(ofNumber);
  const played = await playCombinations(combinations, await loadSuite(), { driver: "reference" });
  const sums: Record<string, (string | null)[]> = {};
  for (const [at, { number }] of combinations.entries())
    (sums[number] ??= []).push(played[at] ? sumOf(played[at]) : null);
  return sums;
}

/** The combinations that come to something else than they did, with their ingredients. */
export async function changedCombinations(times: number): Promise<string[]> {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as typeof now) : {};
  const now = await playedNow(times);
  return Object.entries(now).flatMap(([number, sums]) =>
    ofNumber(Number(number)).flatMap(({ variant, ingredients }, at) =>
      before[number]?.[at] === sums[at] ? [] : [`${number} over ${variant}: ${ingredients.join(" + ")}`],
    ),
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { times: { type: "string", default: String(kept) }, keep: { type: "boolean", default: false } },
  });
  const times = Number(values.times);
  if (!Number.isInteger(times) || times < 1 || times > kept) {
    console.error(`--times takes a whole number from 1 to ${kept}, not ${values.times}`);
    process.exitCode = 2;
  } else if (values.keep) {
    const lines = Object.entries(await playedNow(kept)).map(([number, sums]) => `"${number}": ${JSON.stringify(sums)}`);
    writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
    console.log("wrote conformance/dev/combinations.json");
  } else {
    const changed = await changedCombinations(times);
    for (const line of changed) console.log(`combination ${line}`);
    console.log(`${2 * times} combinations, ${changed.length} of them come to something else than they did`);
    process.exitCode = changed.length > 0 ? 1 : 0;
  }
}
