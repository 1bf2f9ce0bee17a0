// Puts a streamed answer of Anthropic's Messages API together.

import { isRecord } from "../shared/arguments.ts";
import { PROVIDER } from "./parts.ts";
import { isBlock, parseResponse, toMessage, toResponse } from "./response.ts";
import { appendText } from "../shared/text-buffer.ts";
import { failedResponse, interruption, providerError, unreadable } from "../shared/http-error.ts";
import { createDeltaParser } from "../shared/delta-parser.ts";
import type { Fields, ReceivedBlock } from "./response.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { Codec, Reader, SentEvent } from "../shared/receive.ts";
import type { LoopError, Message, ModelResponse } from "../../../schemas/types.ts";

/** A block while it grows, and the index under which the listener knows it. */
interface Block extends ReceivedBlock {
  announced?: number;
}

/** The events that an answer is made of. What others have as data may be anything. @see ANTHROPIC-17 */
const events = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "error",
]);

/** Reads answers of the Messages API, without HTTP and without the SDK. */
export const anthropicMessagesCodec: Codec = {
  provider: PROVIDER,
  parseResponse: (body, model) => parseResponse(body, model),
  createReader: (model, onStream) => createReader(model, onStream),
};

/** Reads answers whose conversation the server keeps. @see ANTHROPIC-26 */
export const threadCodec: Codec = {
  provider: PROVIDER,
  parseResponse: (body, model) => parseResponse(body, model, true),
  createReader: (model, onStream) => createReader(model, onStream, true),
};

/** Puts a streamed answer together. @see ANTHROPIC-15 ANTHROPIC-16 ANTHROPIC-17 */
export function createReader(
  model: string,
  onStream: (event: StreamEvent) => void = () => undefined,
  isOnThread = false,
): Reader {
  const message: Fields = {};
  const blocks: Block[] = [];
  /** The blocks that still grow, by their index. When a block has ended, another one may have its index. */
  const open = new Map<unknown, Block>();
  const parse = createDeltaParser(findText);
  let announced = 0;
  let stopped = false;
  let failure: LoopError | undefined;

  function push({ event, data: text }: SentEvent): boolean {
    const data = readData(text, parse);
    if (data) take(data);
    else if (event === undefined || events.has(event)) failure = unreadable(PROVIDER, "events with JSON data", text);
    return !stopped && !failure;
  }

  function take(data: Fields): void {
    const block = open.get(data.index);
    switch (data.type) {
      case "message_start":
        return begin(data.message);
      case "content_block_start":
        return start(data.index, data.content_block);
      case "content_block_delta":
        return block && isRecord(data.delta) ? extend(block, data.delta) : undefined;
      case "content_block_stop":
        open.delete(data.index);
        return block && finish(block);
      case "message_delta":
        merge(message, data.delta);
        return merge(message, { usage: data.usage });
      case "message_stop":
        stopped = true;
        return undefined;
      case "error":
        failure = providerError(PROVIDER, { body: data });
        return undefined;
      default:
        return undefined;
    }
  }

  /** A message may begin with whole blocks, where it goes on with what was begun before. */
  function begin(started: unknown): void {
    merge(message, started);
    const content: unknown[] = isRecord(started) && Array.isArray(started.content) ? started.content : [];
    for (const [index, block] of content.entries()) start(index, block);
  }

  function start(index: unknown, started: unknown): void {
    if (open.has(index)) return;
    if (!isBlock(started)) {
      failure = unreadable(PROVIDER, "a content block with a type", JSON.stringify(started) ?? "none");
      return;
    }
    const fields = { ...started };
    const block: Block = { fields };
    blocks.push(block);
    open.set(index, block);
    const text = textField(fields);
    if (text) emitDelta(block, (fields[text] = asText(fields[text])));
    const complete = text ? undefined : toMessage(block, model);
    if (complete) announce(block, complete);
  }

  function extend(block: Block, delta: Fields): void {
    const { fields } = block;
    switch (delta.type) {
      case "input_json_delta":
        block.json = appendText(block.json ?? "", asText(delta.partial_json));
        return fields.type === "tool_use" ? emitDelta(block, asText(delta.partial_json)) : undefined;
      case "citations_delta":
        return void (fields.citations = [...(Array.isArray(fields.citations) ? fields.citations : []), delta.citation]);
      case "signature_delta":
        return void (fields.signature = delta.signature);
      default: {
        append(fields, delta);
        const text = textField(fields);
        if (text) emitDelta(block, asText(delta[text]));
      }
    }
  }

  function emitDelta(block: Block, delta: string): void {
    if (delta === "") return;
    if (block.announced === undefined) {
      announce(
        block,
        block.fields.type === "text" ? { role: "assistant", content: "" } : { type: "thinking", content: "" },
      );
    }
    onStream({ type: "message_delta", index: block.announced!, delta });
  }

  function announce(block: Block, first: Message): void {
    block.announced = announced++;
    onStream({ type: "message_start", index: block.announced, message: asStarted(first) });
  }

  function finish(block: Block): void {
    const complete = toMessage(block, model);
    if (!complete) return;
    if (block.announced === undefined) announce(block, complete);
    onStream({ type: "message_end", index: block.announced!, message: complete });
  }

  function end(lost?: string): ModelResponse {
    for (const block of open.values()) finish(block);
    const response = toResponse(message, blocks, model, isOnThread);
    if (failure) return failedResponse(failure, response);
    if (stopped) return response;
    const reason = lost ?? "the stream ended without message_stop";
    return failedResponse(interruption(PROVIDER, reason), response);
  }

  return { push, end };
}

/** A message as it begins. What of it still grows is not the object that the listener is given. */
function asStarted(said: Message): Message {
  if (said.type === "tool_call") return { type: "tool_call", id: said.id, name: said.name, input: {} };
  return said.type === "provider_item" ? { ...said, item: { ...said.item } } : said;
}

/** The field of a block in which its text grows, if it is one of text. */
function textField({ type }: Fields): "text" | "thinking" | undefined {
  return type === "text" || type === "thinking" ? type : undefined;
}

/** The text of a delta: what differs from one event to the next. */
function findText(value: unknown): { object: Fields; key: string } | undefined {
  const delta = isRecord(value) ? value.delta : undefined;
  if (!isRecord(delta)) return undefined;
  const key = delta.type === "text_delta" ? "text" : delta.type === "thinking_delta" ? "thinking" : "";
  return typeof delta[key] === "string" ? { object: delta, key } : undefined;
}

function readData(text: string, parse: (text: string) => unknown): Fields | undefined {
  try {
    const value = parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Numbers and words that come later replace those that came before; null says nothing. */
function merge(target: Fields, source: unknown): void {
  if (!isRecord(source)) return;
  for (const [key, value] of Object.entries(source)) {
    if (value === null || value === undefined || key === "content") continue;
    if (key === "usage" && isRecord(target.usage)) merge(target.usage, value);
    else target[key] = isRecord(value) ? { ...value } : value;
  }
}

/** Appends what a delta of any type says, its type aside, to the fields of its block. What is text stays text. */
function append(fields: Fields, delta: Fields): void {
  for (const key in delta) {
    if (key === "type") continue;
    const before = fields[key];
    const piece = delta[key];
    if (typeof before !== "string") fields[key] = piece;
    else if (typeof piece === "string") fields[key] = appendText(before, piece);
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
