// Builds the items of a streamed response, and streams the messages that they become to a listener.

import { isRecord } from "../shared/arguments.ts";
import { appendText } from "../shared/text-buffer.ts";
import { PROVIDER } from "./parts.ts";
import type { Fields } from "./parts.ts";
import { isFilled, isOfModel, recordsOf, thought, toMessages, toText } from "./response.ts";
import type { Maker } from "./response.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { Message } from "../../../schemas/types.ts";

/** An item while it grows. `streamed` has what a listener has received of its messages, by their place in the item. */
export interface Slot {
  /** Which of the items it is, in the order in which they began. */
  at: number;
  output: unknown;
  item: Fields;
  streamed: Map<number, Streamed>;
  messages?: Message[];
}

interface Streamed {
  index: number;
  text: string;
  /** Whether the text is still the one that the item has, and not a second one in memory. */
  shared: boolean;
}

/** The text of an item that a piece was added to. */
interface Grown {
  before: string;
  after: string;
}

/** The items of one response. `makerNow` says whose they are, once that is known. */
export function createItems(makerNow: () => Maker, onStream: (event: StreamEvent) => void) {
  const slots: Slot[] = [];
  // The last item under each number and id: an event finds its own without a look at the others, of which there may be any number.
  const byOutput = new Map<unknown, Slot>();
  const byId = new Map<unknown, Slot>();
  let announced = 0;

  /** The item that an event is about. Some servers count the items of each of their own rounds anew: the last one counts. */
  function find({ output_index, item_id }: Fields): Slot | undefined {
    return output_index === undefined ? byId.get(item_id) : byOutput.get(output_index);
  }

  function start(output: unknown, item: Fields): Slot {
    const slot: Slot = { at: slots.length, output, item: { ...item }, streamed: new Map() };
    slots.push(slot);
    byOutput.set(output, slot);
    byId.set(item.id, slot);
    const [message] = toMessages(slot.item, makerNow());
    if (message?.type === "tool_call" && message.name !== "") begin(slot, 0, message);
    return slot;
  }

  /** Streams a piece of the message at a place of an item; `grown` is the text of the item, where that has grown by the same piece. */
  function emitDelta(slot: Slot, place: number, delta: string, grown?: Grown): void {
    const streamed = slot.streamed.get(place) ?? begin(slot, place, textOrThought(slot));
    // Where it is the same text it is the same string, so that the comparison ends at once; where it is another, this is the last one.
    streamed.shared &&= streamed.text === grown?.before;
    streamed.text = streamed.shared && grown ? grown.after : appendText(streamed.text, delta);
    if (delta !== "") onStream({ type: "message_delta", index: streamed.index, delta });
  }

  function begin(slot: Slot, place: number, message: Message): Streamed {
    const streamed = { index: announced++, text: "", shared: true };
    slot.streamed.set(place, streamed);
    onStream({ type: "message_start", index: streamed.index, message: begunAs(message) });
    return streamed;
  }

  /** Ends an item. What came in pieces stays where the whole item has nothing. @see RESPONSES-17 */
  function finish(slot: Slot, whole: Fields = {}): void {
    if (slot.messages) return;
    renumber(slot, recordsOf(whole.content));
    const item = merged(slot.item, whole);
    const maker = makerNow();
    const pieces =
      item.type === "message" && isOfModel(item)
        ? recordsOf(item.content).map((part) => toText(item, part, maker))
        : toMessages(item, maker);
    for (const [place, { text }] of slot.streamed) pieces[place] ??= toText(item, { type: "output_text", text }, maker);
    rename(slot, item.id);
    slot.item = item;
    slot.messages = pieces.flatMap((message) => message ?? []);
    for (const [place, message] of pieces.entries()) if (message) end(slot, place, message);
  }

  /** The id with which an item ends may be another than that with which it began. */
  function rename(slot: Slot, id: unknown): void {
    if (byId.get(slot.item.id) === slot) byId.delete(slot.item.id);
    const known = byId.get(id);
    if (!known || known.at < slot.at) byId.set(id, slot);
  }

  function end(slot: Slot, place: number, message: Message): void {
    const { index, text: known } = slot.streamed.get(place) ?? begin(slot, place, message);
    const text = textOf(message, slot);
    const rest = text.startsWith(known) ? text.slice(known.length) : "";
    emitDelta(slot, place, rest);
    onStream({ type: "message_end", index, message });
  }

  /**
   * The messages of the whole response, in the order of its final output, as far as that has them. An item that ended in the
   * stream stays as it ended.
   */
  function close(output: Fields[] = []): Message[] {
    const ids = new Set(output.map(({ id }) => id).filter(isFilled));
    const left = new Set(slots);
    // The first of those that wait is the last of its list.
    const same = Map.groupBy(slots.toReversed(), ({ item }) => item.id);
    const like = Map.groupBy(
      slots.toReversed().filter(({ item }) => !ids.has(item.id as string)),
      ({ item }) => item.type,
    );
    const placed = output.map((item) => {
      const named = isFilled(item.id) ? same.get(item.id)?.pop() : undefined;
      const slot = named ?? like.get(item.type)?.pop() ?? start(undefined, item);
      left.delete(slot);
      if (slot.messages) slot.messages = withFinalId(slot, item, makerNow());
      else finish(slot, item);
      return slot;
    });
    for (const slot of left) finish(slot);
    return [...placed, ...left].flatMap(({ messages = [] }) => messages);
  }

  return { find, start, emitDelta, finish, close };
}

/**
 * Some servers give a call another id when the response ends, and know it only by that one. A listener was given the first, so
 * that stays the id of the message.
 */
function withFinalId({ item, messages = [] }: Slot, { call_id }: Fields, { model }: Maker): Message[] {
  if (!isFilled(call_id) || call_id === item.call_id) return messages;
  const known = { provider: PROVIDER, model };
  return messages.map((message) =>
    message.type === "tool_call" ? { ...message, opaque: { ...known, ...message.opaque, call_id } } : message,
  );
}

/**
 * Some servers count the parts of an item from another number when it ends: a text whose pieces came under a number that the
 * item does not have is the part with that text.
 * @see RESPONSES-39
 */
function renumber({ item, streamed }: Slot, ended: Fields[]): void {
  const grown = recordsOf(item.content);
  if (item.type !== "message" || ended.length === 0 || grown.length === 0) return;
  const isAt = (place: number, text: string) => spokenIn(ended[place]).startsWith(text);
  const moved = [...streamed].filter(([place, { text }]) => text !== "" && !isAt(place, text));
  const leaving = new Set(moved.map(([from]) => from));
  const taken = new Set([...streamed.keys()].filter((place) => !leaving.has(place)));
  const places = ended.map((_, place) => place);
  for (const [from, told] of moved) {
    const to = places.find((place) => !taken.has(place) && !streamed.has(place) && isAt(place, told.text));
    if (to === undefined) continue;
    taken.add(to);
    if (streamed.get(from) === told) streamed.delete(from);
    streamed.set(to, told);
    if (from >= ended.length) delete grown[from];
  }
  item.content = grown.filter((_, place) => place in grown);
}

function spokenIn(part: Fields = {}): string {
  return [part.text, part.refusal].find(isFilled) ?? "";
}

const growing = ["message", "reasoning", "function_call", "custom_tool_call"];

/** A whole item over what came of it in pieces. */
function merged(grown: Fields, whole: Fields): Fields {
  if (!growing.includes(String(grown.type)) && Object.keys(whole).length > 0)
    return whole.type === undefined && says(grown.type) ? { ...whole, type: grown.type } : { ...whole };
  const item = { ...grown };
  for (const [key, value] of Object.entries(whole)) {
    const before = item[key];
    if (key === "type" || (!says(value) && says(before))) continue;
    item[key] = Array.isArray(value) && Array.isArray(before) ? [...value, ...before.slice(value.length)] : value;
  }
  return item;
}

function says(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== "";
}

/** The text that a listener should have received of a message. */
function textOf(message: Message, { item }: Slot): string {
  if (message.type === "tool_call") {
    const written = item.type === "custom_tool_call" ? item.input : item.arguments;
    return isFilled(written) ? written : isRecord(written) ? JSON.stringify(written) : "";
  }
  if (message.type === "thinking") return thought(item);
  return message.role === "assistant" ? message.content : "";
}

function textOrThought({ item }: Slot): Message {
  return item.type === "reasoning" ? { type: "thinking", content: "" } : { role: "assistant", content: "" };
}

/** A message as it is before anything of it has come. */
function begunAs(message: Message): Message {
  if (message.type === "thinking") return { type: "thinking", content: "" };
  if (message.type === "tool_call") return { type: "tool_call", id: message.id, name: message.name, input: {} };
  return message.role === "assistant" ? { role: "assistant", content: "" } : message;
}
