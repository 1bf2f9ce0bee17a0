// Says on the page how many there are of something, in words that fit the number.

/** "1 variant", "2,000 variants". */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
