// Plays combinations with the loops of this repository, and holds what the reference makes of them against what it made before:
// npm run combinations [-- --times 600] [--keep]

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadSuite } from "../kit/index.ts";
import { makeCombination } from "../kit/combine/make-combination.ts";
import { playCombinations } from "../kit/combine/play-combinations.ts";
import { root } from "./schema-files.ts";

/** How many combinations are kept, with the numbers from 1. */
export const kept = 600;
/** Where they are kept: what the record of each comes to, by its number. */
const file = join(root, "conformance/dev/combinations.json");

/** What the record of a combination comes to, in eight letters. */
function sumOf(record: unknown): string {
  return createHash("sha256").update(JSON.stringify(record)).digest("hex").slice(0, 8);
}

/** Plays the first combinations with the reference: what each came to, by its number. */
async function playedNow(times: number): Promise<Record<string, string>> {
  const combinations = Array.from({ length: times }, (_, at) => makeCombination(at + 1));
  const played = await playCombinations(combinations, await loadSuite(), { driver: "reference" });
  return Object.fromEntries(combinations.map(({ number }, at) => [number, sumOf(played[at])]));
}

/** The combinations that come to something else than they did, with their ingredients. */
export async function changedCombinations(times: number): Promise<string[]> {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : {};
  const now = await playedNow(times);
  return Object.keys(now)
    .filter((number) => before[number] !== now[number])
    .map((number) => `${number}: ${makeCombination(Number(number)).ingredients.join(" + ")}`);
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
    writeFileSync(file, `${JSON.stringify(await playedNow(kept), null, 1)}\n`);
    console.log("wrote conformance/dev/combinations.json");
  } else {
    const changed = await changedCombinations(times);
    for (const line of changed) console.log(`combination ${line}`);
    console.log(`${times} combinations, ${changed.length} of them come to something else than they did`);
    process.exitCode = changed.length > 0 ? 1 : 0;
  }
}
