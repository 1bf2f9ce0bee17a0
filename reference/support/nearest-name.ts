// The name that was probably meant.

/** The name that takes the fewest changed letters, whatever their case; the first one of several. */
export function nearestName(wanted: string, [first, ...names]: readonly string[]): string | undefined {
  let nearest = first;
  let fewest = nearest === undefined ? 0 : distance(wanted.toLowerCase(), nearest.toLowerCase());
  for (const name of names) {
    const changes = distance(wanted.toLowerCase(), name.toLowerCase());
    if (changes >= fewest) continue;
    nearest = name;
    fewest = changes;
  }
  return nearest;
}

/** How many letters must be added, removed or changed to turn one text into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = row[column - 1]! + (one[i] === other[column - 1] ? 0 : 1);
      next.push(Math.min(changed, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
