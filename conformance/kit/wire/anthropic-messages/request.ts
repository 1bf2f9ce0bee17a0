// Reads a request to the Anthropic Messages API: block by block for its rules, and into generic messages for the comparison.

import { withoutOpenServerCalls } from "../shared/open-server-calls.ts";
import type { Message, Part, ToolResultMessage } from "../../../../schemas/types.ts";
import type { GenericRequest, AnsweredRequest, ScriptedResponse } from "../codec.ts";
import { keptThreads, threadBefore, wholeRequest, type KeptThread } from "./server-state.ts";
import { blockOf, idPattern, namePattern } from "./render.ts";
import { readSettings } from "./settings.ts";
import { entriesFrom, hasText, isObject, isText, listOf, without, type JsonObject } from "../shared/json.ts";
import {
  anyText,
  callMessage,
  joinUsers,
  label,
  markIllegal,
  normalContent,
  splitSystem,
} from "../shared/normal-form.ts";
import type { OpenedRequest } from "../shared/rules.ts";
import { wellFormed } from "../../base/well-formed.ts";

const provider = "anthropic-messages";

/** One content block and its path: `messages.2.content.0`. */
export interface Block {
  at: string;
  type: unknown;
  block: JsonObject;
}

/** One entry of `messages`. A string as content is one text block. */
export interface Turn {
  at: number;
  role: unknown;
  content: unknown;
  message: JsonObject;
  blocks: Block[];
}

/** A request as its rules see it. */
export interface AnthropicRequest extends OpenedRequest {
  /** The body, or an empty object where it is none, with what it leaves out because the server keeps it. */
  fields: JsonObject;
  /** The body's own fields. */
  own: JsonObject;
  /** The conversations that the server keeps; absent where that is not known. */
  kept?: readonly KeptThread[];
  /** The requests of the run so far with the bytes of their answers. */
  earlier?: readonly AnsweredRequest[];
  turns: Turn[];
  /** The blocks of all messages, those inside tool results included. */
  blocks: Block[];
  /** Those of `tools` that are objects. */
  tools: { at: string; tool: JsonObject }[];
}

export function openRequest(
  body: unknown,
  headers: Record<string, string>,
  sent?: readonly ScriptedResponse[],
  earlier?: readonly AnsweredRequest[],
): AnthropicRequest {
  const own = isObject(body) ? body : {};
  const kept = earlier && keptThreads(earlier);
  const fields = wholeRequest(own, threadBefore(own, kept ?? []));
  const turns = listOf(fields["messages"]).map((entry, at): Turn => {
    const message = isObject(entry) ? entry : {};
    return {
      at,
      role: message["role"],
      content: message["content"],
      message,
      blocks: blocksOf(message["content"], `messages.${at}.content`),
    };
  });
  const tools = listOf(fields["tools"]).flatMap((tool, at) => (isObject(tool) ? [{ at: `tools.${at}`, tool }] : []));
  const strings = [{ at: "", value: body }];
  const known = { ...(sent !== undefined && { sent }), ...(kept && { kept }), ...(earlier && { earlier }) };
  return { body, fields, own, headers, ...known, turns, strings, blocks: blocksIn(turns), tools };
}

/** The request as if it began with its n-th message. */
export function requestFrom(request: AnthropicRequest, at: number): AnthropicRequest {
  const turns = request.turns.slice(at);
  return { ...request, turns, strings: entriesFrom(request.fields, "messages", at), blocks: blocksIn(turns) };
}

function blocksIn(turns: readonly Turn[]): Block[] {
  return turns.flatMap((turn) => turn.blocks.flatMap((block) => [block, ...insideOf(block)]));
}

/** The blocks of a content; what is not a block is left out. */
export function blocksOf(content: unknown, at: string): Block[] {
  if (isText(content)) return [{ at, type: "text", block: { type: "text", text: content } }];
  return listOf(content).flatMap((block, index) =>
    isObject(block) ? [{ at: `${at}.${index}`, type: block["type"], block }] : [],
  );
}

function insideOf({ at, type, block }: Block): Block[] {
  return type === "tool_result" && !isText(block["content"]) ? blocksOf(block["content"], `${at}.content`) : [];
}

export function readRequest(body: unknown, earlier?: readonly AnsweredRequest[]): GenericRequest {
  const { fields, own, turns, tools } = openRequest(body, {}, undefined, earlier);
  const model = String(fields["model"]);
  const system = blocksOf(fields["system"], "system").map(({ block }) => String(block["text"]));
  const read = turns.flatMap((turn) => turnMessages(turn, model));
  return {
    ...(system.length > 0 && { system: system.join("\n\n") }),
    messages: normalForm(read),
    tools: tools.map(({ tool }) => ({
      name: String(tool["name"]),
      ...(isText(tool["description"]) && { description: tool["description"] }),
      input_schema: tool["input_schema"] as GenericRequest["tools"][number]["input_schema"],
    })),
    model,
    ...readSettings(fields),
    ...(fields !== own && { whole: fields }),
  };
}

/** The text blocks of a user turn are one message; each result, and each block of the model, is a message of its own. */
function turnMessages(turn: Turn, model: string): Message[] {
  if (turn.role === "system")
    return [{ role: "system", content: turn.blocks.map(({ block }) => String(block["text"])).join("\n\n") }];
  if (turn.role === "assistant") return turn.blocks.map(({ block }) => assistantMessage(block, model));
  const results = turn.blocks.filter(({ type }) => type === "tool_result").map(({ block }) => resultMessage(block));
  const parts = turn.blocks.filter(({ type }) => type !== "tool_result").map(({ block }) => partOf(block));
  return parts.length === 0 ? results : [...results, { role: "user", content: parts }];
}

function assistantMessage(block: JsonObject, model: string): Message {
  switch (block["type"]) {
    case "text":
      return { role: "assistant", content: String(block["text"]) };
    case "tool_use":
      return {
        type: "tool_call",
        id: String(block["id"]),
        name: String(block["name"]),
        input: block["input"] as JsonObject,
      };
    case "thinking":
      return {
        type: "thinking",
        content: String(block["thinking"]),
        opaque: { provider, model, signature: block["signature"] },
      };
    case "redacted_thinking":
      return { type: "thinking", content: "", opaque: { provider, model, redacted: block["data"] } };
    default:
      return { type: "provider_item", provider, model, item: without(block, "cache_control") };
  }
}

function resultMessage(block: JsonObject): ToolResultMessage {
  const output = isText(block["content"])
    ? block["content"]
    : normalContent(listOf(block["content"]).map((part) => partOf(part as JsonObject)));
  return {
    type: "tool_result",
    id: String(block["tool_use_id"]),
    output: isBlank(output) ? "" : output,
    ...(block["is_error"] === true && { is_error: true }),
  };
}

function partOf(block: JsonObject): Part {
  if (block["type"] === "text") return { type: "text", text: String(block["text"]) };
  const source = isObject(block["source"]) ? block["source"] : undefined;
  if ((block["type"] !== "image" && block["type"] !== "document") || source === undefined)
    return without(block, "cache_control") as unknown as Part;
  const title = block["type"] === "document" && isText(block["title"]) ? { title: block["title"] } : {};
  if (source["type"] === "text") {
    return {
      type: "document",
      media_type: String(source["media_type"]),
      data: Buffer.from(String(source["data"])).toString("base64"),
      ...title,
    };
  }
  if (source["type"] === "url") return { type: block["type"], url: String(source["url"]), ...title };
  if (source["type"] !== "base64") return without(block, "cache_control") as unknown as Part;
  return { type: block["type"], media_type: String(source["media_type"]), data: String(source["data"]), ...title };
}

export function readResponse(response: ScriptedResponse): Message[] {
  const { model } = response;
  return response.parts.flatMap((part, at): Message[] => {
    if ("tool_call" in part) return [callMessage(part.tool_call)];
    if ("text" in part && part.text === "") return [];
    return [assistantMessage(blockOf(part, response, at), model)];
  });
}

export function normalize(
  messages: Message[],
  from: { provider: string; model: string },
): { system?: string; messages: Message[] } {
  const filled = wellFormed(messages).filter((message) => message.role !== "system" || !isBlank(message.content));
  const { system, messages: rest } = splitSystem(filled);
  const closed = withoutOpenServerCalls(withMediaMoved(rest), called, ({ tool_use_id }) => tool_use_id);
  const carried = closed.flatMap((message) => carriedOf(message, from));
  return {
    ...(system !== undefined && { system }),
    messages: markIllegal(normalForm(carried.filter((_message, at) => isFollowed(carried, at))), {
      id: idPattern,
      name: namePattern,
    }),
  };
}

function called({ type, id }: Record<string, unknown>): unknown {
  return type === "server_tool_use" || type === "mcp_tool_use" ? id : undefined;
}

/** The message as this format carries it; nothing if it cannot or must not. */
function carriedOf(message: Message, from: { provider: string; model: string }): Message[] {
  if ("status" in message && message.status === "incomplete") return [];
  const maker = message.type === "provider_item" ? message : message.type === "thinking" ? message.opaque : undefined;
  const own =
    maker?.provider === from.provider && maker.provider === provider && (maker.model ?? from.model) === from.model;
  switch (message.type) {
    case "thinking":
      return own && message.opaque !== undefined ? sealed(message.content, message.opaque, from.model) : [];
    case "provider_item":
      return own ? [{ type: "provider_item", provider, model: from.model, item: message.item }] : [];
    case "tool_call":
      return [{ type: "tool_call", id: message.id, name: message.name, input: message.input ?? {} }];
    case "tool_result":
      return [carriedResult(message)];
    case undefined:
      if (message.role !== "user") return [{ role: message.role, content: message.content }];
      return [{ role: "user", content: isText(message.content) ? message.content : message.content.filter(isCarried) }];
    default:
      return [];
  }
}

/**
 * Images and documents of errors follow the last result of the response; a text before those of a result may name its call.
 * @see ANTHROPIC-31
 */
function withMediaMoved(messages: readonly Message[]): Message[] {
  const moved: Message[] = [];
  let media: Part[] = [];
  for (const message of [...messages, undefined]) {
    if (message?.type === "tool_result") media.push(...mediaOfError(message));
    else if (media.length > 0) {
      moved.push({ role: "user", content: media });
      media = [];
    }
    if (message !== undefined) moved.push(withoutMedia(message));
  }
  return moved;
}

function mediaOfError({ output, is_error }: ToolResultMessage): Part[] {
  const media =
    is_error === true && !isText(output) ? output.filter((part) => part.type !== "text" && isCarried(part)) : [];
  return media.length === 0 ? [] : [label, ...media];
}

function withoutMedia(message: Message): Message {
  if (message.type !== "tool_result" || message.is_error !== true || isText(message.output)) return message;
  return { ...message, output: message.output.filter(({ type }) => type === "text") };
}

/** An error without a text is refused, so some text has to be sent; the adapter chooses it. */
function carriedResult({ id, output, is_error }: ToolResultMessage): Message {
  const content = isText(output) ? output : normalContent(output.filter(isCarried));
  const blank = isBlank(content);
  if (is_error !== true) return { type: "tool_result", id, output: blank ? "" : content };
  return { type: "tool_result", id, output: blank ? anyText : content, is_error: true };
}

function isCarried(part: Part): boolean {
  if (part.type === "text" || part.type === "image") return true;
  return (
    part.type === "document" &&
    (part.data === undefined || part.media_type === "application/pdf" || part.media_type === "text/plain")
  );
}

/** False for thinking that nothing of its response follows; a blank text is not sent. The API refuses it. */
function isFollowed(messages: readonly Message[], at: number): boolean {
  if (messages[at]?.type !== "thinking") return true;
  const isNothing = (message: Message) =>
    message.type === "thinking" ||
    (message.role === "assistant" && isBlank((message as { content?: unknown }).content));
  const next = messages.slice(at + 1).find((message) => !isNothing(message));
  return next?.role === "assistant" || next?.type === "tool_call" || next?.type === "provider_item";
}

/** Thinking is sent back only with its signature or its redacted data. */
function sealed(content: string, opaque: JsonObject, model: string): Message[] {
  if (hasText(opaque["signature"]))
    return [{ type: "thinking", content, opaque: { provider, model, signature: opaque["signature"] } }];
  if (hasText(opaque["redacted"]))
    return [{ type: "thinking", content: "", opaque: { provider, model, redacted: opaque["redacted"] } }];
  return [];
}

/** Blank texts are refused, so none is carried; user messages in a row are one, and so are system messages. */
function normalForm(messages: readonly Message[]): Message[] {
  const kept = messages.flatMap((message): Message[] => {
    if (message.role === undefined || message.role === "system") return [message];
    if (isBlank(message.content)) return [];
    if (isText(message.content)) return [message];
    const parts = message.content.filter((part) => !(part.type === "text" && part.text.trim() === ""));
    return parts.length === 0 ? [] : [{ role: "user", content: parts }];
  });
  return joinUsers(joinSystems(kept));
}

function joinSystems(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === "system" && last?.role === "system")
      joined[joined.length - 1] = { role: "system", content: `${last.content}\n\n${message.content}` };
    else joined.push(message);
  }
  return joined;
}

function isBlank(content: unknown): boolean {
  return isText(content) && content.trim() === "";
}
