// Finds out to which call each streamed piece of a tool call belongs.

import { appendText } from "../shared/text-buffer.ts";
import { readTarget } from "./response.ts";
import { createGrowing, type Growing } from "./whole-arguments.ts";
import type { Fields } from "./parts.ts";

/** A call while it grows. */
export interface CallSlot {
  /** Which of the calls it is, in the order in which they began. */
  place: number;
  index: unknown;
  id: string;
  name: string;
  /** The arguments, or the input of a custom tool, as far as they came. */
  written: string;
  /** Fields without a meaning here, the type of a custom call among them. */
  fields: Fields;
  /** Whether the arguments are whole, once somebody asked. */
  growing?: Growing;
}

/** The calls of a stream. A piece finds its call without a look at the others: there may be any number of them. */
export interface Calls {
  readonly slots: CallSlot[];
  /**
   * Adds a piece to the call that it belongs to, or starts a call. Returns the call and what was added to its arguments.
   * @see CHAT-11 CHAT-12 CHAT-13 CHAT-14
   */
  add(piece: Fields): { slot: CallSlot; added: string } | undefined;
}

/** Calls among which one is looked for: the last, and by id the first of those that have it. */
interface Group {
  last?: CallSlot;
  byId: Map<string, CallSlot>;
}

/** @see Calls */
export function createCalls(): Calls {
  const slots: CallSlot[] = [];
  const all: Group = { byId: new Map() };
  const byIndex = new Map<unknown, Group>();

  function groupOf(index: unknown): Group {
    if (typeof index !== "number") return all;
    const group = byIndex.get(index) ?? { byId: new Map() };
    byIndex.set(index, group);
    return group;
  }

  function add(piece: Fields): { slot: CallSlot; added: string } | undefined {
    const { id, index, function: called, custom, ...fields } = piece;
    const { isCustom, ...target } = readTarget(custom, called);
    const delta = { id: asText(id), ...target };
    let slot = findSlot(groupOf(index), index, delta);
    if (!slot) {
      if (delta.id === "" && delta.name === "" && delta.written === "") return undefined;
      slot = start(index);
    }
    if (slot.id === "" && delta.id !== "") name(slot, delta.id);
    // A name is sent once, or again with every piece, or, rarely, in pieces before the arguments begin.
    if (slot.name === "" || (delta.name !== slot.name && slot.written === "")) slot.name += delta.name;
    slot.written = appendText(slot.written, delta.written);
    slot.growing?.add(delta.written);
    for (const [key, value] of Object.entries(fields)) {
      if (value !== null && value !== undefined) slot.fields[key] = value;
    }
    if (isCustom) slot.fields.type = "custom";
    return { slot, added: delta.written };
  }

  function start(index: unknown): CallSlot {
    const slot: CallSlot = { place: slots.length, index, id: "", name: "", written: "", fields: {} };
    slots.push(slot);
    all.last = groupOf(index).last = slot;
    return slot;
  }

  function name(slot: CallSlot, id: string): void {
    slot.id = id;
    for (const { byId } of new Set([all, groupOf(slot.index)])) {
      const known = byId.get(id);
      if (!known || slot.place < known.place) byId.set(id, slot);
    }
  }

  return { slots, add };
}

interface CallDelta {
  id: string;
  name: string;
  written: string;
}

/** The call that a piece continues; nothing if it starts one. */
function findSlot(group: Group, index: unknown, delta: CallDelta): CallSlot | undefined {
  const numbered = typeof index === "number";
  const same = delta.id === "" ? undefined : group.byId.get(delta.id);
  const slot = same ?? group.last;
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
  return otherId || (delta.written !== "" && isWhole(slot)) || (!numbered && delta.id === "" && isWhole(slot));
}

function isWhole(slot: CallSlot): boolean {
  slot.growing ??= createGrowing(() => slot.written);
  return slot.growing.isWhole();
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
