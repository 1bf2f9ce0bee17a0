// The journal of a run that one driver after another takes from the other: the relay is its store, and says when it is taken.

import type {
  Failure,
  JournalAppendParams,
  JournalAppendResult,
  JournalRecord,
  Message,
  Session,
  Snapshot,
} from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import { foldJournal } from "../observed/journal-fold.ts";
import { extension, isMarked, withoutMark } from "./marks.ts";

/** The records of one run, by both drivers. */
export class TakenJournal {
  readonly records: JournalRecord[] = [];
  /** What was said to the run and is in no record yet: handed over now, it would be lost. [JOURNAL-6] */
  readonly #unheard: string[] = [];
  /** Nothing is handed over any more: what was said last ends the run, and is in no record. */
  #isHeld = false;
  /** The last turn at whose end the run was handed over. */
  #turn = 0;
  /** The state that was handed over last, and how many records there were by then. */
  #handed: { state: Snapshot; records: number } | undefined;

  /** The state that the records are; undefined before the first of them. */
  get state(): Snapshot | undefined {
    return foldJournal(this.records).snapshot;
  }

  /** Somebody has said something to the run, which is in the session once the loop has received it. */
  said(content: string): void {
    this.#unheard.push(content);
  }

  /** Somebody has cancelled the run, or stopped it, or asked for something else that only the process knows. */
  hold(): void {
    this.#isHeld = true;
  }

  /**
   * Keeps records of the driver that has the run, if they follow those that there are.
   * @returns what he is answered, whether the run is handed over now, and what he did wrong
   */
  append({ after, records }: JournalAppendParams): JournalAppendResult & { isOver: boolean; failures: Failure[] } {
    const expected = this.records.length;
    if (after !== expected) {
      const message = `the records are to follow the first ${after}, but the journal has ${expected}`;
      const failures = [breach("DRIVER-32", message, { expected, received: after })];
      return { answer: "taken", isOver: false, failures };
    }
    this.records.push(...records);
    const { phase, turn, session } = this.state!;
    this.#hear(session);
    const isBoundary = records.some((record) => record.type === "transition" && record.phase === "turn_boundary");
    const isTurnOver = isBoundary && phase === "turn_boundary" && turn > this.#turn;
    // What only the process knows would be lost.
    if (!isTurnOver || this.#isHeld || this.#unheard.length > 0) return { answer: "ok", isOver: false, failures: [] };
    this.#turn = turn;
    return { answer: "taken", isOver: true, failures: this.checkKept() };
  }

  #hear({ messages }: Session): void {
    const isThere = (content: string) => messages.some((one) => one.role === "user" && one.content === content);
    for (const content of this.#unheard.filter(isThere)) this.#unheard.splice(this.#unheard.indexOf(content), 1);
  }

  /** Notes in which state the run is handed over. */
  handOver(state: Snapshot): void {
    this.#handed = { state, records: this.records.length };
  }

  /** Writes what no loop knows into the state: the relay is who has taken the journal, and adds a record to it. */
  mark(mark: (state: Snapshot) => Snapshot): void {
    const { session, phase, turn, counters, ...rest } = mark(this.state!);
    const { messages, ...conversation } = session;
    const set = { [extension]: (rest as Record<string, unknown>)[extension], counters };
    this.records.push({
      type: "transition",
      phase,
      turn,
      messages: { from: 0, items: messages },
      session: conversation as Record<string, unknown>,
      set,
    });
    this.handOver(this.state!);
  }

  /** What a driver has lost of what was handed to it. A message that was compacted is another one. @see LOOP-107 SESSION-2 */
  checkKept(): Failure[] {
    // A resume that is refused writes nothing.
    if (!this.#handed || this.#handed.records === this.records.length) return [];
    const [handed, now] = [this.#handed.state, this.state!];
    const lost = matchData(extensionOf(handed), extensionOf(now), "", true).slice(0, 1);
    const fields = isMarked(handed.session) && !isMarked(now.session);
    const unmarked = handed.session.messages.findIndex((message, index) => hasLostItsMark(message, now.session, index));
    return [
      ...lost.map(({ path, expected, received }) =>
        breach("LOOP-107", `what no loop knows in the state is not handed on: ${path}`, { path, expected, received }),
      ),
      ...(fields ? [breach("SESSION-2", "the session has lost a field that no loop knows")] : []),
      ...(unmarked >= 0 ? [breach("SESSION-2", `message ${unmarked} has lost a field that no loop knows`)] : []),
    ];
  }
}

function extensionOf({ counters, ...rest }: Snapshot): Record<string, unknown> {
  return {
    [extension]: (rest as Record<string, unknown>)[extension],
    counters: { [extension]: counters?.[extension] },
  };
}

function hasLostItsMark(handed: Message, { messages }: Session, index: number): boolean {
  const now = messages[index];
  if (!now || !isMarked(handed) || isMarked(now)) return false;
  return matchData(withoutMark(handed), now, "", true).length === 0;
}
