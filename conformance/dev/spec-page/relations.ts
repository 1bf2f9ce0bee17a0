// Knows what belongs to what: requirements, cases, real bugs, features and mutants, from every side.

import type { Requirement } from "../../kit/suite/catalogue.ts";
import type { SuiteCase } from "../../kit/index.ts";
import type { Bug, Mutant, SpecData } from "./spec-data.ts";

type Named<T> = [name: string, thing: T];

/** Each list is in the order of the page. Throws on an unknown name. */
export class Relations {
  readonly #data: SpecData;
  readonly #tests: Map<string, SuiteCase[]>;
  readonly #mutants: Map<string, Mutant[]>;
  readonly #cases: Map<string, SuiteCase>;
  constructor(data: SpecData) {
    this.#data = data;
    this.#tests = Map.groupBy(data.cases, ({ case: { requires } }) => requires[0]!);
    this.#mutants = Map.groupBy(data.mutants, ({ requirement }) => requirement);
    this.#cases = new Map(data.cases.map((entry) => [entry.id, entry]));
  }

  requirement(id: string): Requirement {
    const found = this.#data.catalogue.requirements.get(id);
    if (!found) throw new Error(`${id} is no requirement of spec/requirements.json; run: npm run generate`);
    return found;
  }

  /** The cases that test a requirement: it is the first that they name. */
  testsOf(requirement: string): SuiteCase[] {
    return this.#tests.get(requirement) ?? [];
  }

  /** The cases that need a requirement beside the one that they test. */
  namersOf(requirement: string): SuiteCase[] {
    return this.#data.cases.filter(({ case: { requires } }) => requires.indexOf(requirement) > 0);
  }

  /** The real bugs that the cases of a requirement answer, and those for which it decides what is right. */
  bugsOf(requirement: string): Named<Bug>[] {
    const tests = new Set(this.testsOf(requirement).map(({ id }) => id));
    return [...this.#data.bugs].filter(
      ([, { cases = [], settled = [] }]) => settled.includes(requirement) || cases.some((id) => tests.has(id)),
    );
  }

  /** The mutants that break a requirement. */
  mutantsOf(requirement: string): Mutant[] {
    return this.#mutants.get(requirement) ?? [];
  }

  /** The requirements that are about a bug: those whose cases answer it, and those that settle it. */
  requirementsOfBug({ cases = [], settled = [] }: Bug): string[] {
    return [...new Set([...cases.map((id) => this.case(id).case.requires[0]!), ...settled])];
  }

  case(id: string): SuiteCase {
    const found = this.#cases.get(id);
    if (!found)
      throw new Error(`${id} is no case of conformance/cases; correct what names it, or run: npm run mutants`);
    return found;
  }

  /** The real bugs that a case answers. */
  bugsOfCase(id: string): string[] {
    return [...this.#data.bugs].filter(([, { cases }]) => cases?.includes(id)).map(([name]) => name);
  }

  /** The mutants that a case finds. */
  mutantsOfCase(id: string): Mutant[] {
    return this.#data.mutants.filter(({ killers }) => killers.includes(id));
  }

  /** The requirements that hold only where a feature is declared. */
  requirementsOfFeature(name: string): string[] {
    const all = [...this.#data.catalogue.requirements.values()];
    return all.filter(({ feature }) => feature === name).map(({ id }) => id);
  }

  /** The cases that run only where a feature is declared. */
  casesOfFeature(name: string): SuiteCase[] {
    return this.#data.cases.filter(({ case: { features } }) => features?.includes(name));
  }
}
