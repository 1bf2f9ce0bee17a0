// Measures what a run of the suite costs as it grows, against the reference, with one driver process: npm run bench:kit [-- --rounds 3]

import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { keepHeapSmall } from "../cli/test-command/small-heap.ts";
import { findDriver, loadSuite, runSuite } from "../kit/index.ts";
import { select } from "../kit/suite/selection.ts";

/** What a run of so many variants took, from the handshake of the driver to the last verdict. */
interface Cost {
  variants: number;
  seconds: number;
  /** CPU time of the kit, in milliseconds. */
  kitMs: number;
  /** CPU time of the driver from its start, in milliseconds; null where there is no /proc to read it from. */
  driverMs: number | null;
  /** The most memory that the kit had, in mebibytes. */
  peakMiB: number;
}

const sizes = [500, 1000, 2000] as const;
const bars = { seconds: 10, peakMiB: 300, growth: 1.15 };
/** Of a clock tick of the kernel, which counts CPU time in hundredths of a second. */
const tickMs = 10;

/** Takes so many variants, spread evenly over the suite, so that each size has the same mixture. */
async function measure(size: number): Promise<Cost> {
  keepHeapSmall();
  const suite = await loadSuite();
  const all = select(suite.cases, {});
  const places = new Set(Array.from({ length: size }, (_, at) => Math.floor((at * all.length) / size)));
  const chosen = new Set([...places].map((place) => nameOf(all[place]!)));
  let begun = { at: 0, cpu: process.cpuUsage() };
  let pid: number | undefined;
  let driverMs: number | null = null;
  const { report } = await runSuite({
    driver: findDriver("reference"),
    suite,
    only: (selected) => chosen.has(nameOf(selected)),
    onDriver: (started) => void (pid = started),
    onStart: () => (begun = { at: performance.now(), cpu: process.cpuUsage() }),
    onResult: () => (driverMs = pid === undefined ? null : cpuOf(pid)),
  });
  const red = report.variants.filter(({ verdict }) => verdict !== "pass" && verdict !== "not-applicable");
  if (red.length > 0)
    throw new Error(`${red.length} variants did not pass, so that nothing is measured: ${red[0]!.check}`);
  const { user, system } = process.cpuUsage(begun.cpu);
  return {
    variants: report.variants.length,
    seconds: (performance.now() - begun.at) / 1000,
    kitMs: (user + system) / 1000,
    driverMs,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  };
}

function nameOf({ entry, variant }: ReturnType<typeof select>[number]): string {
  return `${entry.id} ${variant.name}`;
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function cpuOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return null;
  }
}

/** Measures in a process of its own, because what was run before would be warm. */
function inProcess(size: number): Promise<Cost> {
  const child = fork(fileURLToPath(import.meta.url), ["--measure", String(size)]);
  return new Promise((resolve, reject) => {
    child.once("message", (cost) => resolve(cost as Cost));
    child.once("exit", (code) => reject(new Error(`measuring ${size} variants ended with code ${code}`)));
  });
}

const { values: options } = parseArgs({
  options: { rounds: { type: "string", default: "1" }, measure: { type: "string" } },
});
if (options.measure === undefined) await compare(Number(options.rounds));
else {
  const cost = await measure(Number(options.measure));
  process.send!(cost, () => process.disconnect());
}

/** Prints the cheapest round of each size: what else runs on the machine only ever makes a round dearer. */
async function compare(rounds: number): Promise<void> {
  const costs = new Map<number, Cost[]>(sizes.map((size) => [size, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const size of sizes) costs.get(size)!.push(await inProcess(size));
  const best = sizes.map((size) => costs.get(size)!.toSorted((one, other) => one.seconds - other.seconds)[0]!);
  console.log("variants   seconds   ms of CPU per variant, kit + driver   peak of the kit");
  for (const { variants, seconds, kitMs, driverMs, peakMiB } of best)
    console.log(
      `${String(variants).padStart(8)}   ${seconds.toFixed(1).padStart(7)}   ${perVariant(kitMs, variants)} + ${driverMs === null ? "?" : perVariant(driverMs, variants)}${" ".repeat(24)}${peakMiB.toFixed(0)} MiB`,
    );
  const [small, middle, large] = best as [Cost, Cost, Cost];
  const growth = large.kitMs / large.variants / (small.kitMs / small.variants);
  printBar(middle.seconds <= bars.seconds, `${middle.variants} variants in at most ${bars.seconds} s`);
  printBar(
    growth <= bars.growth,
    `a variant of ${large.variants} costs the kit ${growth.toFixed(2)} × one of ${small.variants}, at most ${bars.growth}`,
  );
  printBar(large.peakMiB < bars.peakMiB, `less than ${bars.peakMiB} MiB`);
}

function perVariant(ms: number, variants: number): string {
  return (ms / variants).toFixed(2).padStart(6);
}

function printBar(isKept: boolean, bar: string): void {
  console.log(`  ${isKept ? "ok    " : "MISSED"} ${bar}`);
  if (!isKept) process.exitCode = 1;
}
