// Puts a streamed answer of the Responses API together.

import { isRecord } from "../shared/arguments.ts";
import { appendText } from "../shared/text-buffer.ts";
import { failedResponse, interruption, unreadable } from "../shared/http-error.ts";
import { createItems } from "./items.ts";
import type { Slot } from "./items.ts";
import { PROVIDER } from "./parts.ts";
import type { Fields } from "./parts.ts";
import { failureOf, isFilled, makerOf, parseResponse, present, recordsOf, toResponse } from "./response.ts";
import type { Declares, Maker } from "./response.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { Codec, Reader, SentEvent } from "../shared/receive.ts";
import type { LoopError, ModelResponse } from "../../../schemas/types.ts";

/** Reads answers of the Responses API, without HTTP and without the SDK. */
export const openaiResponsesCodec: Codec = { provider: PROVIDER, parseResponse, createReader };

/** The same for the answers to a request whose tools are known. @see RESPONSES-40 */
export function codecFor(declares: Declares): Codec {
  return {
    provider: PROVIDER,
    parseResponse: (body, model) => parseResponse(body, model, declares),
    createReader: (model, onStream) => createReader(model, onStream, declares),
  };
}

/** Puts a streamed answer together. @see RESPONSES-17 RESPONSES-18 RESPONSES-19 RESPONSES-20 */
export function createReader(
  model: string,
  onStream: (event: StreamEvent) => void = () => undefined,
  declares?: Declares,
): Reader {
  let begun: Fields = {};
  let maker: Maker | undefined;
  let final: Fields | undefined;
  let failure: LoopError | undefined;
  const items = createItems(() => ({ ...(maker ?? { model }), declares }), onStream);

  function push({ event, data }: SentEvent): boolean {
    if (data.trim() === "[DONE]") return false;
    const value = readEvent(data);
    if (value) take(typeOf(value, event), value);
    else failure = unreadable(PROVIDER, "events with JSON data", data);
    return !final && !failure;
  }

  function take(type: unknown, data: Fields): void {
    switch (type) {
      case "response.created":
      case "response.in_progress":
      case "response.queued":
        return begin(data.response);
      case "response.output_item.added":
        return isRecord(data.item) ? add(data.output_index, data.item) : undefined;
      case "response.output_item.done":
        return isRecord(data.item) ? finish(data.output_index, data.item) : undefined;
      case "response.content_part.added":
      case "response.content_part.done":
      case "response.output_text.delta":
      case "response.output_text.done":
      case "response.refusal.delta":
      case "response.refusal.done":
      case "response.output_text.annotation.added":
        return growItem("message", data, (slot) => growMessage(type, slot, data));
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_summary_text.done":
        return growItem("reasoning", data, (slot) => growThinking(slot, "summary", data.summary_index, data));
      case "response.reasoning_text.delta":
      case "response.reasoning_text.done":
        return growItem("reasoning", data, (slot) => growThinking(slot, "content", data.content_index, data));
      case "response.function_call_arguments.delta":
      case "response.function_call_arguments.done":
        return growItem("function_call", data, (slot) => growCall(slot, "arguments", data));
      case "response.custom_tool_call_input.delta":
      case "response.custom_tool_call_input.done":
        return growItem("custom_tool_call", data, (slot) => growCall(slot, "input", data));
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        return complete(type, data.response);
      case "response":
        return complete("response.completed", data);
      case "error":
        failure = failureOf(data);
    }
  }

  function begin(response: unknown): void {
    if (!isRecord(response)) return;
    begun = response;
    maker ??= makerOf(response, model);
  }

  /** What is encrypted when an item begins may be only its beginning. @see RESPONSES-17 */
  function add(output: unknown, { encrypted_content: _partial, ...item }: Fields): void {
    const slot = items.find({ output_index: output });
    if (!slot || slot.item.id !== item.id) items.start(output, item);
  }

  function finish(output: unknown, item: Fields): void {
    const slot = items.find({ output_index: output, item_id: item.id });
    const grown = slot && !slot.messages && slot.item.type === (item.type ?? slot.item.type);
    if (slot?.messages && slot.item.id === item.id) return;
    items.finish(grown ? slot : items.start(output, item), item);
  }

  /** A text or a thought may come without its beginning; of a call that has none, nobody knows the name. */
  function growItem(type: string, data: Fields, by: (slot: Slot) => void): void {
    let slot = items.find(data);
    if (!slot && (type === "message" || type === "reasoning")) {
      slot = items.start(data.output_index, { type, id: data.item_id });
    }
    if (slot && !slot.messages && slot.item.type === type) by(slot);
  }

  function growMessage(type: string, slot: Slot, data: Fields): void {
    const place = placeOf(data.content_index);
    const kind = type.startsWith("response.refusal.") ? "refusal" : "output_text";
    const part = entryOf(slot.item, "content", place, kind);
    if (type.startsWith("response.content_part")) {
      // An empty piece takes back nothing that was received.
      if (isRecord(data.part)) Object.assign(part, present(data.part));
    } else if (type === "response.output_text.annotation.added") {
      if (Array.isArray(part.annotations)) part.annotations.push(data.annotation);
      else part.annotations = [data.annotation];
    } else {
      const key = kind === "refusal" ? kind : "text";
      const delta = newIn(data, key, part[key]);
      if (delta === "") return;
      const before = asText(part[key]);
      const after = appendText(before, delta);
      part.type = kind;
      part[key] = after;
      items.emitDelta(slot, place, delta, { before, after });
    }
  }

  function growThinking(slot: Slot, list: "summary" | "content", at: unknown, data: Fields): void {
    const part = entryOf(slot.item, list, placeOf(at), list === "summary" ? "summary_text" : "reasoning_text");
    const delta = newIn(data, "text", part.text);
    if (delta === "") return;
    const begins = !isFilled(part.text) && slot.streamed.has(0);
    part.text = appendText(asText(part.text), delta);
    // Where a server sends both, the reasoning is what is shown, and its summary is not streamed.
    if (list === "summary" && Array.isArray(slot.item.content) && slot.item.content.length > 0) return;
    items.emitDelta(slot, 0, begins ? `\n\n${delta}` : delta);
  }

  function growCall(slot: Slot, key: "arguments" | "input", data: Fields): void {
    const delta = newIn(data, key, slot.item[key]);
    if (delta === "") return;
    slot.item[key] = appendText(asText(slot.item[key]), delta);
    if (slot.streamed.has(0)) items.emitDelta(slot, 0, delta);
  }

  function complete(type: string, response: unknown): void {
    begin(response);
    const reported = ["incomplete", "failed"].includes(asText(begun.status)) ? begun.status : undefined;
    final = { ...begun, status: reported ?? type.slice("response.".length) };
  }

  function end(lost?: string): ModelResponse {
    const messages = items.close(recordsOf(final?.output));
    const response = toResponse(final ?? { ...begun, status: undefined }, messages, model);
    if (failure) return failedResponse(failure, response);
    if (final) return response;
    const reason = lost ?? "the stream ended without response.completed, response.incomplete and response.failed";
    return failedResponse(interruption(PROVIDER, reason), response);
  }

  return { push, end };
}

function readEvent(data: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Some servers end with the bare response, or name an event only outside its data. */
function typeOf(data: Fields, event: string | undefined): unknown {
  if (isFilled(data.type)) return data.type;
  if (data.object === "response") return "response";
  return isRecord(data.error) ? "error" : event;
}

/** What an event adds to a text: its piece, or, at the end of the text, what no piece before it had. @see RESPONSES-38 */
function newIn(data: Fields, key: "text" | "refusal" | "arguments" | "input", known: unknown): string {
  if (isFilled(data.delta)) return data.delta;
  const whole = asText(data[key]);
  return whole.startsWith(asText(known)) ? whole.slice(asText(known).length) : "";
}

/** The lists that have nothing but entries: each is looked through once, not with every piece. */
const lists = new WeakSet<object>();

/** The entry of a list in an item, made if it is not there. */
function entryOf(item: Fields, list: string, place: number, type: string): Fields {
  const known = item[list];
  const entries = Array.isArray(known) && lists.has(known) ? (known as Fields[]) : ownList(item, list);
  while (entries.length <= place) entries.push({ type, text: "" });
  return entries[place]!;
}

function ownList(item: Fields, list: string): Fields[] {
  const entries = recordsOf(item[list]);
  lists.add(entries);
  item[list] = entries;
  return entries;
}

/** The place in a list that an index names. One that no server means would make the list as long as it says. */
function placeOf(index: unknown): number {
  return Number.isInteger(index) && (index as number) > 0 && (index as number) < 10_000 ? (index as number) : 0;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
