// Reads and checks lists of events: each event, their order, and that they rebuild the session.

import type { LoopEvent, Session } from "../../schemas/types.ts";
import { checkGrammar } from "../kit/checks/event-grammar.ts";
import { isExtension } from "../kit/base/extension-name.ts";
import { matchData } from "../kit/base/matcher.ts";
import { rebuildSession } from "../kit/observed/session-from-events.ts";
import { validate } from "../kit/base/validate.ts";

/** One value of a list, and where in the file it stands: `:4` for a line, `#/3` for an entry of an array. */
export interface EventEntry {
  place: string;
  value: unknown;
}

/** Something that is wrong, and where. */
interface EventProblem {
  place: string;
  message: string;
  requirement?: string;
}

/** What the value of a line that is not JSON is. */
const broken = Symbol("not JSON");

/**
 * The events of a file, one JSON value per line or one array; undefined if it has something else.
 * @param isDeclared the caller says that these are events
 */
export function readEvents(file: string, text: string, isDeclared: boolean): EventEntry[] | undefined {
  const whole = parsed(text);
  if (Array.isArray(whole) && (isDeclared || isEvent(whole[0])))
    return whole.map((value: unknown, index) => ({ place: `#/${index}`, value }));
  const lines = text.split("\n").flatMap((line, index) => {
    return line.trim() === "" ? [] : [{ place: `:${index + 1}`, value: parsed(line) }];
  });
  if (isDeclared) return lines;
  const isList = lines.length > 1 || /\.(jsonl|ndjson)$/.test(file);
  return isList && isEvent(lines[0]?.value) ? lines : undefined;
}

/**
 * Everything that is wrong with the events of one run, or of several that follow each other, such as a run and its resume.
 * @param features what the implementation declares, so that its events must be there
 */
export function checkEventEntries(entries: readonly EventEntry[], features: readonly string[]): EventProblem[] {
  const invalid = entries.flatMap(({ place, value }) => schemaProblems(place, value));
  if (invalid.length > 0) return invalid;
  return runsOf(entries).flatMap((run) => {
    const events = run.map(({ value }) => value as LoopEvent);
    return checkGrammar(events, { features }).map(({ path, message, requirement }) => ({
      place: run[path === undefined ? run.length - 1 : Number(path.split("/").at(-1))]?.place ?? "",
      message: message.replace(/^event \d+: /, ""),
      ...(requirement !== undefined && { requirement }),
    }));
  });
}

/** A session of a file, by the file's name. */
export interface NamedSession {
  file: string;
  session: Session;
}

/** How the events fail to make one session of another; empty if they do. */
export function checkRebuild(
  entries: readonly EventEntry[],
  before: NamedSession,
  after: NamedSession,
): EventProblem[] {
  const events = entries.map(({ value }) => value as LoopEvent);
  const start = events.find((event) => event.type === "run_start");
  const { id } = before.session;
  if (start && start.session_id !== id)
    return [{ place: "", message: `these are events of the session ${start.session_id}, but ${before.file} is ${id}` }];
  const rebuilt = rebuildSession(before.session, events);
  return matchData(after.session, rebuilt, "", true)
    .slice(0, 3)
    .map(({ path, message, expected, received }) => ({
      place: "",
      message: `what they rebuild is not ${after.file}: ${path} ${message}: ${shown(expected)} there, ${shown(received)} rebuilt`,
      requirement: "EVENT-10",
    }));
}

/** Whether the rebuilt session has the same bytes, and not only the same values. */
export function isSameText(entries: readonly EventEntry[], before: NamedSession, after: NamedSession): boolean {
  const rebuilt = rebuildSession(
    before.session,
    entries.map(({ value }) => value as LoopEvent),
  );
  return JSON.stringify(rebuilt) === JSON.stringify(after.session);
}

function schemaProblems(place: string, value: unknown): EventProblem[] {
  if (value === broken) return [{ place, message: "this line is not JSON; expected one event per line" }];
  return validate(isExtensionEvent(value) ? "ExtensionEvent" : "Event", value).map(({ pointer, message }) => ({
    place: `${place}${pointer && at(place, pointer)}`,
    message,
  }));
}

/** Whether the kind of an event is one that the specification never defines. */
export function isExtensionEvent(value: unknown): boolean {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  return typeof type === "string" && isExtension(type);
}

/** A pointer into an entry: in an array it goes on from the entry's own. */
function at(place: string, pointer: string): string {
  return place.startsWith("#") ? pointer : `#${pointer}`;
}

function runsOf(entries: readonly EventEntry[]): EventEntry[][] {
  const runs: EventEntry[][] = [[]];
  for (const entry of entries) {
    const last = runs.at(-1)!;
    const hasEnded = typeOf(last.at(-1)?.value) === "run_end";
    if (hasEnded && typeOf(entry.value) === "run_start") runs.push([entry]);
    else last.push(entry);
  }
  return runs;
}

function typeOf(value: unknown): unknown {
  return (value as { type?: unknown } | undefined)?.type;
}

function isEvent(value: unknown): boolean {
  return typeof value === "object" && value !== null && "seq" in value && "type" in value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return broken;
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
