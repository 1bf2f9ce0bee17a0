// The journal of a run: small records, whose fold is its state.

import type { Executed, State } from "../core/ports.ts";
import { majorOf } from "./check-session.ts";
import type { JournalRecord, Snapshot, ToolReport, TransitionRecord } from "../../schemas/types.ts";
import { clone } from "../support/clone.ts";

/** The version of the journals that this loop writes, counted apart from that of sessions. @see JOURNAL-13 */
export const JOURNAL_VERSION = "1.0";

/**
 * Stores the records of one session, with one writer at a time.
 * @see JOURNAL-1
 */
export interface Journal {
  /** All stored records, oldest first; an empty list if there are none. */
  read(): Promise<JournalRecord[]>;
  /**
   * Appends records. If the promise is fulfilled, they outlive the process; if it is rejected, some of them may. A run waits for
   * one append before it makes the next, and always says where: behind a rejected one it appends nothing more.
   * @throws SupersededError if the journal does not end where the writer thinks, because another one has written to it: then none is kept
   */
  append(records: JournalRecord[], at?: AppendPosition): Promise<void>;
}

/** Where records are appended. Absent: behind whatever there is. */
export interface AppendPosition {
  /** How many records the journal has as far as its writer knows: those that it has read, and those that it has appended since. */
  after: number;
}

/**
 * A store throws this at a writer that was replaced: another one has written to the journal since, and goes on with the run. The run
 * of the replaced writer ends with error kind `superseded`, which is not how the run came out. Recognised by its name, so that it may
 * have come from another process.
 * @see JOURNAL-25
 */
export class SupersededError extends Error {
  constructor(message = "another writer has added records to the journal, and goes on with the run") {
    super(message);
    this.name = "SupersededError";
  }
}

/** A finished execution of a tool. */
export interface FinishedTool {
  executed: Executed;
  report?: ToolReport;
}

/** The fold of the records of a session. */
export interface Folded {
  state: State;
  /** How many records there are. */
  length: number;
  /** The ids of the calls of the current batch whose tools were started. */
  started: Set<string>;
  /** Those whose tools have ended. */
  finished: Map<string, FinishedTool>;
}

/**
 * The state of the last run of a session, from its records.
 * @throws Error if there are no records, one is missing between others, or they cannot be read
 * @see JOURNAL-1 JOURNAL-13 JOURNAL-33
 */
export function foldJournal(records: JournalRecord[]): Snapshot {
  return fold(records).state;
}

/** As `foldJournal`, including the tools of an unanswered batch. @see JOURNAL-33 */
export function fold([first, ...records]: JournalRecord[]): Folded {
  if (!first) throw new Error("The journal is empty: no run was written to it.");
  if (first.type !== "begin")
    throw new Error(
      `Expected a record of type begin first in the journal, got ${first.type}. Its beginning is missing.`,
    );
  const major = majorOf(JOURNAL_VERSION);
  if (majorOf(first.spec_version) !== major)
    throw new Error(`The journal has version ${first.spec_version}, but only ${major}.x can be read.`);
  const { session, ...snapshot } = first.snapshot;
  const folded: Folded = {
    state: { ...clone(snapshot), session: { ...session, messages: [...session.messages] } },
    length: 1 + records.length,
    started: new Set(),
    finished: new Map(),
  };
  for (const [i, record] of records.entries()) {
    const missing = gapBefore(record, folded);
    if (!missing) add(record, folded);
    const gap = missing ?? endWithoutReason(folded.state);
    if (gap)
      throw new Error(`The journal has a gap before record ${i + 2}: ${gap}. Its store has lost what stood there.`);
  }
  return folded;
}

/** What a record follows from that the records before it do not have, if anything. @see JOURNAL-33 */
function gapBefore(record: JournalRecord, { state, started }: Folded): string | undefined {
  const { phase, session, steps } = state;
  if (record.type === "tool_started" && phase !== "executing") return `a tool is started in phase ${phase}`;
  if (record.type === "tool_finished" && !started.has(record.result.id))
    return `the tool of ${record.result.id} has ended, and was not started`;
  if (record.type !== "transition") return undefined;
  if (record.messages && record.messages.from > session.messages.length)
    return `${record.messages.from} messages stay, and there are ${session.messages.length}`;
  const { from = steps.length, items = [] } = record.steps ?? {};
  if (from > steps.length) return `${from} steps stay, and there are ${steps.length}`;
  const turns = record.turn - state.turn;
  const more = from + items.length - steps.length;
  return turns === more ? undefined : `there are ${turns} more turns, and ${more} more steps`;
}

function endWithoutReason({ phase, ending }: State): string | undefined {
  const isEnded = phase === "done" || phase === "suspended";
  return isEnded && !ending ? `the run is ${phase}, and nothing says why` : undefined;
}

function add(record: JournalRecord, folded: Folded): void {
  switch (record.type) {
    case "transition":
      folded.state = after(folded.state, record);
      if (record.phase === "executing") return; // also after recovery: finished tools stay finished
      folded.started.clear();
      folded.finished.clear();
      return;
    case "tool_started":
      folded.started.add(record.id);
      return;
    case "tool_finished": {
      const { type: _, report, ...executed } = record;
      folded.finished.set(record.result.id, { executed, ...(report && { report }) });
      return;
    }
    default:
      throw new Error(
        `The journal has an unknown record: ${JSON.stringify(record).slice(0, 80)}. A later version may have written it.`,
      );
  }
}

/** Extends the lists of the given state. Anything a run changes in place is copied: the records are not modified. */
function after(state: State, { phase, turn, messages, steps, session, set, unset = [] }: TransitionRecord): State {
  const stored = state.session.messages;
  if (messages) stored.splice(messages.from, stored.length, ...messages.items);
  if (steps) state.steps.splice(steps.from, state.steps.length, ...clone(steps.items));
  const next = { ...state, ...clone(set), phase, turn };
  for (const field of unset) delete next[field as keyof State];
  return session ? { ...next, session: { ...session, messages: stored } as State["session"] } : next;
}

/**
 * Returns the record of everything new in a state, which then counts as written: the first time the whole state, unless
 * `before` is the fold of the records so far.
 * @see JOURNAL-1 JOURNAL-5
 */
export function unwritten(before?: State): (state: State) => JournalRecord | undefined {
  let written = before && outline(before);
  return (state) => {
    const now = outline(state);
    const record = written
      ? transition(state, written, now)
      : ({ type: "begin", spec_version: JOURNAL_VERSION, snapshot: json(state) } as const);
    if (record) written = now; // time that has passed and is not written is written with what comes next
    return record;
  };
}

/** The data needed to find the changes in a later state. */
interface Outline extends Pick<State, "phase" | "turn"> {
  fields: Map<string, string>;
  session: string;
  messages: List;
  steps: List;
}

/** Lists grow and are not copied, so their length is kept, and the text of their last item, which may still change. */
interface List {
  items: unknown[];
  length: number;
  last: string | undefined;
}

function outline({ session: { messages, ...session }, steps, phase, turn, ...state }: State): Outline {
  const fields = Object.entries(state).flatMap(([name, value]): [string, string][] => {
    const written = JSON.stringify(value) as string | undefined;
    return written === undefined ? [] : [[name, written]];
  });
  return {
    phase,
    turn,
    fields: new Map(fields),
    session: JSON.stringify(session),
    messages: listOf(messages),
    steps: listOf(steps),
  };
}

function listOf(items: unknown[]): List {
  return { items, length: items.length, last: JSON.stringify(items.at(-1)) };
}

function transition(
  { phase, turn, session, steps }: State,
  before: Outline,
  now: Outline,
): TransitionRecord | undefined {
  const different = [...now.fields].filter(([name, written]) => before.fields.get(name) !== written);
  const set = Object.fromEntries(different.map(([name, written]) => [name, JSON.parse(written) as unknown]));
  const unset = [...before.fields.keys()].filter((name) => !now.fields.has(name));
  const [added, done] = [tail(before.messages, now.messages), tail(before.steps, now.steps)];
  const parts = {
    ...(added && { messages: { from: added.from, items: json(session.messages.slice(added.from)) } }),
    ...(done && { steps: { from: done.from, items: json(steps.slice(done.from)) } }),
    ...(before.session !== now.session && { session: JSON.parse(now.session) as Record<string, unknown> }),
    ...(different.length > 0 && { set }),
    ...(unset.length > 0 && { unset }),
  };
  const isSameStep = phase === before.phase && turn === before.turn;
  const isNothing = Object.keys(parts).every((part) => part === "set") && different.every(isOnlyTime(before));
  return isSameStep && isNothing ? undefined : { type: "transition", phase, turn, ...parts };
}

/** Whether a field says nothing new but that time has passed, which is no reason for a record. */
function isOnlyTime({ fields }: Outline): (field: [string, string]) => boolean {
  const timeless = (written = "{}") => JSON.stringify({ ...(JSON.parse(written) as object), elapsed_ms: 0 });
  return ([name, written]) => name === "counters" && timeless(fields.get(name)) === timeless(written);
}

/** The index of the first change in a list, if any. */
function tail(before: List, now: List): { from: number } | undefined {
  const from = sameUntil(before, now);
  return from < before.length || from < now.length ? { from } : undefined;
}

/** The number of unchanged items. */
function sameUntil(before: List, now: List): number {
  const most = Math.min(before.length, now.length);
  let same = before.items === now.items ? most : 0;
  while (same < most && isSame(before.items[same], now.items[same])) same += 1;
  const isLastChanged = same === before.length && same > 0 && before.last !== JSON.stringify(now.items[same - 1]);
  return isLastChanged ? same - 1 : same;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** A copy: the argument may still change. */
function json<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
