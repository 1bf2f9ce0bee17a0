// What the records of a journal add up to, as far as the kit judges by it.

import type { JournalRecord, Message, Snapshot, ToolResultMessage } from "../../../schemas/types.ts";

/** The state that a journal has, and the tools of its last batch. */
export interface FoldedJournal {
  /** The snapshot after the last record; absent if there is none. */
  snapshot?: Snapshot;
  /** The calls of which the tool was started. */
  started: Set<string>;
  /** What came of those whose tools have ended. */
  finished: Map<string, ToolResultMessage>;
}

/** The fold of the records. It does not change them. @see JOURNAL-1 */
export function foldJournal(records: readonly JournalRecord[]): FoldedJournal {
  const folded: FoldedJournal = { started: new Set(), finished: new Map() };
  for (const record of records) add(record, folded);
  return folded;
}

function add(record: JournalRecord, folded: FoldedJournal): void {
  switch (record.type) {
    case "begin":
      folded.snapshot = record.snapshot;
      return;
    case "tool_started":
      folded.started.add(record.id);
      return;
    case "tool_finished":
      folded.finished.set(record.result.id, record.result);
      return;
    case "transition":
      if (folded.snapshot) folded.snapshot = after(folded.snapshot, record);
      if (record.phase === "executing") return; // a run that was recovered within a batch keeps what has ended
      folded.started.clear();
      folded.finished.clear();
  }
}

function after(
  before: Snapshot,
  { phase, turn, messages, steps, session, set, unset = [] }: Extract<JournalRecord, { type: "transition" }>,
): Snapshot {
  const next = {
    ...before,
    ...set,
    phase,
    turn,
    steps: steps ? [...before.steps.slice(0, steps.from), ...steps.items] : before.steps,
    session: {
      ...(session ?? before.session),
      messages: messages
        ? [...before.session.messages.slice(0, messages.from), ...messages.items]
        : before.session.messages,
    },
  } as Snapshot;
  for (const field of unset) delete next[field as keyof Snapshot];
  return next;
}

/** How many messages of a model there are. */
export function madeByModel(messages: readonly Message[]): number {
  return messages.filter(({ type, role }) => (type !== undefined && type !== "tool_result") || role === "assistant")
    .length;
}
