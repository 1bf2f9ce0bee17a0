// Measures what the modules of policy cost a run that configures none of them: `npm run bench:idle`.

import { measureIdleApart, type IdleCost } from "./idle-measure.ts";
import type { IdleScenario } from "./idle-subjects.ts";
import { areWhole, readOptions, refuse } from "./options.ts";
import { estimate } from "./paired.ts";

/** How many times as much as the bare loop the whole one may cost. */
const MOST = 1.03;
/** How often both loops are measured in turn in each process, and how often before that, until they are compiled. */
const MEASURED = { pairs: 60, warmups: 120 };

const usage = `npm run bench:idle -- [options]

The whole loop, for which nothing is configured, beside the core with model calls, validation, scheduling and reports alone:
CPU time and allocated bytes on a scripted model. Both loops are measured in turn, in one process after another. Prints the
median of their ratio with the interval that it lies in with 95 % confidence; ends with 1 if an interval goes beyond ${percent(MOST)}.

  --turns <n>      model calls in each conversation: 20
  --calls <list>   tool calls in each turn: 1,8
  --processes <n>  at least 20 (60)
`;

const options = readOptions(usage, {
  turns: { type: "string", default: "20" },
  calls: { type: "string", default: "1,8" },
  processes: { type: "string", default: "60" },
});
const [turns, processes] = [Number(options.turns), Number(options.processes)];
if (!areWhole(options.turns) || !(turns > 1))
  refuse(usage, `--turns takes a whole number from 2, not ${options.turns}`);
if (!areWhole(options.calls)) refuse(usage, `--calls takes whole numbers from 1, not ${options.calls}`);
if (!areWhole(options.processes) || !(processes >= 20))
  refuse(usage, `--processes takes a whole number from 20, not ${options.processes}`);

let missed = false;
for (const calls of options.calls.split(",").map(Number)) {
  const ratios = await ratiosOf({ turns, calls });
  judge(`${turns} × ${calls} CPU time`, ratios, "cpu");
  judge(`${turns} × ${calls} allocated bytes`, ratios, "bytes");
}
process.exitCode = missed ? 1 : 0;

async function ratiosOf(scenario: IdleScenario): Promise<IdleCost[]> {
  const ratios: IdleCost[] = [];
  for (let made = 0; made < processes; made += 1) {
    const first = made % 2 === 0 ? "whole" : "bare";
    ratios.push(await measureIdleApart({ scenario, ...MEASURED, first }));
  }
  return ratios;
}

function judge(what: string, ratios: IdleCost[], cost: keyof IdleCost): void {
  const { ratio, from, to } = estimate(ratios.map((one) => one[cost]));
  const holds = to <= MOST;
  missed ||= !holds;
  const interval = `95 %: ${percent(from)}–${percent(to)}, ${processes} processes`;
  console.log(`${holds ? "ok    " : "MISSED"} ${what}: ${percent(ratio)} of the bare loop (${interval})`);
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`;
}
