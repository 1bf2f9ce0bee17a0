// Chooses at random, and the same for the same number.

import { seeded } from "../base/seeded-random.ts";

/** Random choices that are the same for the same number and name. */
export class Choice {
  readonly #random: () => number;

  constructor(number: number, name: string) {
    this.#random = seeded(number, name);
  }

  /** One of them, each as likely as the others. */
  of<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)]!;
  }

  /** A whole number from `least` to `most`. */
  from(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  /** True as often as `share` says, from 0 to 1. */
  happens(share: number): boolean {
    return this.#random() < share;
  }

  /** So many of them, in their order. */
  some<Value>(values: readonly Value[], count: number): Value[] {
    const left = [...values.keys()];
    const taken = new Set<number>();
    while (taken.size < Math.min(count, values.length)) taken.add(left.splice(this.from(0, left.length - 1), 1)[0]!);
    return values.filter((_, index) => taken.has(index));
  }
}
