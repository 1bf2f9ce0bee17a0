// How much is done, what failed, and what runs now: the last line of a terminal, or elsewhere a line from time to time.

import { keyOf } from "../kit/run/report-file.ts";
import type { VariantResult } from "../kit/index.ts";
import { outcomes } from "./outcome.ts";

/** Back to the first column, and everything behind it gone. */
const wipe = "\r\u001b[2K";

/** How long nothing may be said where no line is rewritten, in milliseconds. */
const silentMs = 30_000;

/** A variant that begins, and the split with which it is played again, if it is. */
export type Begun = Pick<VariantResult, "check" | "variant"> & { split?: number };

/** One line that is rewritten in place; where nothing is, a line of its own whenever nothing was said of it for a while. Clear it before writing anything else. */
export class Progress {
  readonly #write: (text: string) => void;
  readonly #columns: number | undefined;
  readonly #now: () => number;
  #saidAt: number;
  readonly #known = new Map<string, VariantResult["verdict"]>();
  #selected = 0;
  #current = "";
  #isShown = false;

  /**
   * @param columns how wide the line is; absent: nothing is rewritten
   * @param now the time in milliseconds
   */
  constructor(write: (text: string) => void, columns: number | undefined, now: () => number) {
    this.#write = write;
    this.#columns = columns;
    this.#now = now;
    this.#saidAt = now();
  }

  start(selected: number): void {
    this.#selected = selected;
    this.show();
  }

  begin({ check, variant, split }: Begun): void {
    this.#current = `${check} ${variant}${split === undefined ? "" : `, split ${split}`}`;
    this.show();
  }

  result(result: VariantResult): void {
    this.#known.set(keyOf(result), result.verdict);
  }

  show(): void {
    if (this.#columns === undefined) return this.#say();
    this.#isShown = true;
    this.#write(wipe + this.#text().slice(0, this.#columns - 1));
  }

  clear(): void {
    if (this.#isShown) this.#write(wipe);
    this.#isShown = false;
  }

  #say(): void {
    const now = this.#now();
    if (now - this.#saidAt < silentMs) return;
    this.#saidAt = now;
    this.#write(`${this.#text()}\n`);
  }

  #text(): string {
    const failed = [...this.#known.values()].filter((verdict) =>
      ["failed", "error"].includes(outcomes[verdict]),
    ).length;
    return `${this.#known.size}/${this.#selected}  ${failed} failed  ${this.#current}`;
  }
}
