// Examines combinations with one or several loops: what each breaks, where they differ, and with how few ingredients they still do.

import type { Failure } from "../../../schemas/types.ts";
import type { RunSuiteOptions } from "../run/types.ts";
import type { Suite } from "../suite/types.ts";
import { differences } from "./compare.ts";
import type { Difference } from "./compare.ts";
import { combinationOf } from "./make-combination.ts";
import type { Combination } from "./make-combination.ts";
import { playCombinations } from "./play-combinations.ts";
import type { Played } from "./play-combinations.ts";

/** What was found in one combination. */
export interface Examined {
  combination: Combination;
  /** What each driver broke of what holds in every run. */
  broken: { driver: string; failures: Failure[] }[];
  /** Where another driver differs from the first. Neither is blamed. */
  different: { driver: string; differences: Difference[] }[];
}

/** What examining came to. */
export interface Examination {
  /** The combinations in which something was found. */
  found: Examined[];
  /** How many combinations each driver could play. */
  played: Map<string, number>;
}

/** Who is examined, and how. */
export interface ExamineOptions {
  /** By the name under which it is spoken of; the first is the one with which the others are compared. */
  drivers: ReadonlyMap<string, RunSuiteOptions["driver"]>;
  suite: Suite;
  signal?: AbortSignal;
  /** Called whenever one combination was played with one driver. */
  onPlayed?(): void;
}

/**
 * Plays combinations with each driver.
 * @throws Error, with its name, if a driver does not start
 * @see KIT-43 KIT-44
 */
export async function examine(combinations: readonly Combination[], options: ExamineOptions): Promise<Examination> {
  const plays = new Map<string, (Played | undefined)[]>();
  for (const [name, driver] of options.drivers) {
    if (options.signal?.aborted) break;
    try {
      const { suite, signal, onPlayed } = options;
      const how = { driver, ...(signal && { signal }), ...(onPlayed && { onResult: () => onPlayed() }) };
      plays.set(name, await playCombinations(combinations, suite, how));
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  const found = combinations.map((combination, at) => examined(combination, plays, at)).filter(isFinding);
  const count = (played: (Played | undefined)[]) => played.filter((one) => one !== undefined).length;
  return { found, played: new Map([...plays].map(([name, played]) => [name, count(played)])) };
}

/**
 * Leaves out of each combination, one after another, the ingredients without which something is still found in it.
 * @returns what was found in what is left, in their order
 */
export async function reduce(
  found: readonly Examined[],
  { onPlayed: _, ...options }: ExamineOptions,
): Promise<Examined[]> {
  const least = [...found];
  const open = new Set(found.keys());
  while (open.size > 0 && !options.signal?.aborted) {
    const tries = [...open].flatMap((at) =>
      without(least[at]!.combination).map((combination) => ({ at, combination })),
    );
    open.clear();
    const { found: still } = await examine(
      tries.map(({ combination }) => combination),
      options,
    );
    for (const one of still) {
      const { at } = tries.find(({ combination }) => combination === one.combination)!;
      if (open.has(at)) continue;
      least[at] = one;
      open.add(at);
    }
  }
  return least;
}

/** The combination without each of its ingredients. */
function without({ number, ingredients }: Combination): Combination[] {
  return ingredients.map((name) =>
    combinationOf(
      number,
      ingredients.filter((other) => other !== name),
    ),
  );
}

function examined(
  combination: Combination,
  plays: ReadonlyMap<string, readonly (Played | undefined)[]>,
  at: number,
): Examined {
  const played = [...plays].flatMap(([driver, all]) => (all[at] ? [{ driver, ...all[at] }] : []));
  const [first, ...others] = played;
  return {
    combination,
    broken: played.filter(({ failures }) => failures.length > 0).map(({ driver, failures }) => ({ driver, failures })),
    different: others
      .map(({ driver, record }) => ({ driver, differences: differences(first!.record, record) }))
      .filter((other) => other.differences.length > 0),
  };
}

function isFinding({ broken, different }: Examined): boolean {
  return broken.length > 0 || different.length > 0;
}
