// Runs the same again and again beside busy loops, and names whatever comes out different: npm run soak [-- --times 50 --busy 4]
// Either the suite, each time with another seed (--driver python), or the tests that start processes, servers or timers (--tests).

import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { vitest } from "./check.ts";
import { runCheckStep } from "./check-step.ts";
import { listFailures, reportIn } from "./read-report.ts";
import { root } from "./schema-files.ts";
import { wholeVariable } from "./whole.ts";

/** What one time came to: whether it passed, and what became of each variant or test. */
interface Round {
  passed: boolean;
  verdicts: [name: string, verdict: string][];
}

const { values: options } = parseArgs({
  options: {
    tests: { type: "boolean", default: false },
    times: { type: "string" },
    busy: { type: "string" },
    driver: { type: "string", default: "reference" },
  },
});
const times = Number(options.times ?? (options.tests ? 20 : 50));
const play = options.tests ? playTests : playSuite;
// Most of the tests that need long are among those that start processes.
process.env[wholeVariable] = "whole";

// A thread ends with its process, whatever ends that.
const loops = Number(options.busy ?? (options.tests ? 2 : 4));
const busy = Array.from({ length: loops }, () => new Worker("for (;;);", { eval: true }));
const verdicts = new Map<string, string>();
const flakes = new Set<string>();
let failed = 0;
let count = 0;
const loads: number[] = [];

for (let time = 1; time <= times; time += 1) {
  const round = await play(time);
  if (!round.passed) failed += 1;
  loads.push(loadavg()[0]!);
  count += round.verdicts.length;
  for (const [name, verdict] of round.verdicts) note(name, verdict);
}
await Promise.all(busy.map((worker) => worker.terminate()));

for (const name of flakes) console.log(`flake: ${name}`);
console.log(
  `${times} runs, ${failed} of them red; ${count} verdicts, ${flakes.size} flakes; ${busy.length} busy loops on ` +
    `${cpus().length} processors, load average ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`,
);
process.exitCode = failed > 0 || flakes.size > 0 || count === 0 ? 1 : 0;

function note(name: string, verdict: string): void {
  const before = verdicts.get(name);
  if (before === undefined) verdicts.set(name, verdict);
  else if (before !== verdict) flakes.add(`${name}: ${before}, then ${verdict}`);
}

async function playSuite(time: number): Promise<Round> {
  const { passed, stdout } = await runCheckStep({
    name: `${options.driver} ${time} of ${times}`,
    commands: [["node", "conformance/cli/main.ts", "test", "--driver", options.driver, "--reporter", "json"]],
    fix: "Each variant that failed stands above with the command that repeats it, seed and all.",
    summarize: listFailures,
  });
  const ran = reportIn(stdout)?.variants ?? [];
  return { passed, verdicts: ran.map(({ check, variant, verdict }) => [`${check} ${variant}`, verdict]) };
}

async function playTests(time: number): Promise<Round> {
  const file = join(root, ".cache/soak.json");
  mkdirSync(join(root, ".cache"), { recursive: true });
  rmSync(file, { force: true });
  const { passed } = await runCheckStep({
    name: `tests ${time} of ${times}`,
    commands: [[...vitest, "--reporter=json", `--outputFile.json=${file}`, ...timedTests()]],
    fix: "Run one file alone with: npx vitest run --config conformance/dev/vitest.config.ts <file>",
  });
  return { passed, verdicts: existsSync(file) ? readVerdicts(readFileSync(file, "utf8")) : [] };
}

/** The tests on which a busy machine can have an influence: those that start something, or wait for it. */
function timedTests(): string[] {
  const starts = /node:child_process|node:http|node:net|setTimeout|expect\.poll|runSuite|zoo\.ts|TapeServer|Recorder/;
  return globSync("{reference,conformance}/**/*.test.ts", { cwd: root })
    .filter((file) => starts.test(readFileSync(join(root, file), "utf8")))
    .toSorted();
}

function readVerdicts(text: string): Round["verdicts"] {
  const { testResults } = JSON.parse(text) as {
    testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
  };
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }): [string, string] => [
      `${name.slice(root.length)} ${fullName}`,
      status,
    ]),
  );
}
