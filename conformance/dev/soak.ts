// Runs the same again and again beside busy loops, and names whatever comes out different: npm run soak [-- --times 50 --busy 4]
// Either the suite, each time with another seed (--driver python), or the tests that start processes, servers or timers (--tests), of
// them only those whose path has one of the words behind it (--tests kit/ cli/), whole or with --short as `npm test` plays them. Says
// what it has so far when it is interrupted.

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

const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    times: { type: "string" },
    busy: { type: "string" },
    driver: { type: "string", default: "reference" },
  },
});
const times = Number(options.times ?? (options.tests ? 20 : 50));
const play = options.tests ? playTests : playSuite;
// Most of the tests that need long are among those that start processes.
if (!options.short) process.env[wholeVariable] = "whole";

/** A minute of the reference on the whole suite, which reports what each step was: without --tests, the same suite is repeated. */
const playsTheSuite = ["conformance/teaching/stepper/whole-suite.whole.test.ts"];

// A thread ends with its process, whatever ends that.
const loops = Number(options.busy ?? (options.tests ? 2 : 4));
const busy = Array.from({ length: loops }, () => new Worker("for (;;);", { eval: true }));
const verdicts = new Map<string, string>();
const flakes = new Set<string>();
let failed = 0;
let count = 0;
const loads: number[] = [];

let played = 0;

// check-step.ts ends the process on a signal, and what is running with it.
process.on("exit", summarize);

for (let time = 1; time <= times; time += 1) {
  const round = await play(time);
  if (!round.passed) failed += 1;
  loads.push(loadavg()[0]!);
  count += round.verdicts.length;
  for (const [name, verdict] of round.verdicts) note(name, verdict);
  played = time;
}
await Promise.all(busy.map((worker) => worker.terminate()));
process.exitCode = failed > 0 || flakes.size > 0 || count === 0 ? 1 : 0;

/** The last words, however it ends. */
function summarize(): void {
  for (const name of flakes) console.log(`flake: ${name}`);
  const load =
    loads.length === 0 ? "" : `, load average ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
  console.log(
    `${played === times ? times : `${played} of ${times}`} runs, ${failed} of them red; ${count} verdicts, ${flakes.size} flakes; ` +
      `${busy.length} busy loops on ${cpus().length} processors${load}`,
  );
}

function note(name: string, verdict: string): void {
  const before = verdicts.get(name);
  const flake = `${name}: ${before}, then ${verdict}`;
  if (before === undefined) verdicts.set(name, verdict);
  else if (before !== verdict && !flakes.has(flake)) {
    flakes.add(flake);
    console.log(`flake: ${flake}`);
  }
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
    // What a flake was is known only from the round that has it.
    commands: [[...vitest, "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`, ...timedTests()]],
    fix: "Run one file alone with: npx vitest run --config conformance/dev/vitest.config.ts <file>",
  });
  return { passed, verdicts: existsSync(file) ? readVerdicts(readFileSync(file, "utf8")) : [] };
}

/**
 * The tests on which a busy machine can have an influence: those that start something and go on beside it, or wait for it, and those
 * that measure. One that only starts processes and stands still until they have ended takes longer there, and nothing else.
 */
function timedTests(): string[] {
  const starts =
    /import (?!type)[^;]*\b(spawn|execFile)\b[^;]* from "node:child_process"|from "node:(http|net)"|setTimeout|expect\.poll|zoo\.ts/;
  const startsByOthers =
    /\b(runSuite|playSuite|catchCheat|walkProtocol|DriverSession|RunWatch|TimeLimit|TapeServer|Recorder|Program|Changes|campaign|startPostgres|probe(Small|Own)[A-Z]\w+)\b/;
  const measures = /\b(measure\w*|callsPerTurn|workOfReading)\(/;
  const files = globSync("{reference,conformance}/**/*.test.ts", { cwd: root })
    .filter((file) => !playsTheSuite.includes(file) && !(options.short && file.endsWith(".whole.test.ts")))
    .filter((file) =>
      [starts, startsByOthers, measures].some((pattern) => pattern.test(readFileSync(join(root, file), "utf8"))),
    )
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .toSorted();
  // Without a name vitest would take all.
  if (files.length > 0) return files;
  console.error(`No test that starts something has ${parts.join(" or ")} in its path.`);
  process.exit(2);
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
