// The options with which `test` plays one failed variant again.

import { quoteWord } from "../driver/quote-word.ts";

/** How long one run may take by default, in milliseconds. */
export const usualTimeoutMs = 10_000;

/** A failure to repeat. */
export interface Repeatable {
  case: string;
  variant: string;
  /** Where the case lies. Absent: in the package. */
  casesFolder?: string;
  seed: number;
  /** The split under which it failed. Absent: without one. */
  split?: number;
  /** How long the run could take, in milliseconds. Absent: as long as usual. */
  timeoutMs?: number;
}

/** As a person writes them behind the driver. */
export function repeatOptions({ case: id, variant, casesFolder, seed, split, timeoutMs }: Repeatable): string {
  const cases = casesFolder === undefined ? undefined : quoteWord(casesFolder);
  const options = Object.entries({ cases, case: id, variant, seed, split, timeout: timeoutMs });
  return options.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`])).join(" ");
}
