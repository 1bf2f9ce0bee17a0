// Formats a count with its noun, singular or plural.

/** "1 variant", "2 variants". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
