// Reads thousands of damaged streams, and runs with damaged schemas, rules and tool returns:
// `npm run fuzz [-- --runs 10000 --seed 1 --provider openai-chat --from 0]`; the runs are the provider `none`.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { fuzzInputs } from "./fuzz/inputs.ts";
import { type Found, fuzz, providerNames } from "./fuzz/run.ts";
import { root } from "./schema-files.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    provider: { type: "string" },
    recordings: { type: "string", default: resolve(root, "../shared/recordings") },
  },
});
const [runs, seed, from] = [values.runs, values.seed, values.from].map(Number) as [number, number, number];
if (![runs, seed, from].every(Number.isSafeInteger)) throw new Error("--runs, --seed and --from are whole numbers.");
const names = providerNames.filter((name) => values.provider === undefined || name === values.provider);
const isOfInputs = values.provider === undefined || values.provider === "none";
if (names.length === 0 && !isOfInputs)
  throw new Error(`--provider is one of ${providerNames.join(", ")} and none, not ${values.provider}.`);

for (const name of names) {
  const { endings, found } = await fuzz(name, { runs, seed, from, recordings: values.recordings });
  const counted = Object.entries(endings).toSorted(([, a], [, b]) => b - a);
  console.log(`${name}: ${runs} runs with seed ${seed}, ${found.length} problems`);
  console.log(`  ${counted.map(([ending, count]) => `${ending} ${count}`).join(" · ")}`);
  for (const [kind, [first, ...more]] of Map.groupBy(found, kindOf)) show(kind, first!, more.length);
  if (found.length > 0) process.exitCode = 1;
}

if (isOfInputs) {
  const { endings, found } = await fuzzInputs({ runs, seed, from });
  const counted = Object.entries(endings).toSorted(([, a], [, b]) => b - a);
  console.log(`schemas, rules and tool returns: ${runs} runs with seed ${seed}, ${found.length} problems`);
  console.log(`  ${counted.map(([ending, count]) => `${ending} ${count}`).join(" · ")}`);
  for (const { run, problem, given } of found.slice(0, 20))
    console.log(
      `\n  ${problem.slice(0, 300)}\n    with ${given}\n    again: npm run fuzz -- --provider none --seed ${seed} --from ${run} --runs 1`,
    );
  if (found.length > 0) process.exitCode = 1;
}

/** Problems of the same kind differ only in what stands in quotes and in numbers. */
function kindOf({ problem }: Found): string {
  return problem
    .split("\n")[0]!
    .replace(/"(?:[^"\\]|\\.)*"|[[{].*|\d+/g, "…")
    .slice(0, 120);
}

function show(kind: string, { provider, run, done, problem }: Found, more: number): void {
  console.log(`\n  ${kind}${more > 0 ? ` (and ${more} more)` : ""}`);
  console.log(`    ${problem.slice(0, 600).replaceAll("\n", "\n    ")}`);
  console.log(`    after: ${done.join(", ")}`);
  console.log(`    again: npm run fuzz -- --provider ${provider} --seed ${seed} --from ${run} --runs 1`);
}
