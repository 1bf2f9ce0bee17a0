// Patterns in which * matches any text.

/** Any text, including line breaks. */
export const ANY_TEXT = "[^]*";

/** Whether a name matches a pattern. */
export function nameFits(pattern: string, name: string): boolean {
  return fits(pattern, ANY_TEXT).test(name);
}

/** @param star what * matches, as the source of a regular expression */
export function fits(pattern: string, star: string): RegExp {
  return new RegExp(`^${asSource(pattern, star)}$`);
}

/** The pattern as a part of a regular expression. */
export function asSource(pattern: string, star: string): string {
  return pattern
    .split("*")
    .map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(star);
}
