// Explains a transition: the rows of the table of reasons that hold for it, each with its sentence of the spec.

import { readCatalogue } from "../../kit/suite/catalogue.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import type { Cut } from "./cut.ts";
import type { Facts } from "./facts.ts";
import type { Edge } from "./machine.ts";
import { reasons } from "./reasons.ts";
import type { Reason } from "./reasons.ts";

/** Something that was decided, and the sentence of the spec that says so. */
export interface Decided {
  what: string;
  /** The id. */
  requirement: string;
  /** The sentence. */
  text: string;
}

/** What was decided in a transition, with the sentence for each. */
export function explain({ from, to, isOpen }: Cut, facts: Facts): Decided[] {
  if (isOpen) return [];
  const edge: Edge = `${from}>${to}`;
  return reasons.filter((reason) => holds(reason, edge, facts)).map((reason) => decided(reason, facts));
}

function holds([on, , , wanted = [], unless = []]: Reason, edge: Edge, facts: Facts): boolean {
  return (
    on.includes(edge) && wanted.every((word) => isKnown(word, facts)) && !unless.some((word) => isKnown(word, facts))
  );
}

function isKnown(word: string, facts: Facts): boolean {
  return word.split("|").some((one) => facts.has(one));
}

function decided([, requirement, what, wanted = []]: Reason, facts: Facts): Decided {
  const named = (wanted.at(-1) ?? "").split("|").flatMap((word) => facts.get(word) ?? []);
  const about = [...new Set(named)].filter((word) => word !== "");
  return { what: [what, about.join(", ")].join(" ").trim(), requirement, text: sentenceOf(requirement) };
}

let sentences: ReadonlyMap<string, { text: string }> | undefined;

function sentenceOf(requirement: string): string {
  sentences ??= readCatalogue(packagePath()).requirements;
  return sentences.get(requirement)?.text ?? "";
}
