// Proves that the checks can fail: puts one small fault after another into a copy of the reference: npm run mutants

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pc from "picocolors";
import { loadSuite, runSuite } from "../../kit/index.ts";
import type { Requirement } from "../generate-requirements.ts";
import { root } from "../schema-files.ts";
import { casesOf, findIdle, idleProblems } from "./idle-cases.ts";
import { besideCounts, outlierProblems } from "./outliers.ts";
import { matrixFile, matrixText } from "./matrix.ts";
import { readMutants } from "./read-mutants.ts";
import { publishRedCases } from "./red-cases.ts";
import type { Idle, Mutant } from "./read-mutants.ts";
import { copyReference } from "./reference-copy.ts";
import type { ReferenceCopy } from "./reference-copy.ts";
import { tryMutant } from "./try-mutant.ts";
import type { Tried } from "./try-mutant.ts";

const usage = `Usage: npm run mutants -- [--only <id, requirement or beginning of one>]... [--jobs <n>] [--full] [--check]
  --only   only these mutants; the matrix is not written, but what the quiz knows of them
  --jobs   how many copies of the reference are tried at the same time (2)
  --full   finds the cases that see no fault of their requirement, too, and holds them against conformance/mutants/idle.yaml
  --check  writes nothing, but fails if ${matrixFile} says something else, or if the quiz knows nothing of one`;

const options = readOptions();
const startedAt = performance.now();
const copies: ReferenceCopy[] = [];
process.on("exit", () => copies.forEach((copy) => copy.remove()));
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));

try {
  process.exitCode = await main();
} catch (error) {
  const { name, message, stack } = error as Error;
  console.error(name === "MutantError" || name === "LoadError" ? message : stack);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const known = readMutants(root, isChosen);
  const mutants = known.mutants.filter(isChosen);
  if (mutants.length === 0) {
    console.error(`No mutant fits --only ${options.only.join(" --only ")}.\n${usage}`);
    return 2;
  }
  const suite = await loadSuite();
  for (let lane = 0; lane < Math.min(options.jobs, mutants.length); lane++) copies.push(copyReference(root));
  // Most of what a fault takes is the start of its driver, and most of that is compiling what no fault has changed.
  process.env["NODE_COMPILE_CACHE"] = join(copies[0]!.driver.command.cwd!, ".compiled");
  const wrong = await redWithoutFault(mutants, suite);
  if (wrong.length > 0) {
    console.error(`The reference fails without any fault, so that nothing can be shown:\n${wrong.join("\n")}`);
    return 1;
  }
  const tried = new Map<string, Tried>();
  await forEachMutant(mutants, async (mutant, copy) => {
    const one = await tryMutant(mutant, copy.driver, suite);
    tried.set(mutant.id, one);
    printTried(one, tried.size, mutants.length);
  });
  const all = mutants.map(({ id }) => tried.get(id)!);
  const idle = options.full ? await idleOf(all, suite, known.idle) : [];
  const unexplained = outlierProblems(all, known.outliers);
  if (idle.length + unexplained.length > 0) console.log([...idle, ...unexplained].join("\n"));
  const isKnown = publishRedCases(all, known.mutants, options.check);
  const isFresh = (options.only.length > 0 || publish(all, known)) && isKnown;
  summarize(all);
  return all.every(({ verdict }) => verdict === "killed") && idle.length + unexplained.length === 0 && isFresh ? 0 : 1;
}

function isChosen({ id, requirement }: Mutant): boolean {
  const { only } = options;
  return (
    only.length === 0 || only.some((wanted) => requirement === wanted || id.startsWith(wanted) || isChapter(wanted))
  );
  function isChapter(wanted: string): boolean {
    return /^[A-Z]+$/.test(wanted) && requirement.startsWith(`${wanted}-`);
  }
}

/** The variants that fail although nothing is broken. */
async function redWithoutFault(mutants: Mutant[], suite: Awaited<ReturnType<typeof loadSuite>>): Promise<string[]> {
  const requires = [...new Set(mutants.map(({ requirement }) => requirement))];
  const { report, startError } = await runSuite({ driver: copies[0]!.driver, suite, select: { requires } });
  if (startError !== undefined) return [startError];
  const red = report.variants.filter(({ repro }) => repro !== undefined);
  return red.map(({ check, variant, failures, reason }) => `${check} ${variant}: ${failures?.[0]?.message ?? reason}`);
}

/** Gives each mutant to a copy that is free. */
async function forEachMutant(
  mutants: readonly Mutant[],
  use: (mutant: Mutant, copy: ReferenceCopy) => Promise<void>,
): Promise<void> {
  const queue = [...mutants];
  const lane = async (copy: ReferenceCopy) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const next = mutant;
      await copy.broken(next, () => use(next, copy));
    }
  };
  await Promise.all(copies.map(lane));
}

async function idleOf(
  tried: Tried[],
  suite: Awaited<ReturnType<typeof loadSuite>>,
  listed: readonly Idle[],
): Promise<string[]> {
  const killers = new Set(tried.flatMap((one) => one.killers));
  const mutants = tried.map(({ mutant }) => mutant);
  const printLeft = (left: number) => {
    if (process.stdout.isTTY)
      process.stdout.write(`\r\u001b[2K${left} cases have seen no fault of their requirement yet`);
  };
  const found = await findIdle(suite, mutants, killers, forEachMutant, printLeft);
  return idleProblems(found, casesOf(suite, mutants), listed);
}

/** Writes the matrix, or says that it is stale. */
function publish(tried: Tried[], { none, idle, outliers }: ReturnType<typeof readMutants>): boolean {
  const { requirements } = JSON.parse(readFileSync(join(root, "spec/requirements.json"), "utf8")) as {
    requirements: Requirement[];
  };
  const text = matrixText({ requirements, tried, none, idle, outliers });
  const file = join(root, matrixFile);
  if (existsSync(file) && readFileSync(file, "utf8") === text) return true;
  if (options.check) {
    console.log(pc.red(`${matrixFile} is stale. Run \`npm run mutants\` and commit the result.`));
    return false;
  }
  writeFileSync(file, text);
  console.log(`wrote ${matrixFile}`);
  return true;
}

function printTried({ mutant, verdict, reason }: Tried, done: number, count: number): void {
  const line = `${String(done).padStart(String(count).length)}/${count} ${verdict.padEnd(8)} ${mutant.requirement} ${mutant.id}`;
  if (verdict === "killed") {
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[2K${line}`);
    else if (done % 50 === 0) console.log(line);
    return;
  }
  if (process.stdout.isTTY) process.stdout.write("\r\u001b[2K");
  console.log(`${pc.red(line)}\n  ${mutant.seen}\n  ${mutant.file}: ${reason}`);
}

function summarize(tried: Tried[]): void {
  if (process.stdout.isTTY) process.stdout.write("\r\u001b[2K");
  const count = (wanted: Tried["verdict"]) => tried.filter(({ verdict }) => verdict === wanted).length;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const requirements = new Set(tried.map(({ mutant }) => mutant.requirement)).size;
  console.log(
    `${tried.length} mutants of ${requirements} requirements: ${count("killed")} killed, ${count("survived")} survived, ${count("broken")} broken (${seconds} s)`,
  );
  const { median, most } = besideCounts(tried);
  console.log(`other requirements that are red beside: ${median} in the median, at most ${most}`);
}

function readOptions(): { only: string[]; jobs: number; full: boolean; check: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true, default: [] },
        jobs: { type: "string", default: "2" },
        full: { type: "boolean", default: false },
        check: { type: "boolean", default: false },
      },
    });
    const jobs = Number(values.jobs);
    if (!Number.isInteger(jobs) || jobs < 1) throw new Error("--jobs takes a whole number from 1");
    return { ...values, jobs };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
}
