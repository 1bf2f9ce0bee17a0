// Runs the suite again and again beside busy loops, each time with another seed: npm run soak [-- --times 50 --busy 4 --driver reference]
// A variant whose verdict is not the same each time is a flake, whichever of them is right.

import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { listFailures, reportIn } from "./read-report.ts";
import { runCheckStep } from "./check-step.ts";

const { values: options } = parseArgs({
  options: {
    times: { type: "string", default: "50" },
    busy: { type: "string", default: "4" },
    driver: { type: "string", default: "reference" },
  },
});
const times = Number(options.times);

// A thread ends with its process, whatever ends that.
const busy = Array.from({ length: Number(options.busy) }, () => new Worker("for (;;);", { eval: true }));
const verdicts = new Map<string, string>();
const flakes = new Set<string>();
let failed = 0;
let variants = 0;
const loads: number[] = [];

for (let time = 1; time <= times; time += 1) {
  const { passed, stdout } = await runCheckStep({
    name: `${options.driver} ${time} of ${times}`,
    commands: [["node", "conformance/cli/main.ts", "test", "--driver", options.driver, "--reporter", "json"]],
    fix: "Each variant that failed stands above with the command that repeats it, seed and all.",
    summarize: listFailures,
  });
  if (!passed) failed += 1;
  loads.push(loadavg()[0]!);
  const ran = reportIn(stdout)?.variants ?? [];
  variants += ran.length;
  for (const { check, variant, verdict } of ran) note(`${check} ${variant}`, verdict);
}
await Promise.all(busy.map((worker) => worker.terminate()));

for (const name of flakes) console.log(`flake: ${name}`);
console.log(
  `${times} runs, ${failed} of them red; ${variants} verdicts, ${flakes.size} flakes; ${busy.length} busy loops on ` +
    `${cpus().length} processors, load average ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`,
);
process.exitCode = failed > 0 || flakes.size > 0 || variants === 0 ? 1 : 0;

function note(name: string, verdict: string): void {
  const before = verdicts.get(name);
  if (before === undefined) verdicts.set(name, verdict);
  else if (before !== verdict) flakes.add(`${name}: ${before}, then ${verdict}`);
}
