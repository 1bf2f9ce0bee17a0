// Extracts types from a file of generated types, with everything that they refer to.

/** One exported type, with the comment before it. */
const declaration =
  /^(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?export (?:interface|type) (\w+)[^]*?(?=^(?:\/\*\*|export )|(?![^]))/gm;

const comment = /\/\*\*(?:[^*]|\*(?!\/))*\*\//g;

/** The exported declarations, by name, each with the comment before it. */
export function declarationsIn(source: string): Map<string, string> {
  return new Map([...source.matchAll(declaration)].map(([text, name]) => [name!, text]));
}

/** The names that a declaration mentions, its comments aside. */
export function typeNamesIn(text: string): string[] {
  return text.replace(comment, "").match(/\b[A-Z]\w*/g) ?? [];
}

/**
 * The declarations that these names need, in the order of the file.
 * @throws Error if the file does not declare one of the names
 */
export function neededTypes(source: string, names: Iterable<string>): string {
  const declared = declarationsIn(source);
  const needed = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue;
    const text = declared.get(name);
    if (text === undefined) throw new Error(`the generated types have no ${name}; run: npm run generate`);
    needed.add(name);
    open.push(...typeNamesIn(text).filter((word) => declared.has(word)));
  }
  return [...declared].flatMap(([name, text]) => (needed.has(name) ? [text] : [])).join("");
}
