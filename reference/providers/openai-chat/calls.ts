// Finds out to which call each streamed piece of a tool call belongs.

import { appendText } from "../shared/text-buffer.ts";
import { readTarget } from "./response.ts";
import type { Fields } from "./parts.ts";

/** A call while it grows. */
export interface CallSlot {
  index: unknown;
  id: string;
  name: string;
  /** The arguments, or the input of a custom tool, as far as they came. */
  written: string;
  /** Fields without a meaning here, the type of a custom call among them. */
  fields: Fields;
}

/**
 * Adds a piece to the call that it belongs to, or starts a call. Returns the call and what was added to its arguments.
 * @see CHAT-11 CHAT-12 CHAT-13 CHAT-14
 */
export function addCallPiece(slots: CallSlot[], piece: Fields): { slot: CallSlot; added: string } | undefined {
  const { id, index, function: called, custom, ...fields } = piece;
  const { isCustom, ...target } = readTarget(custom, called);
  const delta = { id: asText(id), ...target };
  let slot = findSlot(slots, index, delta);
  if (!slot) {
    if (delta.id === "" && delta.name === "" && delta.written === "") return undefined;
    slot = { index, id: "", name: "", written: "", fields: {} };
    slots.push(slot);
  }
  slot.id ||= delta.id;
  // A name is sent once, or again with every piece, or, rarely, in pieces before the arguments begin.
  if (slot.name === "" || (delta.name !== slot.name && slot.written === "")) slot.name += delta.name;
  slot.written = appendText(slot.written, delta.written);
  for (const [key, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) slot.fields[key] = value;
  }
  if (isCustom) slot.fields.type = "custom";
  return { slot, added: delta.written };
}

interface CallDelta {
  id: string;
  name: string;
  written: string;
}

/** The call that a piece continues; nothing if it starts one. */
function findSlot(slots: CallSlot[], index: unknown, delta: CallDelta): CallSlot | undefined {
  const numbered = typeof index === "number";
  const candidates = numbered ? slots.filter((slot) => slot.index === index) : slots;
  const same = delta.id === "" ? undefined : candidates.find((slot) => slot.id === delta.id);
  const slot = same ?? candidates.at(-1);
  if (!slot || startsAnother(slot, delta, numbered)) return undefined;
  return slot;
}

/**
 * A name begins a call if the id is another one, or if the arguments so far are whole and more come: whole arguments cannot
 * be continued. Without an index, another id is enough.
 */
function startsAnother(slot: CallSlot, delta: CallDelta, numbered: boolean): boolean {
  const otherId = delta.id !== "" && slot.id !== "" && delta.id !== slot.id;
  if (!numbered && otherId) return true;
  if (delta.name === "") return false;
  return (
    otherId ||
    (delta.written !== "" && isWhole(slot.written)) ||
    (!numbered && delta.id === "" && isWhole(slot.written))
  );
}

function isWhole(written: string): boolean {
  if (!written.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(written);
    return true;
  } catch {
    return false;
  }
}

/** The calls in the order of their index, each as the API has it in a whole answer. */
export function callsInOrder<T = Fields>(
  slots: CallSlot[],
  map: (slot: CallSlot) => T = toCall as (slot: CallSlot) => T,
): T[] {
  const place = (slot: CallSlot) => (typeof slot.index === "number" ? slot.index : Number.POSITIVE_INFINITY);
  return slots.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b))).map(map);
}

function toCall({ id, name, written, fields }: CallSlot): Fields {
  if (fields.type === "custom") return { ...fields, id, custom: { name, input: written } };
  return { ...fields, id, function: { name, arguments: written } };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
