// What is common to reading recorded requests of all formats: a conversation in generic terms, and in a form to compare.

import type { Message, Part, ToolResultMessage } from "../../../schemas/types.ts";
import type { Fields } from "./recording.ts";

/** One thing that a request says, in the order in which it says it. `thinking` is compared apart. */
export interface Entry {
  kind: "system" | "user" | "text" | "call" | "result" | "thinking" | "item";
  says: unknown;
}

/** How requests of one format are read. */
export interface WireFormat {
  /** The conversation of a request as messages of a session. */
  read(body: Fields): Message[];
  /** Everything that a request says, in order. */
  entries(body: Fields): Entry[];
  /** What a call's name and arguments look like in this format, to find the tools of a conversation. */
  toolNames(body: Fields): string[];
}

/** The results in a conversation. */
export function resultsOf(messages: Message[]): ToolResultMessage[] {
  return messages.filter((message) => message.type === "tool_result");
}

/** What the user said after everything else. */
export function lastUserMessages(messages: Message[]): Message[] {
  const after = messages.findLastIndex((message) => message.role !== "user" && message.role !== "system");
  return messages.slice(after + 1);
}

/** Ids in the order in which they appear, so that two conversations with other ids can be the same. */
export function createNaming(): (id: unknown) => string {
  const names = new Map<unknown, string>();
  return (id) => {
    if (!names.has(id)) names.set(id, `#${names.size + 1}`);
    return names.get(id)!;
  };
}

/** Entries whose leading system texts are one, as a request may have them in one place or in several. */
export function joinLeadingSystem(entries: Entry[]): Entry[] {
  const found = entries.findIndex(({ kind }) => kind !== "system");
  const count = found < 0 ? entries.length : found;
  const texts = entries
    .slice(0, count)
    .map(({ says }) => says)
    .filter((text) => text !== "");
  const system: Entry[] = texts.length > 0 ? [{ kind: "system", says: texts.join("\n\n") }] : [];
  return [...system, ...entries.slice(count)];
}

/** A content as a list of parts, each without the client's cache settings; white space alone is nothing. */
export function partsOf(content: unknown): Fields[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content : [];
  return (parts as Fields[])
    .map((part) => (typeof part === "string" ? { type: "text", text: part } : without(part, "cache_control")))
    .filter((part) => part.type !== "text" || String(part.text).trim() !== "");
}

/** A copy without some fields, and without those that are null or empty. */
export function without(fields: Fields, ...keys: string[]): Fields {
  const says = ([key, value]: [string, unknown]) =>
    !keys.includes(key) && value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(says));
}

/** A part that the generic format has no word for. */
export function foreignPart(provider: string, item: Fields): Part {
  return { type: "provider_item", provider, item } as unknown as Part;
}
