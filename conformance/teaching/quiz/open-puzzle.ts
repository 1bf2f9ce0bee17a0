// Finds the fault of a puzzle, its report, and the answers to choose from.

import { newSeed } from "../../kit/base/seeded-random.ts";
import { UsageError } from "../../kit/base/usage-error.ts";
import { loadSuite } from "../../kit/index.ts";
import type { Suite } from "../../kit/index.ts";
import { codeOf, readFaults } from "../faults/faults.ts";
import type { Fault } from "../faults/faults.ts";
import type { Choices } from "./ask.ts";
import { chosen, placeChoices, requirementChoices } from "./choices.ts";
import { readRedCases, redCasesFile } from "./red-cases.ts";
import type { RedCase } from "./red-cases.ts";

/** A puzzle, with the answers to choose from. */
export interface Puzzle extends Choices {
  fault: Fault;
  red: RedCase;
}

/**
 * The puzzle of a fault.
 * @param name its code or id; absent: one by chance, which the seed decides
 * @throws UsageError if there is none
 */
export async function openPuzzle(name: string | undefined, seed = newSeed()): Promise<Puzzle> {
  if (!Number.isInteger(seed)) throw new UsageError("--seed takes a whole number");
  const { suite, faults, redCases, playable } = await readPuzzles();
  if (playable.length === 0) throw new UsageError(`${redCasesFile} has no puzzle; write it with: npm run mutants`);
  const fault = name === undefined ? chosen(playable, seed) : find(name, faults);
  const red = redCases[fault.id];
  if (red === undefined || !playable.includes(fault))
    throw new UsageError(
      `no report is stored for ${name}; in a copy of the project: npm run mutants -- --only ${fault.id}`,
    );
  return puzzleOf(fault, red, suite);
}

/** Every puzzle there is. */
export async function everyPuzzle(): Promise<Puzzle[]> {
  const { suite, redCases, playable } = await readPuzzles();
  return playable.map((fault) => puzzleOf(fault, redCases[fault.id]!, suite));
}

async function readPuzzles() {
  const suite = await loadSuite();
  const faults = readFaults();
  const redCases = readRedCases(faults);
  const playable = faults.filter(({ id }) => suite.cases.some((entry) => entry.id === redCases[id]?.case));
  return { suite, faults, redCases, playable };
}

function puzzleOf(fault: Fault, red: RedCase, suite: Suite): Puzzle {
  const faults = readFaults();
  const requirements = requirementChoices(fault, red, faults, suite);
  return { fault, red, suite, requirements, places: placeChoices(fault, requirements, faults) };
}

function find(name: string, faults: readonly Fault[]): Fault {
  const found = faults.find((fault) => fault.id === name || codeOf(fault) === name.toLowerCase());
  if (found) return found;
  throw new UsageError(`no fault is called ${name}; spec/kill-matrix.md lists them, and without a name one is chosen`);
}
