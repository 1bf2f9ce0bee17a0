// Writes a table as text: each column below its head, and what is long in several lines.

/** The widest column, in characters. */
const widest = 60;

/** The lines of a table whose first row has the heads. */
export function tableLines(rows: readonly (readonly string[])[], indent: string): string[] {
  const [heads = []] = rows;
  const widths = heads.map((_, at) => Math.min(widest, Math.max(...rows.map((cells) => cells[at]?.length ?? 0))));
  const [first = [], ...others] = rows.map((cells) => rowLines(cells, widths).map((line) => indent + line));
  return [...first, indent + widths.map((width) => "-".repeat(width)).join("  "), ...others.flat()];
}

function rowLines(cells: readonly string[], widths: readonly number[]): string[] {
  const columns = widths.map((width, at) => wrapped(cells[at] ?? "", width));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((texts, at) => (texts[line] ?? "").padEnd(widths[at]!))
      .join("  ")
      .trimEnd(),
  );
}

/** A text in lines of at most so many characters, unless a word is longer. */
function wrapped(text: string, width: number): string[] {
  const [first = "", ...words] = text.split(" ");
  const lines = [first];
  for (const word of words) {
    const last = lines.at(-1)!;
    if (last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
