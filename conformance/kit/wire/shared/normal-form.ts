// The normal form in which the messages of a request are compared with the expected ones.

import { isDeepStrictEqual } from "node:util";
import type { Message, Part, ToolCallMessage } from "../../../../schemas/types.ts";
import type { ScriptedPart } from "../codec.ts";
import { parseObject } from "./json.ts";

type Call = Extract<ScriptedPart, { tool_call: unknown }>["tool_call"];

/** Stands for the n-th id or name that the format does not allow; the adapter may send any other in its place. */
const mark = (at: number) => `\u0000mapped ${at}`;
const isMark = (value: unknown): value is string => typeof value === "string" && value.startsWith("\u0000mapped ");

/** Stands for any text that is not empty. */
export const anyText = "\u0000any text";

/** Any text, or none: of a result whose images are in another message. */
export const optionalText = "\u0000any text or none";

/** Stands before a part that an adapter may introduce with a text of its own. */
export const label: Part = { type: "text", text: "\u0000label" };

/** Replaces ids and names that the format does not allow by marks, equal values by equal marks. */
export function markIllegal(messages: Message[], allowed: { id: RegExp; name: RegExp }): Message[] {
  const marks = new Map<string, string>();
  const legal = (value: string, pattern: RegExp) => {
    if (pattern.test(value)) return value;
    if (!marks.has(value)) marks.set(value, mark(marks.size + 1));
    return marks.get(value) as string;
  };
  return messages.map((message) => {
    if (message.type === "tool_call")
      return { ...message, id: legal(message.id, allowed.id), name: legal(message.name, allowed.name) };
    if (message.type === "tool_result") return { ...message, id: legal(message.id, allowed.id) };
    return message;
  });
}

/**
 * Replaces what an adapter was free to choose (an id or name instead of one that the format does not allow, or a text) by the mark
 * that `normalize` put there.
 * Each mark stands for one value. Where an adapter maps the id of a result differently from the id of its call, or two ids to one,
 * its values stay, and so differ from what was expected.
 * @param expected from `normalize`
 * @param received from `readRequest`
 */
export function alignIds(expected: readonly Message[], received: readonly Message[]): Message[] {
  const sentFor = new Map<string, string>();
  const taken = new Set<string>(
    expected.flatMap((message) => ("id" in message && !isMark(message.id) ? [String(message.id)] : [])),
  );
  const aligned = (wanted: unknown, sent: string) => {
    if (!isMark(wanted)) return sent;
    if (!sentFor.has(wanted) && !taken.has(sent)) {
      sentFor.set(wanted, sent);
      taken.add(sent);
    }
    return sentFor.get(wanted) === sent ? wanted : sent;
  };
  return received.map((message, at) => {
    const wanted = expected[at];
    if (message.type === "tool_call" && wanted?.type === "tool_call") {
      return { ...message, id: aligned(wanted.id, message.id), name: aligned(wanted.name, message.name) };
    }
    if (message.role === "user" && wanted?.role === "user")
      return { ...message, content: alignLabels(wanted.content, message.content) };
    if (message.type !== "tool_result" || wanted?.type !== "tool_result") return message;
    return { ...message, id: aligned(wanted.id, message.id), output: alignText(wanted.output, message.output) };
  });
}

function alignText(wanted: string | Part[], sent: string | Part[]): string | Part[] {
  if (typeof sent === "string") return isFree(wanted, sent) ? wanted : sent;
  if (typeof wanted === "string") return sent;
  return sent.map((part, at) => {
    const own = wanted[at];
    return own?.type === "text" && part.type === "text" && isFree(own.text, part.text) ? own : part;
  });
}

/** Whether a text may be where another one is wanted. */
function isFree(wanted: unknown, sent: unknown): boolean {
  return wanted === optionalText || (wanted === anyText && sent !== "");
}

/** Replaces a text that precedes a part, where `wanted` has a label, by that label. The text may be missing. */
function alignLabels(wanted: string | Part[], sent: string | Part[]): string | Part[] {
  if (typeof wanted === "string" || typeof sent === "string") return sent;
  const rest = [...sent];
  const aligned = wanted.map((part, at) => {
    if (!isDeepStrictEqual(part, label)) return rest.shift();
    if (rest[0]?.type === "text" && !isDeepStrictEqual(rest[0], wanted[at + 1])) rest.shift();
    return label;
  });
  return [...aligned.filter((part) => part !== undefined), ...rest];
}

/** The parts that are not empty; a single text as a string. */
export function normalContent(content: string | Part[]): string | Part[] {
  if (typeof content === "string") return content;
  const parts = content.filter((part) => !(part.type === "text" && part.text === ""));
  if (parts.length === 0) return "";
  const only = parts[0];
  return parts.length === 1 && only?.type === "text" ? only.text : parts;
}

/** Merges consecutive user messages, as providers do. */
export function joinUsers(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === "user" && last?.role === "user") {
      joined[joined.length - 1] = {
        role: "user",
        content: normalContent([...partsOf(last.content), ...partsOf(message.content)]),
      };
    } else joined.push(message.role === "user" ? { role: "user", content: normalContent(message.content) } : message);
  }
  return joined;
}

export function partsOf(content: string | Part[]): Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** Leading system messages joined with a blank line, and the rest. @see PROVIDER-4 */
export function splitSystem(messages: readonly Message[]): { system?: string; messages: Message[] } {
  const first = messages.findIndex((message) => message.role !== "system");
  const count = first === -1 ? messages.length : first;
  const texts = messages
    .slice(0, count)
    .flatMap((message) => (message.role === "system" && message.content !== "" ? [message.content] : []));
  return { ...(texts.length > 0 && { system: texts.join("\n\n") }), messages: messages.slice(count) };
}

/** The arguments as the model wrote them. */
export function argumentsOf(call: Call): string {
  return call.raw_input ?? JSON.stringify(call.input ?? {});
}

/** The message that a call becomes: blank arguments are `{}`, what is not an object is kept as it was written. */
export function callMessage(call: Call): ToolCallMessage {
  const written = argumentsOf(call);
  const parsed = written.trim() === "" ? {} : parseObject(written);
  const input = isFinite(parsed) ? parsed : undefined;
  const message = { type: "tool_call", id: call.id ?? "", name: call.name } as const;
  return input === undefined ? { ...message, input: null, raw_input: written } : { ...message, input };
}

/** False for a value with a number that no double is near to. @see TOOL-46 */
function isFinite(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isFinite);
}
