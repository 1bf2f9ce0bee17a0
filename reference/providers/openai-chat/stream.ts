// Puts a streamed answer of the Chat Completions API together, with the habits of the many servers that speak it.

import { isRecord } from "../shared/arguments.ts";
import { appendText } from "../shared/text-buffer.ts";
import { failedResponse, interruption, providerError, unreadable } from "../shared/http-error.ts";
import { callsInOrder, createCalls } from "./calls.ts";
import type { CallSlot } from "./calls.ts";
import { PROVIDER } from "./parts.ts";
import type { Fields } from "./parts.ts";
import {
  foundIn,
  isFilled,
  itemsIn,
  parseResponse,
  present,
  readDetail,
  reasoningFields,
  recordsIn,
  says,
  textOf,
  thoughtIn,
  toResponse,
} from "./response.ts";
import type { Answer } from "./response.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { Codec, Reader } from "../shared/receive.ts";
import type { LoopError, Message, ModelResponse } from "../../../schemas/types.ts";

/** Reads answers of the Chat Completions API, without HTTP and without the SDK. */
export const openaiChatCodec: Codec = { provider: PROVIDER, parseResponse, createReader };

/** Puts a streamed answer together. Only the choice that comes first is read. @see CHAT-15 CHAT-17 CHAT-18 CHAT-39 CHAT-41 */
export function createReader(model: string, onStream: (event: StreamEvent) => void = () => undefined): Reader {
  const answer: Answer & { thought: string; text: string } = {
    message: {},
    thought: "",
    text: "",
    found: {},
    finish_reason: null,
    usage: undefined,
    model: undefined,
  };
  const calls = createCalls();
  const emitter = createEmitter(onStream);
  let choiceIndex: unknown;
  let chosen = false;
  let done = false;
  let failure: LoopError | undefined;

  function push({ event, data }: { event?: string | undefined; data: string }): boolean {
    if (data.trim() === "[DONE]") done = true;
    else take(readChunk(data), event, data);
    return !done && !failure;
  }

  function take(chunk: Fields | undefined, event: string | undefined, data: string): void {
    if (!chunk) {
      failure = unreadable(PROVIDER, "chunks of JSON", data);
      return;
    }
    if (chunk.error || event === "error") failure = providerError(PROVIDER, { body: chunk });
    answer.usage = readUsage(chunk) ?? answer.usage;
    answer.found = { ...answer.found, ...foundIn(chunk) };
    answer.model ??= isFilled(chunk.model) ? chunk.model : undefined;
    for (const choice of recordsIn(chunk.choices)) {
      choiceIndex ??= choice.index ?? 0;
      if ((choice.index ?? 0) === choiceIndex) takeChoice(choice);
    }
  }

  function takeChoice(choice: Fields): void {
    chosen = true;
    if (isFilled(choice.finish_reason)) answer.finish_reason = choice.finish_reason;
    // A whole message stands in place of deltas, or, beside one or at the end, says nothing new. [CHAT-39]
    if (isRecord(choice.delta)) takeDelta(choice.delta);
    else if (isRecord(choice.message) && isSilent()) takeDelta(choice.message);
    if (choice.error) failure = providerError(PROVIDER, { body: { error: choice.error } });
  }

  function isSilent(): boolean {
    return calls.slots.length === 0 && answer.thought + answer.text === "" && !says(answer.message);
  }

  function takeDelta(delta: Fields): void {
    const { role: _role, content, refusal, tool_calls, function_call, ...others } = delta;
    const thought = reasoningFields.map((name) => others[name]).find(isFilled);
    think(thought ?? recordsIn(others.reasoning_details).map(readDetail).join(""));
    for (const [key, value] of Object.entries(others)) addField(answer.message, key, value);
    if (others.reasoning_content === "") answer.message.reasoning_content ??= ""; // [CHAT-43]
    think(thoughtIn(content));
    speak(textOf(content));
    addField(answer.message, "content", itemsIn(content));
    if (isFilled(refusal)) {
      answer.message.refusal = refusal;
      speak(refusal);
    }
    const pieces = recordsIn(tool_calls);
    if (isRecord(function_call)) pieces.push({ index: 0, function: function_call });
    for (const piece of pieces) {
      const grown = calls.add(piece);
      if (grown) emitter.call(grown.slot, grown.added);
    }
  }

  function speak(text: string): void {
    answer.text = appendText(answer.text, text);
    emitter.emitText("assistant", text);
  }

  function think(thought: string): void {
    answer.thought = appendText(answer.thought, thought);
    emitter.emitText("thinking", thought);
  }

  function end(lost?: string): ModelResponse {
    answer.message.tool_calls = callsInOrder(calls.slots);
    const response = toResponse(answer, model);
    emitter.end(response.messages, calls.slots);
    if (failure) return failedResponse(failure, response);
    if (!done && answer.finish_reason === null) {
      return failedResponse(
        interruption(PROVIDER, lost ?? "the stream ended without finish_reason and [DONE]"),
        response,
      );
    }
    if (chosen) return response;
    return failedResponse(interruption(PROVIDER, "the stream ended without a choice"), response);
  }

  return { push, end };
}

function readChunk(data: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value : value === null ? {} : undefined;
  } catch {
    return undefined;
  }
}

function readUsage(chunk: Fields): Fields | undefined {
  const usage = chunk.usage ?? (isRecord(chunk.x_groq) ? chunk.x_groq.usage : undefined);
  return isRecord(usage) && Object.keys(usage).length > 0 ? usage : undefined; // [CHAT-27]
}

/**
 * Adds what has no meaning here and says something: reasoning grows and stays text, lists grow, the rest is replaced. What
 * grows does so in its place: a copy for each piece would take a time that is the square of their number.
 */
function addField(message: Fields, key: string, value: unknown): void {
  const before = message[key];
  if (!says(value)) return;
  if (key === "reasoning_details") addDetails((message[key] ??= []) as Fields[], recordsIn(value));
  else if (Array.isArray(before) && Array.isArray(value)) for (const item of value) before.push(item);
  else if (key === "audio" && isRecord(before) && isRecord(value)) addPiece(before, value);
  else if (typeof before !== "string" || !key.startsWith("reasoning")) message[key] = value;
  else if (typeof value === "string") message[key] = appendText(before, value);
}

/** Pieces of one detail are neighbours with its type and index. What is encrypted comes whole. */
function addDetails(details: Fields[], added: Fields[]): void {
  for (const piece of added) {
    const last = details.at(-1);
    const more = last && last.type === piece.type && last.index === piece.index && piece.type !== "reasoning.encrypted";
    if (more) addPiece(last, piece);
    else details.push(piece);
  }
}

/** The texts of a detail, audio data and transcripts come in pieces. Of everything else the last value counts. */
function addPiece(grown: Fields, piece: Fields): void {
  for (const [key, value] of Object.entries(present(piece))) {
    const before = grown[key];
    grown[key] = inPieces.has(key) && isFilled(before) && isFilled(value) ? appendText(before, value) : value;
  }
}

const inPieces = new Set(["text", "summary", "data", "transcript"]);

/** Streams the messages to a listener while they grow. All of them end with the stream: until then each may grow. */
function createEmitter(onStream: (event: StreamEvent) => void) {
  const indexes = new Map<CallSlot | Message | "thinking" | "assistant", number>();
  /** Calls that have a name and may not have begun, the latest first: who begins ends the wait of those before it. */
  const waiting: CallSlot[] = [];

  function start(key: CallSlot | Message | "thinking" | "assistant", message: Message): number {
    const known = indexes.get(key);
    if (known !== undefined) return known;
    const index = indexes.size;
    indexes.set(key, index);
    onStream({ type: "message_start", index, message });
    return index;
  }

  /** A call is announced when its arguments begin, or another call: until then its name may still come in pieces. */
  function call(slot: CallSlot, added: string): void {
    if (indexes.has(slot)) return emitDelta(begin(slot), added);
    while (waiting.length > 0 && waiting.at(-1)!.place < slot.place) begin(waiting.pop()!);
    if (slot.name === "") return;
    if (slot.written !== "") emitDelta(begin(slot), slot.written);
    else if (waiting.at(-1) !== slot) waiting.push(slot);
  }

  function begin(slot: CallSlot): number {
    return start(slot, { type: "tool_call", id: slot.id, name: slot.name, input: {} });
  }

  function emitDelta(index: number, delta: string): void {
    if (delta !== "") onStream({ type: "message_delta", index, delta });
  }

  function emitText(key: "thinking" | "assistant", delta: string): void {
    if (delta === "") return;
    const index = start(
      key,
      key === "thinking" ? { type: "thinking", content: "" } : { role: "assistant", content: "" },
    );
    emitDelta(index, delta);
  }

  function end(messages: Message[], slots: CallSlot[]): void {
    const calls = callsInOrder(slots, (slot) => slot);
    for (const slot of calls) if (!indexes.has(slot)) emitDelta(begin(slot), slot.written);
    const next = calls.values();
    for (const message of messages) {
      const index = start(keyOf(message, next), message);
      onStream({ type: "message_end", index, message });
    }
  }

  return { emitText, call, end };
}

function keyOf(message: Message, calls: Iterator<CallSlot>): CallSlot | Message | "thinking" | "assistant" {
  if (message.type === "tool_call") return calls.next().value ?? message;
  if (message.type === "thinking") return "thinking";
  return message.role === "assistant" ? "assistant" : message;
}
