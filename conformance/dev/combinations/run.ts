// Plays combinations of features with several implementations and shows where they differ: npm run combine [-- --times 200 --from 1]

import { parseArgs } from "node:util";
import { makeCombination } from "./make-case.ts";
import { differences, playAll } from "./play.ts";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    times: { type: "string", default: "200" },
    driver: { type: "string", multiple: true, default: ["reference", "python", "go"] },
    show: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
  },
});
const from = Number(values.from);
const combinations = Array.from({ length: Number(values.times) }, (_, at) => makeCombination(from + at, values.only));
const plays = new Map<string, Awaited<ReturnType<typeof playAll>>>();
for (const driver of values.driver) plays.set(driver, await playAll(driver, combinations));
const [first, ...others] = values.driver;
let bad = 0;
for (const one of combinations) {
  const lines: string[] = [];
  for (const [driver, played] of plays)
    for (const failure of played.get(one.id)?.failures ?? []) lines.push(`  ${driver}: ${failure}`);
  const left = plays.get(first!)!.get(one.id);
  for (const other of others) {
    const right = plays.get(other)!.get(one.id);
    if (left && right)
      lines.push(...differences(left.record, right.record).map((line) => `  ${first} ≠ ${other} ${line}`));
  }
  if (lines.length === 0) continue;
  bad += 1;
  console.log(`${one.id}: ${one.ingredients.join(", ")}\n${lines.join("\n")}`);
  if (values.show) console.log(JSON.stringify(one.case, null, 1));
}
for (const [driver, played] of plays) console.log(`${driver} played ${played.size}`);
console.log(`${combinations.length} combinations, ${bad} with a difference`);
