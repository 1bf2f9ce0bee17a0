// What is shown of a transition, under its headings; the terminal and the page say the same.

import { entryOf, errorEntry, usageText } from "../../traffic/read/entries.ts";
import type { Entry } from "../../traffic/read/entries.ts";
import { eventEntries } from "../../traffic/read/session-entries.ts";
import type { LoopEvent, Message } from "../../../schemas/types.ts";
import type { Received, Sent, Standing, Transition } from "./transitions.ts";

/** A heading, and what stands under it. */
export interface Section {
  title: string;
  entries: Entry[];
  /** What went over the wire, as it was. */
  raw?: unknown[];
}

/** Events that say more than their names and their messages. */
const speaking: ReadonlySet<LoopEvent["type"]> = new Set([
  "retry",
  "fallback",
  "switch_model",
  "handoff",
  "compaction",
  "amendment",
  "limit",
  "warning",
  "tool_late_result",
  "run_end",
]);

/** The sections of a transition; what did not happen has none. */
export function sectionsOf({ from, sent, received, appended, events }: Transition): Section[] {
  const isCall = from.phase === "calling_model";
  const others = appended.filter((message) => !received?.messages.includes(message));
  const notes = eventNotes(events);
  return [
    ...(sent ? [sentSection(sent, isCall ? "Sent to the model" : "Sent to the tools")] : []),
    ...(received ? [receivedSection(received, isCall)] : []),
    ...(others.length > 0 ? [{ title: "Appended", entries: others.map(entryOf) }] : []),
    ...(notes.length > 0 ? [{ title: "Told", entries: notes }] : []),
  ];
}

/** What of a state is shown, by name. */
export function standingRows({ phase, agent, turn, messages, open }: Standing): [name: string, value: string][] {
  return [
    ["phase", phase],
    ["agent", agent],
    ["turn", String(turn)],
    ["messages", String(messages)],
    ["open calls", String(open)],
  ];
}

/** Which transition it is, in words. */
export function nameOf({ from, to, isUnfinished }: Transition): string {
  return isUnfinished ? `${from.phase}, and nothing more is known` : `${from.phase} → ${to.phase}`;
}

function sentSection({ messages, repeated, instructions, tools, model, requests }: Sent, title: string): Section {
  const requestEntries = [
    ...(model === undefined ? [] : [note(`to ${model}`)]),
    ...(tools === undefined ? [] : [note(`with the tools ${tools.join(", ")}`)]),
  ];
  const system: Message[] = instructions === undefined ? [] : [{ role: "system", content: instructions }];
  const before = repeated === 0 ? [] : [note(`${repeated} ${repeated === 1 ? "message" : "messages"} as before`)];
  const entries = [...requestEntries, ...system.map(entryOf), ...before, ...messages.map(entryOf)];
  return { title, entries, ...(requests && requests.length > 0 && { raw: requests }) };
}

function receivedSection({ messages, stop_reason, raw_stop_reason, usage, error }: Received, isCall: boolean): Section {
  const counted = usageText(usage);
  const own = raw_stop_reason && raw_stop_reason !== stop_reason ? ` (${raw_stop_reason})` : "";
  const ended =
    stop_reason === undefined ? [] : [note([`${stop_reason}${own}`, ...(counted ? [counted] : [])].join(" · "))];
  const entries = [...messages.map(entryOf), ...(error ? [errorEntry(error)] : []), ...ended];
  return { title: isCall ? "The model answered" : "The tools answered", entries };
}

/** What the events say that no message says, and their names, counted: in which order those of calls that overlap come is by chance. */
function eventNotes(events: readonly LoopEvent[]): Entry[] {
  const spoken = eventEntries(events.filter(({ type }) => speaking.has(type)));
  const counts = new Map<string, number>();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  if (counts.size === 0) return [];
  const names = [...counts].map(([type, count]) => (count === 1 ? type : `${type} ×${count}`)).join(", ");
  return [...spoken.map((one): Entry => (one.kind === "heading" ? { ...one, kind: "note" } : one)), note(names)];
}

function note(text: string): Entry {
  return { kind: "note", text };
}
