// Puts the sentence of a requirement beside each `@see LOOP-48`, so that who reads a declaration in an editor need not look it up.

/** One id, or several in a row, that have no sentence yet. */
const seen = /@see ([A-Z]+-\d+(?: [A-Z]+-\d+)*)(?![:\d])/g;

/**
 * The text of declarations with the sentences.
 * @param sentenceOf the sentence of a requirement
 * @throws Error for an id that is no requirement
 */
export function withSentences(text: string, sentenceOf: (id: string) => string | undefined): string {
  return text
    .split("\n")
    .map((line) => sentencesIn(line, sentenceOf))
    .join("\n");
}

function sentencesIn(line: string, sentenceOf: (id: string) => string | undefined): string {
  // A comment of several lines has a line for each; in one of a line they follow each other.
  const [start] = /^\s*\* (?=@see )/.exec(line) ?? [];
  return line.replaceAll(seen, (_, ids: string) =>
    ids
      .split(" ")
      .map((id) => {
        const sentence = sentenceOf(id);
        if (sentence === undefined) throw new Error(`@see ${id} names no requirement: ${line.trim()}`);
        return `@see ${id}: ${sentence}`;
      })
      .join(start === undefined ? " " : `\n${start}`),
  );
}
