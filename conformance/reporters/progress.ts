// The last line of a terminal while the suite runs: how much is done, what failed, and what runs now.

import { keyOf } from "../kit/run/report-file.ts";
import type { VariantResult } from "../kit/index.ts";
import { outcomes } from "./outcome.ts";

/** Back to the first column, and everything behind it gone. */
const wipe = "\r\u001b[2K";

/** One line that is rewritten in place. Clear it before writing anything else. */
export class Progress {
  readonly #write: (text: string) => void;
  readonly #columns: number;
  readonly #known = new Map<string, VariantResult["verdict"]>();
  #selected = 0;
  #current = "";
  #isShown = false;

  constructor(write: (text: string) => void, columns: number) {
    this.#write = write;
    this.#columns = columns;
  }

  start(selected: number): void {
    this.#selected = selected;
    this.show();
  }

  begin({ check, variant }: Pick<VariantResult, "check" | "variant">): void {
    this.#current = `${check} ${variant}`;
    this.show();
  }

  result(result: VariantResult): void {
    this.#known.set(keyOf(result), result.verdict);
  }

  show(): void {
    this.#isShown = true;
    this.#write(wipe + this.#text().slice(0, this.#columns - 1));
  }

  clear(): void {
    if (this.#isShown) this.#write(wipe);
    this.#isShown = false;
  }

  #text(): string {
    const failed = [...this.#known.values()].filter((verdict) =>
      ["failed", "error"].includes(outcomes[verdict]),
    ).length;
    return `${this.#known.size}/${this.#selected}  ${failed} failed  ${this.#current}`;
  }
}
