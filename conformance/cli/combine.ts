// The command `driver combine`: plays combinations of features that nobody put together, and shows what is broken and where loops differ.

import type { NamedDriver } from "../kit/index.ts";
import { findDriver, loadSuite } from "../kit/index.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { counted } from "../kit/base/plural.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { examine, reduce } from "../kit/combine/examine.ts";
import type { ExamineOptions, Examined } from "../kit/combine/examine.ts";
import { combinationOf, ingredientNames, makeCombination, variantsOfNumber } from "../kit/combine/make-combination.ts";
import type { Combination } from "../kit/combine/make-combination.ts";
import { allVariants } from "../kit/suite/variant.ts";
import { isVariantName, matchesVariant, variantNames } from "../kit/suite/selection.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { visible } from "../reporters/visible.ts";
import { fitted } from "./shared/fitted.ts";
import { sayWhenInterrupted } from "./shared/interrupted.ts";

interface CombineOptions {
  /** The first is the one with which the others are compared. */
  driver: string[];
  /** The number of the first combination. */
  from: number;
  times: number;
  /** Ingredients that are in each combination. */
  with?: string[];
  /** Ingredients of the combination, and no others; empty for none. */
  of?: string[];
  /** Variants, or patterns of them. Absent: generic, and one of a provider that the number stands for. */
  variant?: string[];
  /** Also print each case in which something was found. */
  show?: boolean;
}

/** How many differences of one driver are printed. */
const most = 4;
/** How much of a value is printed. */
const width = 100;

/** Exit code 1 if anything was found. */
export async function combine(options: CombineOptions): Promise<void> {
  const combinations = wanted(options);
  const drivers = new Map(options.driver.map((name): [string, NamedDriver] => [name, findDriver(name)]));
  let played = 0;
  const onPlayed = () => void (played += 1);
  const takeBack = sayWhenInterrupted(() => `after ${counted(played, "run")}; nothing is said of a part of them`);
  const how: ExamineOptions = { drivers, suite: await loadSuite(), onPlayed };
  const examination = await examine(combinations, how);
  // What was asked for by name is not made smaller.
  const found = options.of ? examination.found : await reduce(examination.found, how);
  takeBack();
  for (const one of found) {
    for (const line of linesOf(one, [...drivers.keys()])) print(visible(line));
    if (options.show) console.log(visible(JSON.stringify(one.combination.case, null, 2)));
  }
  const each = [...examination.played].map(([name, count]) => `${name} played ${count}`).join(", ");
  const sum = found.length === 0 ? "nothing was found" : `something was found in ${found.length}`;
  print(`${counted(combinations.length, "combination")}: ${each}; ${sum}`);
  if (found.length > 0 || [...examination.played.values()].every((count) => count === 0)) process.exitCode = 1;
}

function print(text: string): void {
  for (const line of fitted([text], process.stdout.columns)) console.log(line);
}

/** @throws UsageError for an ingredient or a variant that there is not */
function wanted({ from, times, with: others = [], of: exactly, variant: names }: CombineOptions): Combination[] {
  const unknown = [...others, ...(exactly ?? [])].find((name) => name !== "" && !ingredientNames.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`there is no ingredient ${unknown}; ${whichName(unknown, ingredientNames)}`);
  const named = names && variantsNamed(names);
  if (exactly) return (named ?? ["generic"]).map((variant) => combinationOf(from, exactly, variant));
  const numbers = Array.from({ length: times }, (_, at) => from + at);
  return numbers.flatMap((number) =>
    (named ?? variantsOfNumber(number)).map((variant) => makeCombination(number, others, variant)),
  );
}

/** @throws UsageError for a name or a pattern that means none */
function variantsNamed(names: readonly string[]): Combination["variant"][] {
  const unknown = names.find((name) => !isVariantName(name));
  if (unknown !== undefined)
    throw new UsageError(`there is no variant ${unknown}; ${whichName(unknown, variantNames)}`);
  return allVariants.filter((one) => names.some((name) => matchesVariant(name, one))).map(({ name }) => name);
}

function linesOf({ combination, broken, different }: Examined, drivers: readonly string[]): string[] {
  const { number, ingredients, variant } = combination;
  const isGeneric = variant === "generic";
  const named = ingredients.flatMap((name) => ["--of", quoteWord(name)]);
  const who = drivers.flatMap((driver) => ["-d", quoteWord(driver)]);
  return [
    `combination ${number}${isGeneric ? "" : ` over ${variant}`}: ${ingredients.join(" + ") || "nothing"}`,
    ...broken.flatMap(({ driver, failures }) =>
      failures.map(
        ({ requirement, message, path }) => `  ${driver} breaks ${requirement}: ${message}${path ? ` (${path})` : ""}`,
      ),
    ),
    ...different.flatMap(({ driver, differences }) => [
      ...differences
        .slice(0, most)
        .flatMap(({ at, left, right }) => [
          `  ${at}`,
          `    ${drivers[0]}: ${shown(left)}`,
          `    ${driver}: ${shown(right)}`,
        ]),
      ...(differences.length > most
        ? [`  and ${counted(differences.length - most, "more difference")} of ${driver}`]
        : []),
    ]),
    `  again: ${[commandLine, "driver combine", ...who, "--from", number, ...(isGeneric ? [] : ["--variant", variant]), ...(named.length > 0 ? named : ["--of ''"])].join(" ")}`,
  ];
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > width ? `${text.slice(0, width)}…` : text;
}
