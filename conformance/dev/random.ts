// Plays the random runs, worlds and walks of the tests in larger numbers than `npm test`: npm run random [-- --times 20 --seed 7]

import { parseArgs } from "node:util";
import { vitest } from "./check.ts";
import { runCheckStep } from "./check-step.ts";

/** How many of each are played, by the variable that its test reads; `npm test -- --whole` plays a third of them, `npm test` a tenth. */
const numbers = { RANDOM_RUNS: 10_000, ODD_RUNS: 5000, WALK_RUNS: 3000 };
const tests = [
  "reference/run/random-runs.long.test.ts",
  "reference/run/odd-worlds.long.test.ts",
  "conformance/teaching/stepper/random-walks.long.test.ts",
];

const { values } = parseArgs({
  options: { times: { type: "string", default: "1" }, seed: { type: "string", default: "1" } },
});
const [times, seed] = [Number(values.times), Number(values.seed)] as const;
if (!(Number.isSafeInteger(times) && times > 0 && Number.isSafeInteger(seed)))
  throw new Error(
    `--times is a whole number from 1, and --seed a whole number, not ${values.times} and ${values.seed}.`,
  );

for (const [name, number] of Object.entries(numbers)) process.env[name] = String(number * times);
process.env["RANDOM_SEED"] = values.seed;
const { passed } = await runCheckStep({
  name: `random, from seed ${seed}`,
  commands: [[...vitest, ...tests]],
  fix: "What fails stands above with its seed and the smallest scenario that shows it.",
});
process.exitCode = passed ? 0 : 1;
