// Attacks the server round after round, and looks after each whether it lives, answers as before, and holds no more than before.

import { randomFrom } from "../fuzz/random.ts";
import { attacks } from "./attacks.ts";
import { forbidden, Target } from "./target.ts";
import type { Answer } from "./target.ts";
import type { Cost } from "./report-cost.ts";

/** What came of a siege. */
export interface SiegeReport {
  rounds: number;
  /** How many answers had which status. */
  answers: Record<string, number>;
  /** What the server held after each round. */
  costs: Cost[];
  /** The rounds that took long, and whether the server was busy in them. */
  slow: SlowRound[];
  /** What was found; empty if the server bore all of it. */
  problems: string[];
}

/** A round that took so long that its reader wants to know why. */
export interface SlowRound extends Pick<Cost, "computedMs" | "stillMs"> {
  round: number;
  ms: number;
  /** How long each attack took, the longest first. */
  attacks: [name: string, ms: number][];
}

/** What no round takes on a quiet machine. */
const slowMs = 10_000;

/** Each round plays every attack once, all beside each other. @param goOn is asked before each round */
export async function besiege(seed: number, goOn: (rounds: number) => boolean): Promise<SiegeReport> {
  const report: SiegeReport = { rounds: 0, answers: {}, costs: [], slow: [], problems: [] };
  const target = await Target.start();
  try {
    while (goOn(report.rounds) && target.death === undefined) {
      await playRound(target, seed, report);
      report.rounds += 1;
    }
    if (target.death !== undefined) report.problems.push(target.death);
  } finally {
    await target.stop();
  }
  return report;
}

async function playRound(target: Target, seed: number, report: SiegeReport): Promise<void> {
  const { rounds: round, problems } = report;
  const began = performance.now();
  const took: SlowRound["attacks"] = [];
  const played = Object.entries(attacks).map(async ([name, attack], at) => {
    const answers = await attack(target, randomFrom(Math.imul(seed + round, 0x9e3779b1) + at));
    took.push([name, performance.now() - began]);
    for (const answer of answers) count(report, `round ${round}, ${name}`, answer);
  });
  for (const { status, reason } of (await Promise.allSettled(played)).filter(isRejected))
    problems.push(`round ${round}: ${status}: ${String(reason)}`);
  if (target.death !== undefined) return;
  const { status, text } = await target.send("/openai/v1/chat/completions", { body: "{}" });
  if (status !== 200 || text !== '{"say":"ok"}')
    problems.push(`after round ${round} the server answered ${status} ${text}`);
  const ms = performance.now() - began;
  const cost = await target.cost();
  report.costs.push(cost);
  const { computedMs, stillMs } = cost;
  if (ms > slowMs) report.slow.push({ round, ms, computedMs, stillMs, attacks: took.toReversed() });
}

function count(report: SiegeReport, where: string, { status, text }: Answer): void {
  report.answers[status] = (report.answers[status] ?? 0) + 1;
  if (status === "silent" || status === 500) report.problems.push(`${where}: ${status} ${text.slice(0, 200)}`);
  if (text.includes(forbidden))
    report.problems.push(`${where}: the answer has the content of a file that nobody may read`);
}

function isRejected(settled: PromiseSettledResult<unknown>): settled is PromiseRejectedResult {
  return settled.status === "rejected";
}

/** What a server that is given requests for ever may not hold more and more of. */
type Held = Pick<Cost, "heapBytes" | "handles">;

/** How much more the server holds at the end than at the beginning: the medians of the first and the last quarter after a warm-up. */
export function growthOf(costs: readonly Held[]): Held {
  const warm = costs.slice(Math.floor(costs.length / 10));
  const quarter = Math.max(1, warm.length >> 2);
  const between = (one: readonly Held[], key: keyof Held) => median(one.map((cost) => cost[key]));
  const grown = (key: keyof Held) => between(warm.slice(-quarter), key) - between(warm.slice(0, quarter), key);
  return { heapBytes: grown("heapBytes"), handles: grown("handles") };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0;
}
