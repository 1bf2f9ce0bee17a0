// Says how many there are of something, in words that fit the number.

/** "1 variant", "2 variants". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
