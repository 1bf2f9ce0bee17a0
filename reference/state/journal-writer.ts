// Appends records to a journal: one append at a time, each behind the one before, and none behind one that failed.

import type { JournalRecord, LoopError } from "../../schemas/types.ts";
import type { Journal } from "./journal-records.ts";

/** Writes the records of one run. */
export class JournalWriter {
  readonly #journal: Journal;
  /** How many records the journal has, as far as this writer knows. */
  #known: number;
  #last: Promise<void> = Promise.resolve();
  #failure: LoopError | undefined;
  /** What the next append takes along. */
  #held: JournalRecord[] = [];
  /** The append of the records that begin together, until it is made. */
  #together: Promise<void> | undefined;

  /** @param known how many records were read from the journal */
  constructor(journal: Journal, known: number) {
    this.#journal = journal;
    this.#known = known;
  }

  /** Why a record could not be kept, if so: another writer has taken the journal, or its store has failed. @see JOURNAL-25 */
  get failure(): LoopError | undefined {
    return this.#failure;
  }

  /**
   * Keeps the records behind all others.
   * @throws the error of the store, also for every append behind the one that failed: what is not kept would be a gap
   */
  keep(records: readonly JournalRecord[]): Promise<void> {
    const all = [...this.#held.splice(0), ...records];
    if (all.length > 0) this.#last = this.#last.then(() => this.#append(all));
    this.#last.catch(() => {}); // the caller that awaits it gets the error
    return this.#last;
  }

  /** Leaves the records to the next append: nothing follows from them before it. */
  hold(records: readonly JournalRecord[]): void {
    this.#held.push(...records);
  }

  /** Keeps the records in one append with all others that are given at once, without waiting in between. Throws as `keep` does. */
  keepTogether(records: readonly JournalRecord[]): Promise<void> {
    this.hold(records);
    this.#together ??= Promise.resolve().then(() => {
      this.#together = undefined;
      return this.keep([]);
    });
    return this.#together;
  }

  async #append(records: JournalRecord[]): Promise<void> {
    try {
      await this.#journal.append(records, { after: this.#known });
      this.#known += records.length;
    } catch (error) {
      this.#failure = failureOf(error);
      throw error;
    }
  }
}

/** A store may run in another process: its error has a name, and may be of no class that is known here. */
function failureOf(error: unknown): LoopError {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  if (name === "SupersededError")
    return { kind: "superseded", message: `The run goes on elsewhere, so it stops here: ${message}` };
  return { kind: "internal", message: `The journal could not be written, so the run stops: ${message}` };
}
