// Makes the only random things of a case, its ids and `{{words}}`, the same for the same seed and case.

const syllables = [
  "ba",
  "be",
  "ci",
  "do",
  "fa",
  "ge",
  "hi",
  "ko",
  "lu",
  "ma",
  "ne",
  "pi",
  "ro",
  "sa",
  "te",
  "vu",
  "wi",
  "xa",
  "yo",
  "zu",
];
const idLetters = "abcdefghijkmnpqrstuvwxyz23456789";

/** A source of random numbers in [0, 1) that repeats for the same seed and name. */
export function seeded(seed: number, name: string): () => number {
  let state = seed >>> 0;
  for (let index = 0; index < name.length; index++) state = Math.imul(state ^ name.charCodeAt(index), 0x9e3779b1) >>> 0;
  // Mulberry32: small, and good enough to make names.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

/** A word that can be spoken and stands for nothing. Letters only, so that it is safe in patterns and tool names. */
export function randomWord(random: () => number): string {
  return Array.from({ length: 4 }, () => syllables[Math.floor(random() * syllables.length)]).join("");
}

/** An id that every provider accepts. */
export function randomId(random: () => number, prefix: string): string {
  return prefix + Array.from({ length: 12 }, () => idLetters[Math.floor(random() * idLetters.length)]).join("");
}

/** A seed for a run of the kit that was given none. */
export function newSeed(): number {
  return Math.floor(Math.random() * 0x7fffffff);
}
