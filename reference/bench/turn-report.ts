// What the measurements of a scenario come to: ratios with their spread, and whether the targets hold.

import type { Cost } from "./turn-measure.ts";
import type { Scenario } from "./turn-script.ts";
import type { SubjectName } from "./turn-subjects.ts";

/** One round: what each subject cost, measured one after another. */
export type Round = Record<SubjectName, Cost>;

/** A ratio over the rounds. */
export interface Ratio {
  median: number;
  min: number;
  max: number;
}

/** One target on one scenario. */
export interface Verdict {
  what: string;
  holds: boolean;
}

/** How many turns make a conversation long enough that what it costs above the floor says something, and that its growth does. */
const MIDDLE = 200;
const LONG = 1000;
/** CPU and memory in multiples of the hand-written loop over the SDK, and CPU in multiples of the floor. */
const targets = { sdk: 1.0, memory: 1.2, floor: 2 };

/** The ratios of a scenario, each taken within its round: a machine that is busy is busy for both sides. */
export function ratiosOf(rounds: Round[]) {
  const ratio = (of: (round: Round) => number): Ratio => {
    const sorted = rounds.map(of).toSorted((a, b) => a - b);
    return { median: sorted[sorted.length >> 1]!, min: sorted[0]!, max: sorted.at(-1)! };
  };
  return {
    sdk: ratio(({ reference, sdk }) => reference.turn / sdk.turn),
    floor: ratio(({ reference, floor }) => reference.turn / floor.turn),
    sdkToFloor: ratio(({ sdk, floor }) => sdk.turn / floor.turn),
    growth: ratio(({ reference }) => reference.late / reference.early),
    floorGrowth: ratio(({ floor }) => floor.late / floor.early),
    memory: ratio(({ reference, sdk }) => reference.peak / sdk.peak),
  };
}

/** Which targets there are for a scenario, and whether they hold. */
export function judge({ turns }: Pick<Scenario, "turns">, ratios: ReturnType<typeof ratiosOf>): Verdict[] {
  const { sdk, floor, growth, floorGrowth, memory } = ratios;
  const verdicts = [
    { what: `CPU per turn at most ${targets.sdk} × the SDK loop`, holds: sdk.median <= targets.sdk },
    { what: `peak memory at most ${targets.memory} × the SDK loop`, holds: memory.median <= targets.memory },
  ];
  if (turns < MIDDLE) return verdicts;
  verdicts.push({ what: `CPU per turn at most ${targets.floor} × the floor`, holds: floor.median <= targets.floor });
  if (turns < LONG) return verdicts;
  return [
    ...verdicts,
    { what: "cost of the last fifth to the first at most the floor's", holds: growth.median <= floorGrowth.median },
  ];
}

const columns = [
  ["", 36],
  ["CPU ÷ SDK loop", 19],
  ["CPU ÷ floor", 19],
  ["(SDK ÷ floor)", 19],
  ["last ÷ first fifth", 19],
  ["(floor's)", 19],
  ["memory ÷ SDK loop", 19],
] as const;

/** The head of the table. */
export function headLine(): string {
  return columns.map(([title, width]) => title.padEnd(width)).join("");
}

/** One scenario as a line of the table: medians, and from the least to the most. */
export function tableLine({ wire, transport, calls, turns }: Scenario, ratios: ReturnType<typeof ratiosOf>): string {
  const { sdk, floor, sdkToFloor, growth, floorGrowth, memory } = ratios;
  const show = ({ median, min, max }: Ratio) => `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;
  const name = `${wire} ${transport} ${turns} × ${calls}`;
  const cells = [name, ...[sdk, floor, sdkToFloor, growth, floorGrowth, memory].map(show)];
  return cells.map((cell, at) => cell.padEnd(columns[at]![1])).join("");
}
