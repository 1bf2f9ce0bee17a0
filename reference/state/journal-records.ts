// What is written down of a run, so that it outlives its process: small records, whose fold is the state.

import { SPEC_VERSION } from "../core/session.ts";
import type { Executed, State } from "../core/ports.ts";
import { majorOf } from "./check-session.ts";
import type { JournalRecord, Snapshot, ToolReport, TransitionRecord } from "../../schemas/types.ts";

/**
 * Where the records of one session are kept, by one writer at a time.
 * @see JOURNAL-1
 */
export interface Journal {
  /** Every record that was kept, oldest first; an empty list where nothing was. */
  read(): Promise<JournalRecord[]>;
  /** Adds records at the end. When the promise is fulfilled they outlive the process; when it is rejected, some of them may. */
  append(records: JournalRecord[]): Promise<void>;
}

/** A tool that had ended. */
export interface FinishedTool {
  executed: Executed;
  report?: ToolReport;
}

/** What the records of a session come to. */
export interface Folded {
  state: State;
  /** The calls of the batch under way whose tools were started, by id. */
  started: Set<string>;
  /** Those of them whose tools had ended. */
  finished: Map<string, FinishedTool>;
}

/**
 * The state of the last run of a session, from its records.
 * @throws Error where there are no records, or they are not to be read
 * @see JOURNAL-1 JOURNAL-13
 */
export function foldJournal(records: JournalRecord[]): Snapshot {
  return fold(records).state;
}

/** As `foldJournal`, with what is known of the tools of a batch that has not been answered. */
export function fold([first, ...records]: JournalRecord[]): Folded {
  if (!first) throw new Error("The journal is empty: no run was written to it.");
  if (first.type !== "begin")
    throw new Error(`A journal begins with a record of type begin, but this one with ${first.type}. It is not whole.`);
  const major = majorOf(SPEC_VERSION);
  if (majorOf(first.spec_version) !== major)
    throw new Error(`The journal has version ${first.spec_version}, but only ${major}.x can be read.`);
  const { session, ...snapshot } = first.snapshot;
  const folded: Folded = {
    state: { ...structuredClone(snapshot), session: { ...session, messages: [...session.messages] } },
    started: new Set(),
    finished: new Map(),
  };
  for (const record of records) add(record, folded);
  return folded;
}

function add(record: JournalRecord, folded: Folded): void {
  switch (record.type) {
    case "transition":
      folded.state = after(folded.state, record);
      if (record.phase === "executing") return; // also when it was recovered: what was finished is finished
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
        `The journal has a record that is not known: ${JSON.stringify(record).slice(0, 80)}. A later version may have written it.`,
      );
  }
}

/** The lists of the state that is given grow. What a run changes in place is copied: the records stay as they are. */
function after(state: State, { phase, turn, messages, steps, session, set, unset = [] }: TransitionRecord): State {
  const said = state.session.messages;
  if (messages) said.splice(messages.from, said.length, ...messages.items);
  if (steps) state.steps.splice(steps.from, state.steps.length, ...structuredClone(steps.items));
  const next = { ...state, ...structuredClone(set), phase, turn };
  for (const field of unset) delete next[field as keyof State];
  return session ? { ...next, session: { ...session, messages: said } as State["session"] } : next;
}

/**
 * Says what of a state is in no record yet, and takes it to be written then: the first time the whole state, unless `before` is
 * what the records so far come to.
 * @see JOURNAL-1 JOURNAL-5
 */
export function unwritten(before?: State): (state: State) => JournalRecord | undefined {
  let written = before && outline(before);
  return (state) => {
    const now = outline(state);
    const record = written
      ? transition(state, written, now)
      : ({ type: "begin", spec_version: SPEC_VERSION, snapshot: json(state) } as const);
    written = now;
    return record;
  };
}

/** As much of a state as it takes to see what is different in a later one. */
interface Outline extends Pick<State, "phase" | "turn"> {
  fields: Map<string, string>;
  session: string;
  messages: List;
  steps: List;
}

/** Lists grow and are not copied, so their length is kept, and their last item as it was: it may still change. */
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
  const [said, done] = [tail(before.messages, now.messages), tail(before.steps, now.steps)];
  const parts = {
    ...(said && { messages: { from: said.from, items: json(session.messages.slice(said.from)) } }),
    ...(done && { steps: { from: done.from, items: json(steps.slice(done.from)) } }),
    ...(before.session !== now.session && { session: JSON.parse(now.session) as Record<string, unknown> }),
    ...(different.length > 0 && { set }),
    ...(unset.length > 0 && { unset }),
  };
  const isSameStep = phase === before.phase && turn === before.turn;
  return isSameStep && Object.keys(parts).length === 0 ? undefined : { type: "transition", phase, turn, ...parts };
}

/** Where a list is no longer as it was written, if it is anywhere. */
function tail(before: List, now: List): { from: number } | undefined {
  const from = sameUntil(before, now);
  return from < before.length || from < now.length ? { from } : undefined;
}

/** How many items are as they were written. */
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

/** As it is now: what was given goes on changing. */
function json<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
