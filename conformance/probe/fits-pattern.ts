// Patterns of names and paths, in which * stands for anything.

/** Whether a pattern fits a whole text. */
export function fitsPattern(pattern: string, text: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(text);
}
