// The command `repro`: shows what goes over the wire in one variant, lets a driver run it under a debugger, or serves it to any client.

import { once } from "node:events";
import { exitCodeOf, findDriver, loadSuite, runSuite } from "../kit/index.ts";
import type { Suite, VariantResult } from "../kit/index.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { newSeed } from "../kit/base/seeded-random.ts";
import type { Selected } from "../kit/suite/selection.ts";
import { variantsOf } from "../kit/suite/variant.ts";
import { observeDriver } from "../kit/driver/observe-driver.ts";
import { curlScript, messageLines } from "../reporters/transcript.ts";
import type { Spoken } from "../reporters/transcript.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The options of the command line. */
export interface ReproOptions {
  driver?: string;
  wait?: boolean;
  serve?: boolean;
  /** Absent: the usual one. 0: any that is free. */
  port?: number;
  seed?: number;
  split?: number;
}

/** The default port of `--serve`. */
const usualPort = 4010;
/** As long as a debugger may want, and a timer can wait, in milliseconds. */
const noHurry = 2 ** 31 - 1;

/** Shows, or serves until Ctrl-C, one variant. */
export async function repro(caseId: string, variantName: string, options: ReproOptions): Promise<void> {
  if (options.serve && (options.driver !== undefined || options.wait))
    throw new UsageError("--serve waits for any client, and --driver starts one; give one of them");
  const suite = await loadSuite();
  const selected = variantOf(suite, caseId, variantName);
  const seed = options.seed ?? newSeed();
  if (!options.serve) return await show(suite, selected, seed, options);
  const { serveUntilStopped } = await import("./repro-serve.ts");
  await serveUntilStopped(selected, seed, options.port ?? usualPort);
}

/** @throws UsageError where there is no such variant */
function variantOf(suite: Suite, caseId: string, variantName: string): Selected {
  const id = caseId.replace(/^conformance\/cases\//, "").replace(/\.yaml$/, "");
  const entry = suite.cases.find((one) => one.id === id);
  if (!entry) {
    const ids = suite.cases.map((one) => one.id);
    throw new UsageError(`there is no case ${id}; ${whichName(id, ids, `see them with: ${commandLine} list cases`)}`);
  }
  const names = variantsOf(entry.case).map(({ name }) => name);
  const variant = variantsOf(entry.case).find(({ name }) => name === variantName);
  if (variant) return { entry, variant };
  throw new UsageError(`the case ${id} has no variant ${variantName}; it has ${names.join(", ")}`);
}

async function show(suite: Suite, { entry, variant }: Selected, seed: number, options: ReproOptions): Promise<void> {
  const driver = findDriver(options.driver ?? "reference");
  const spoken: Spoken[] = [];
  // Who has waited long enough for a driver that hangs wants to see how far it came.
  const printProgress = () => {
    console.log(`# ${entry.id} ${variant.name}, played by ${driver.name}, seed ${seed}: broken off`);
    for (const line of messageLines(spoken)) console.log(line);
  };
  process.once("exit", printProgress);
  const run = await runSuite({
    driver: { ...driver, command: observeDriver(driver.command, (who, line) => spoken.push({ who, line })) },
    suite: { ...suite, cases: [entry] },
    select: { variants: [variant.name] },
    knownFailures: null,
    details: "all",
    seed,
    splits: options.split === undefined ? [] : [options.split],
    // Stepping through a program takes time.
    timeoutMs: Infinity,
    startTimeoutMs: noHurry,
    ...(options.wait && { onDriver: untilEnter }),
  });
  process.off("exit", printProgress);
  const [result] = run.report.variants as [VariantResult];
  if (run.startError !== undefined) console.error(`The driver never initialised: ${run.startError}`);
  for (const line of describe(result, run.report.driver, seed)) console.log(line);
  for (const line of variant.seam === "generic" ? messageLines(spoken) : []) console.log(line);
  if (options.driver === undefined && result.reason?.includes("declare the seam"))
    console.error(
      "The reference speaks to a provider only where its SDK is: npm install @anthropic-ai/sdk openai. Or name a driver that needs none: --driver python",
    );
  process.exitCode = exitCodeOf(run);
}

async function untilEnter(pid: number | undefined): Promise<void> {
  console.error(`The driver is process ${pid}. Attach what you want to see it with, then press Enter.`);
  await Promise.race([once(process.stdin, "data"), once(process.stdin, "end")]);
  process.stdin.pause();
}

function* describe(result: VariantResult, driver: string, seed: number): Generator<string> {
  const { case: id, variant, verdict, reason, failures = [], exchanges = [] } = result;
  yield `# ${id} ${variant}, played by ${driver}, seed ${seed}: ${verdict}${reason === undefined ? "" : `, ${reason}`}`;
  for (const { message, requirement } of failures)
    for (const [index, line] of message.split("\n").entries())
      yield `#   ${index === 0 && requirement !== undefined ? `${requirement} ` : ""}${line}`;
  const [seam] = variant.split("/");
  if (seam !== "generic" && exchanges.length > 0) {
    yield `# The commands work while this runs: ${commandLine} repro ${id} ${variant} --seed ${seed} --serve --port ${usualPort}`;
    yield* curlScript(exchanges, seam as Parameters<typeof curlScript>[1], `http://127.0.0.1:${usualPort}/r1`);
  }
}
