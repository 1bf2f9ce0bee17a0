// Links a word of the glossary where a chapter uses it for the first time, and remembers which chapters do.

import type { Term } from "./spec-data.ts";

/** The words of the glossary, and the chapters in which each was found. */
export class Glossary {
  readonly terms: readonly Term[];
  readonly #uses = new Map<Term, string[]>();
  constructor(terms: readonly Term[]) {
    this.terms = terms;
  }

  /** What finds each term once, in a chapter. */
  inChapter(chapter: string): TermFinder {
    return new TermFinder(this.terms, (term) => this.#uses.set(term, [...this.usesOf(term), chapter]));
  }

  /** The chapters that use a term, in the order in which they were looked through. */
  usesOf(term: Term): string[] {
    return this.#uses.get(term) ?? [];
  }
}

/** A text with a term in it. */
export interface FoundTerm {
  before: string;
  word: string;
  after: string;
  term: Term;
}

/**
 * A word counts only behind an article or the like: in "the loop calls the model" stands no call. One word may stand between, as in
 * "a failed attempt".
 */
const article = String.raw`\b(?:an?|the|each|every|no|another|its|one|any)\s+(?:[a-z]+\s+)?`;

/** Finds the terms of a chapter, each one once. */
export class TermFinder {
  readonly #left: Map<Term, RegExp>;
  readonly #onTerm: (term: Term) => void;
  constructor(terms: readonly Term[], onTerm: (term: Term) => void) {
    this.#left = new Map(terms.map((term) => [term, patternOf(term)]));
    this.#onTerm = onTerm;
  }

  /** The first term in a text that this chapter has not had yet; it is not found again. */
  next(text: string): FoundTerm | undefined {
    const found = [...this.#left].flatMap(([term, pattern]) => {
      const match = pattern.exec(text);
      return match ? [{ term, start: match.index + match[1]!.length, word: match[2]! }] : [];
    });
    const first = found.toSorted((one, other) => one.start - other.start || other.word.length - one.word.length)[0];
    if (!first) return undefined;
    const { term, start, word } = first;
    this.#left.delete(term);
    this.#onTerm(term);
    return { before: text.slice(0, start), word, after: text.slice(start + word.length), term };
  }
}

function patternOf({ words }: Term): RegExp {
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  return new RegExp(String.raw`(${article})(${longestFirst.join("|")})\b(?![-'’])`, "i");
}
