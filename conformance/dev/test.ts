// Tests everything, and ends with one line that counts unit tests and conformance variants together: npm test [-- --whole]
// With --whole each loop plays more variants, and what needs a minute of a processor is tested, too: as CI does.

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkSteps, specStep, vitest } from "./check.ts";
import { kept } from "./combinations.ts";
import { buildPlays, drivers, shortPlays, testOptions, whyNot } from "./conformance.ts";
import type { Play } from "./conformance.ts";
import { root } from "./schema-files.ts";
import { listFailures, reportIn, sizeProblem } from "./read-report.ts";
import { runCheckStep } from "./check-step.ts";
import type { CheckStep } from "./check-step.ts";
import { wholeVariable } from "./whole.ts";

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const whole = wholeFrom(process.argv.slice(2));
// The tests read it when they start.
if (whole) process.env[wholeVariable] = "whole";
const total: Count = { passed: 0, failed: 0, skipped: 0 };

// What starts processes waits for them most of the time: the unit tests and the rest, one after another, share the processors.
await Promise.all([unitTests(), theRest()]);

console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

/** Whether everything is asked for; ends the process if it is something else. */
function wholeFrom(args: readonly string[]): boolean {
  if (args.length === 0) return false;
  if (args.length === 1 && args[0] === "--whole") return true;
  console.error(`npm test takes --whole or nothing, not ${args.join(" ")}. Write: npm test -- --whole`);
  process.exit(2);
}

async function theRest(): Promise<void> {
  for (const step of checkSteps.filter(({ name }) => name !== "units" && name !== "conformance")) {
    const { passed } = await runCheckStep(step.name === "spec" ? specStep : step);
    if (!passed) total.failed += 1;
  }
  await unitsOf("python", {
    commands: ["conformance/drivers/python", "conformance/peers/python"].map((folder) => [
      "python3",
      "-B",
      "-m",
      "unittest",
      "discover",
      "-s",
      folder,
      "-p",
      "test_*.py",
    ]),
    fix: "Run alone with: python3 -m unittest discover -s conformance/drivers/python -p 'test_*.py', and of conformance/peers/python",
  });
  await unitsOf("go", {
    commands: ["vet", "test"].map((verb) => ["go", "-C", "conformance/drivers/go", verb, "./..."]),
    fix: "Run alone, in conformance/drivers/go, with: go vet ./... && go test ./...",
  });
  await recordings();
  await combinations();
  for (const play of whole ? buildPlays : shortPlays) await conformance(play);
}

async function unitTests(): Promise<void> {
  const file = join(root, ".cache/vitest.json");
  mkdirSync(join(root, ".cache"), { recursive: true });
  rmSync(file, { force: true });
  const { passed } = await runCheckStep({
    name: "units and package",
    commands: [[...vitest, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`]],
    fix: "Run one file alone with: npx vitest run --config conformance/dev/vitest.config.ts <file>",
  });
  if (!existsSync(file)) return void (total.failed += 1);
  const report = JSON.parse(readFileSync(file, "utf8")) as Record<
    `num${"Passed" | "Failed" | "Pending" | "Todo"}Tests`,
    number
  >;
  total.passed += report.numPassedTests;
  total.skipped += report.numPendingTests + report.numTodoTests;
  total.failed += Math.max(report.numFailedTests, passed ? 0 : 1);
}

/** The drivers in other languages have unit tests of their own; they are not counted, only their failure is. */
async function unitsOf(driver: string, units: Omit<CheckStep, "name">): Promise<void> {
  const reason = whyNot(driver);
  if (reason !== undefined) return console.log(`skip  units of ${driver}: ${reason}`);
  const { passed } = await runCheckStep({ name: `units of ${driver}`, ...units });
  if (!passed) total.failed += 1;
}

async function recordings(): Promise<void> {
  const script = "conformance/dev/recordings/run.ts";
  if (!existsSync(join(root, script))) return;
  const { passed, stdout } = await runCheckStep({
    name: "recordings",
    commands: [["node", script]],
    fix: "Run alone with: npm run recordings",
  });
  console.log(stdout.trimEnd().split("\n").at(-1));
  if (!passed) total.failed += 1;
}

/** What meets in no case: with every loop that is here, and with the reference as it was before. */
async function combinations(): Promise<void> {
  const times = String(whole ? kept : kept / 4);
  // Each loop plays them once more, and there are several.
  const compared = String(whole ? kept / 4 : kept / 8);
  const loops = drivers.filter((driver) => whyNot(driver) === undefined).flatMap((driver) => ["-d", driver]);
  const { passed, stdout } = await runCheckStep({
    name: "combinations",
    commands: [
      ["node", "conformance/cli/main.ts", "driver", "combine", ...loops, "--times", compared],
      ["node", "conformance/dev/combinations.ts", "--times", times],
    ],
    fix: "Each difference above ends with the command that shows it alone. What changed and was meant: npm run combinations -- --keep",
  });
  if (passed) console.log(stdout.trimEnd().split("\n").at(-1));
  else total.failed += 1;
}

async function conformance(play: Play): Promise<void> {
  const { name, needed } = play;
  const reason = needed.map(whyNot).find((why) => why !== undefined);
  if (reason !== undefined) return console.log(`skip  conformance of ${name}: ${reason}`);
  const { passed, stdout } = await runCheckStep({
    name: `conformance ${name}`,
    commands: [["node", "conformance/cli/main.ts", "test", "--reporter", "json", ...(await testOptions(play))]],
    fix: "See each failure whole with the command beside it, or with: npm run conformance",
    summarize: listFailures,
  });
  const tooLarge = passed ? sizeProblem(stdout) : undefined;
  if (tooLarge !== undefined) console.log(`FAIL  conformance ${name}: ${tooLarge}`);
  const totals = reportIn(stdout)?.totals;
  if (totals === undefined) return void (total.failed += 1);
  const failed = totals.fail + totals["unexpected-pass"] + totals["not-run"] + totals["harness-error"];
  total.passed += totals.pass + totals["expected-fail"];
  total.skipped += totals.unsupported + totals["not-applicable"];
  total.failed += Math.max(failed, passed && tooLarge === undefined ? 0 : 1);
}
