// Collects what an import leaves out, each thing once, for a person to read.

/** @see FIXTURE-4 */
export class Losses {
  readonly #words: Set<string>;
  readonly #counts = new Map<string, number>();
  readonly #headers = new Set<string>();

  constructor(words: readonly string[] = []) {
    this.#words = new Set(words);
  }

  add(words: string): void {
    this.#words.add(words);
  }

  /** Counts an exchange; the words follow `1 exchange`. */
  count(words: string): void {
    this.#counts.set(words, (this.#counts.get(words) ?? 0) + 1);
  }

  /** Notes the headers that were not kept. */
  headers(all: Record<string, string>, kept: Record<string, string>): void {
    for (const name of Object.keys(all)) if (!(name in kept)) this.#headers.add(name);
  }

  get words(): string[] {
    const counted = [...this.#counts].map(
      ([words, count]) => `${count} ${count === 1 ? "exchange" : "exchanges"} ${words}`,
    );
    const names = [...this.#headers].sort().join(", ");
    const headers = names === "" ? [] : [`headers that no client acts upon are left out: ${names}`];
    return [...this.#words, ...counted, ...headers];
  }
}
