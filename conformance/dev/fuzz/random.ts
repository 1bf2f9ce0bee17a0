// Random choices that are the same for the same seed.

/** What the fuzz chooses with. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from 0 to `below` - 1; 0 if `below` is 0. */
  below(below: number): number;
  pick<T>(list: readonly T[]): T;
}

/** @param seed any whole number; mulberry32 is what turns it into numbers */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: (list) => list[below(list.length)]! };
}
