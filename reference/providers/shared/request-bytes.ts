// Encodes request bodies so that what the request before already said is not encoded again.

import type { Message } from "../../../schemas/types.ts";
import { writeUtf8 } from "../../support/utf8.ts";

/** A body as bytes. The bytes are good until `release`; then the next request of the conversation may use their memory. */
export interface RequestBytes {
  bytes: Uint8Array;
  release(): void;
}

/** Encodes the bodies of many conversations, `conversation` being the messages that a body was rendered from. */
export type EncodeRequest = (conversation: Message[], body: Record<string, unknown>) => RequestBytes;

/**
 * An encoder of bodies whose field `list` holds the conversation. The bytes are those of `JSON.stringify(body)`, whatever is in
 * the body and whatever changed in it; only how long it takes depends on how much of the list is as it was in the request before.
 * What is kept of a conversation goes with its first message.
 * @see PROVIDER-13
 */
export function createRequestEncoder(list: string): EncodeRequest {
  const bodies = new WeakMap<Message, Growing>();
  return (conversation, body) => {
    const { [list]: items } = body;
    const first = conversation.find(({ role }) => role !== "system");
    if (!first || !Array.isArray(items)) return { bytes: utf8.encode(JSON.stringify(body)), release() {} };
    const known = bodies.get(first);
    const growing = known && !known.lent ? known : createGrowing();
    bodies.set(first, growing);
    growing.lent = true;
    const [head, tail] = around(list, body);
    return { bytes: growing.update(head, items as unknown[], tail), release: () => (growing.lent = false) };
  };
}

const utf8 = new TextEncoder();

/** The JSON of a body before and after the items of its list. */
function around(list: string, body: Record<string, unknown>): [head: string, tail: string] {
  const fields = Object.entries(body);
  const at = fields.findIndex(([key]) => key === list);
  const json = (some: typeof fields) => JSON.stringify(Object.fromEntries(some)).slice(1, -1);
  const [before, after] = [json(fields.slice(0, at)), json(fields.slice(at + 1))];
  return [`{${before}${before && ","}${JSON.stringify(list)}:[`, `]${after && ","}${after}}`];
}

/** The bytes that one UTF-16 code unit may need. */
const LONGEST_CHARACTER = 3;
/** What a conversation takes at least, in bytes, so that its first turns do not move it again and again. */
const LEAST_MEMORY = 16_384;

interface Growing {
  /** Whether somebody still sends the bytes. */
  lent: boolean;
  update(head: string, items: unknown[], tail: string): Uint8Array;
}

/** The bytes of one conversation: its items, room for a head before them, and for more items and a tail after them. */
function createGrowing(): Growing {
  let bytes = new Uint8Array(0);
  let start = 0; // of the items
  let items: unknown[] = [];
  const ends: number[] = []; // of the items, from `start`

  /** Makes room for a head of so many bytes, and for so many bytes after those that are `used`. */
  function reserve(before: number, used: number, after: number): void {
    if (before <= start && start + used + after <= bytes.length) return;
    const room = before <= start ? start : before * 2;
    const larger = new Uint8Array(Math.max(room + (used + after) * 2, LEAST_MEMORY));
    larger.set(bytes.subarray(start, start + used), room);
    bytes = larger;
    start = room;
  }

  return {
    lent: false,
    update(head, next, tail) {
      let same = 0;
      while (same < items.length && same < next.length && isSame(items[same], next[same])) same += 1;
      ends.length = same;
      let end = ends.at(-1) ?? 0;
      const before = utf8.encode(head);
      /** Writes a text after what is written; returns where it ends. */
      const write = (text: string): number => {
        reserve(before.length, end, text.length * LONGEST_CHARACTER);
        return end + writeUtf8(text, bytes.subarray(start + end));
      };
      for (let at = same; at < next.length; at += 1) {
        // An item that JSON has no word for is null in an array.
        end = write((at > 0 ? "," : "") + (JSON.stringify(next[at]) ?? "null"));
        ends.push(end);
      }
      const whole = write(tail);
      bytes.set(before, start - before.length);
      items = next;
      return bytes.subarray(start - before.length, start + whole);
    },
  };
}

/**
 * Whether two values have the same JSON. What adapters render is not changed afterwards, so the same object says the same; what
 * is neither a list nor a plain object is only the same as itself.
 */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let at = 0; at < a.length; at += 1) if (!isSame(a[at], b[at])) return false;
    return true;
  }
  if (Object.getPrototypeOf(a) !== Object.prototype || Object.getPrototypeOf(b) !== Object.prototype) return false;
  return haveSameFields(a as Record<string, unknown>, b as Record<string, unknown>);
}

function haveSameFields(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key, at) => key === others[at] && isSame(a[key], b[key]));
}
