// Suggests the names that were probably meant.

/** Names that are offered at most. */
const most = 5;

/** The names that contain the wanted one, or else those that few letters make of it; the nearest first. */
export function nearest(
  wanted: string,
  names: readonly string[],
  comparable = (name: string): string => name.toLowerCase(),
): string[] {
  const query = comparable(wanted);
  if (query === "") return [];
  const parts = names.filter((name) => comparable(name).includes(query));
  if (parts.length > 0) return parts.sort((left, right) => left.length - right.length).slice(0, most);
  const farthest = Math.max(1, Math.floor(query.length / 3));
  return names
    .map((name) => ({ name, far: distance(query, comparable(name)) }))
    .filter(({ far }) => far <= farthest)
    .sort((left, right) => left.far - right.far)
    .slice(0, most)
    .map(({ name }) => name);
}

/**
 * The advice for an unknown name: the nearest names, or else how to see all.
 * @param otherwise absent: all of them
 */
export function whichName(wanted: string, names: Iterable<string>, otherwise?: string): string {
  const all = [...names];
  const near = nearest(wanted, all);
  return near.length > 0 ? `do you mean ${near.join(", ")}?` : (otherwise ?? `known: ${all.join(", ") || "none"}`);
}

/** How many letters must be put in, taken out or changed to make one text of the other. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(left).entries()) {
    const next = [at + 1];
    for (let column = 1; column <= right.length; column++) {
      const changed = row[column - 1]! + (right[column - 1] === letter ? 0 : 1);
      next.push(Math.min(changed, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}
