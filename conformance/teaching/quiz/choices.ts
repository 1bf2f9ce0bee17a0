// The answers to choose from: the requirement that is broken among three that could be, and the place among three others.

import { seeded } from "../../kit/base/seeded-random.ts";
import type { Suite } from "../../kit/index.ts";
import { indexedPlaces } from "../explain/where.ts";
import { codeOf } from "../faults/faults.ts";
import type { Fault } from "../faults/faults.ts";
import type { RedCase } from "./red-cases.ts";

/** How many there are to choose from. */
const count = 4;

/** The requirements that are a right answer: the one for which the fault was planted, and those that the kit named. */
export function rightAnswers({ requirement }: Fault, { failures }: RedCase): string[] {
  return [...new Set([requirement, ...failures.flatMap((failure) => failure.requirement ?? [])])];
}

/** Four requirements, one of which is right; two more of the same chapter, if it has them. The same for the same fault. */
export function requirementChoices(fault: Fault, red: RedCase, faults: readonly Fault[], suite: Suite): string[] {
  const random = seeded(0, codeOf(fault));
  // What stands beside it in a case may be broken by the same fault.
  const beside = suite.cases.map(({ case: { requires } }) => requires).filter((ids) => ids.includes(fault.requirement));
  const excluded = new Set([...rightAnswers(fault, red), ...beside.flat()]);
  const others = [...new Set(faults.map(({ requirement }) => requirement))].filter((id) => !excluded.has(id));
  const isNear = (id: string) => chapterOf(id) === chapterOf(fault.requirement);
  const near = shuffled(others.filter(isNear), random).slice(0, count - 2);
  const far = shuffled(
    others.filter((id) => !isNear(id)),
    random,
  );
  return shuffled([fault.requirement, ...[...near, ...far].slice(0, count - 1)], random);
}

/** Where a fault is, as `file#declaration`, or the file alone if it is not in the index yet. */
export function placeOf({ id, file }: Fault): string {
  return indexedPlaces(id)[0] ?? file;
}

/** Four places, one of which has the fault: the others keep the other requirements, or any. */
export function placeChoices(fault: Fault, requirements: readonly string[], faults: readonly Fault[]): string[] {
  const random = seeded(1, codeOf(fault));
  const right = placeOf(fault);
  const near = faults.filter(({ requirement }) => requirements.includes(requirement));
  const places = new Set([right]);
  for (const one of [...near, ...shuffled(faults, random)]) {
    if (places.size === count) break;
    places.add(placeOf(one));
  }
  return shuffled([...places], random);
}

/** One of a list by chance. */
export function chosen<Item>(items: readonly Item[], seed: number): Item {
  return items[Math.floor(seeded(seed, "quiz")() * items.length)]!;
}

function chapterOf(id: string): string {
  return id.replace(/-\d+$/, "");
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
}
