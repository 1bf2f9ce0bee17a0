// A journal in memory, for tests that inspect, truncate or break it.

import { SupersededError, type Journal } from "../state/journal-records.ts";
import type { JournalRecord } from "../../schemas/types.ts";

export interface MemoryJournal extends Journal {
  /** The JSON of each record. */
  lines: string[];
  records(): JournalRecord[];
}

/** @param begun its initial records */
export function memoryJournal(begun: JournalRecord[] = []): MemoryJournal {
  const lines = begun.map((record) => JSON.stringify(record));
  const records = () => lines.map((line) => JSON.parse(line) as JournalRecord);
  return {
    lines,
    records,
    read: async () => records(),
    async append(added, at) {
      if (at && at.after !== lines.length) throw new SupersededError();
      lines.push(...added.map((record) => JSON.stringify(record)));
    },
  };
}
