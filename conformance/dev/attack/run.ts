// Attacks the replay server for as long as is asked, and says whether it lives and what it holds: npm run attack [-- --minutes 60 --seed 1]

import { parseArgs } from "node:util";
import { newSeed } from "../../kit/base/seeded-random.ts";
import { besiege, growthOf } from "./siege.ts";

const { values: options } = parseArgs({
  options: { minutes: { type: "string", default: "1" }, seed: { type: "string" } },
});
const seed = options.seed === undefined ? newSeed() : Number(options.seed);
const end = performance.now() + Number(options.minutes) * 60_000;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** What collections of garbage leave differs by more than a round costs. */
const noiseBytes = 4 * 1024 * 1024;

const { rounds, answers, costs, slow, problems } = await besiege(seed, () => performance.now() < end);
const grown = growthOf(costs);
if (grown.heapBytes > noiseBytes) problems.push(`the heap grew by ${mebibytes(grown.heapBytes)}`);
if (grown.handles > 2) problems.push(`${grown.handles} more handles are open than at the beginning`);

for (const problem of problems.slice(0, 20)) console.log(`found: ${problem}`);
for (const { round, ms, computedMs, stillMs, attacks } of slow.slice(0, 20)) {
  const longest = attacks.slice(0, 3).map(([name, took]) => `${name} ${seconds(took)}`);
  console.log(
    `slow: round ${round} took ${seconds(ms)}, in which the server computed for ${seconds(computedMs)} and stood still for ` +
      `${seconds(stillMs)} at most; the longest: ${longest.join(", ")}`,
  );
}
const total = Object.values(answers).reduce((sum, count) => sum + count, 0);
const byStatus = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
console.log(`${total} requests were answered: ${byStatus.join(", ")}`);
console.log(
  `${rounds} rounds, ${problems.length} problems; heap ${mebibytes(costs.at(1)?.heapBytes ?? 0)} after the second round, ` +
    `${mebibytes(costs.at(-1)?.heapBytes ?? 0)} after the last; the server stood still for ` +
    `${seconds(Math.max(0, ...costs.map(({ stillMs }) => stillMs)))} at most; seed ${seed}`,
);
process.exitCode = problems.length > 0 || rounds === 0 ? 1 : 0;
