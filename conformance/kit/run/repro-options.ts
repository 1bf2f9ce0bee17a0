// The options with which `test` plays one failed variant again.

/** How long one run may take by default, in milliseconds. */
export const usualTimeoutMs = 10_000;

/** A failure to repeat. */
export interface Repeatable {
  case: string;
  variant: string;
  seed: number;
  /** The split under which it failed. Absent: without one. */
  split?: number;
  /** How long the run could take, in milliseconds. Absent: as long as usual. */
  timeoutMs?: number;
}

/** As a person writes them behind the driver. */
export function repeatOptions({ case: id, variant, seed, split, timeoutMs }: Repeatable): string {
  const options = Object.entries({ case: id, variant, seed, split, timeout: timeoutMs });
  return options.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`])).join(" ");
}
