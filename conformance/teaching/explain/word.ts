// Explains a word of a closed list, such as a status, an outcome or an error kind.

import type { Requirement } from "../../kit/suite/catalogue.ts";
import type { SuiteCase } from "../../kit/index.ts";
import { caseExample, shortest } from "./case-example.ts";
import type { Kind, Sources } from "./kind.ts";
import { fewCases, listed, listedRequirements } from "./lists.ts";
import { exampleWith, hasWord } from "./json-example.ts";
import { meaningOf, vocabularies, wordLines, wordsOf } from "./vocabularies.ts";
import type { Vocabulary } from "./vocabularies.ts";
import { placesOf } from "./where.ts";

/** One kind for each closed list: a word of several lists means several things. */
export const wordKinds: readonly Kind[] = vocabularies.map((vocabulary) => ({
  called: vocabulary.called,
  names: () => wordsOf(vocabulary),
  explain: (word, sources) => lines(word, vocabulary, sources),
}));

/** The lists themselves, such as WarningCode. */
export const listKind: Kind = {
  called: "a closed list",
  names: () => vocabularies.map(({ type }) => type),
  *explain(name) {
    const vocabulary = vocabularies.find(({ type }) => type === name)!;
    yield `${name}, a closed list  ${vocabulary.called} is one of these`;
    yield* listed("Words", wordLines(vocabulary));
  },
};

function* lines(word: string, vocabulary: Vocabulary, sources: Sources): Generator<string> {
  const { suite } = sources;
  const named = requirementsThatName(word, vocabulary, [...suite.catalogue.requirements.values()]);
  yield `${word}, ${vocabulary.called}`;
  for (const line of meaningOf(word, vocabulary)) yield `  ${line}`;
  yield* listedRequirements("Requirements", named, sources);
  const cases = casesOf(word, vocabulary, named, suite.cases);
  const example = exampleWith(word, vocabulary.fields);
  if (example !== undefined) yield `  For example: ${example}`;
  else if (cases.length > 0) yield* caseExample(shortest(cases), sources);
  yield* fewCases(cases, sources);
  yield* listed("In the reference", placesOf(`${vocabulary.type}.${word}`));
}

/** The requirements that name the word in this sense; where none says the sense, all that name it. */
function requirementsThatName(word: string, { noun }: Vocabulary, requirements: Requirement[]): Requirement[] {
  const all = requirements.filter(({ text }) => text.includes(`\`${word}\``));
  const meant = new RegExp(`(${noun.source})s?[^.;]{0,30}?( \`\\w+\`(, | or | and ))* ?\`${word}\``);
  const own = all.filter(({ text }) => meant.test(text));
  return own.length > 0 || isAmbiguous(word) ? own : all;
}

function isAmbiguous(word: string): boolean {
  return vocabularies.filter((vocabulary) => wordsOf(vocabulary).includes(word)).length > 1;
}

/** The cases that have the word in one of its fields, those that test it first. */
function casesOf(
  word: string,
  { fields }: Vocabulary,
  named: readonly Requirement[],
  cases: readonly SuiteCase[],
): SuiteCase[] {
  const isOwn = ({ case: { requires } }: SuiteCase) => named.some(({ id }) => id === requires[0]);
  const having = cases.filter(({ case: source }) => hasWord(source, word, fields));
  return [...having.filter(isOwn), ...having.filter((entry) => !isOwn(entry))];
}
