// Patterns in which * matches any text, in time linear in pattern and text.

/** Whether the whole text matches the pattern. Everything but `*` stands for itself; `*` also matches line breaks. */
export function fits(pattern: string, text: string): boolean {
  const [first = "", ...middle] = pattern.split("*");
  const last = middle.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  const end = endOf(middle, text, first.length); // the first place of each piece leaves the most room for the next
  return end !== undefined && text.length - last.length >= end && text.endsWith(last);
}

/** Where the pieces end in the text, one after another, each at its first place from `start` on; undefined: one is missing. */
export function endOf(pieces: string[], text: string, start: number): number | undefined {
  let end = start;
  for (const piece of pieces) {
    const found = text.indexOf(piece, end);
    if (found < 0) return undefined;
    end = found + piece.length;
  }
  return end;
}
