// Reads a request to OpenAI's Responses API: item by item for its rules, and into generic messages for the comparison.

import { withoutOpenServerCalls } from "../shared/open-server-calls.ts";
import type { Message, Part, ThinkingMessage, ToolResultMessage } from "../../../../schemas/types.ts";
import type { GenericRequest, AnsweredRequest, ScriptedResponse } from "../codec.ts";
import { entriesFrom, hasText, isObject, isText, listOf, type JsonObject } from "../shared/json.ts";
import {
  anyText,
  callMessage,
  joinUsers,
  markIllegal,
  normalContent,
  partsOf,
  splitSystem,
} from "../shared/normal-form.ts";
import { asksForEncryption, sealOf } from "./items.ts";
import { conversationBefore, inputItems, storedResponses, type StoredResponse } from "./server-state.ts";
import { callOf, carriedDocument, mediaOf, namePattern, textsOf, toolOf } from "../openai/read-parts.ts";
import { readSettings } from "../openai/settings.ts";
import type { OpenedRequest } from "../shared/rules.ts";
import { wellFormed } from "../../base/well-formed.ts";

const provider = "openai-responses";

export const maxIdLength = 64;
const idPattern = /^[^]{1,64}$/;

/** One item of the conversation. */
export interface Item {
  /** `input[3]`, or `previous[3]` for what the server had kept. */
  place: string;
  /** An item without a type is a message. */
  type: unknown;
  item: JsonObject;
}

/** A request as its rules see it. */
export interface ResponsesRequest extends OpenedRequest {
  /** The responses that the server keeps; absent where that is not known. */
  stored?: readonly StoredResponse[];
  /** The items of the request itself. */
  own: Item[];
  /** The whole conversation: what the server keeps of it, and the request's own items. */
  items: Item[];
  /** Whether the request continues a conversation that is not known here. */
  isPartial: boolean;
  /** Those of `tools` that are objects. */
  tools: { at: string; tool: JsonObject }[];
}

export function openRequest(
  body: unknown,
  headers: Record<string, string>,
  sent?: readonly ScriptedResponse[],
  earlier?: readonly AnsweredRequest[],
): ResponsesRequest {
  const fields = isObject(body) ? body : {};
  const stored = earlier && storedResponses(earlier);
  const before = conversationBefore(fields, stored ?? []);
  const known = new Map(
    (stored ?? []).flatMap(({ input, output }) => [...input, ...output]).map((item) => [item["id"], item]),
  );
  const own = inputItems(fields).map((item, at) => itemAt(resolved(item, known), `input[${at}]`));
  const refers = fields["previous_response_id"] != null || fields["conversation"] != null || fields["prompt"] != null;
  const tools = listOf(fields["tools"]).flatMap((tool, at) => (isObject(tool) ? [{ at: `tools[${at}]`, tool }] : []));
  return {
    body,
    fields,
    headers,
    ...(sent && { sent }),
    ...(stored && { stored }),
    own,
    items: [...before.map((item, at) => itemAt(item, `previous[${at}]`)), ...own],
    strings: [{ at: "", value: body }],
    isPartial: refers && before.length === 0,
    tools,
  };
}

/** The request as if the conversation began with the n-th of its own items. */
export function requestFrom(request: ResponsesRequest, at: number): ResponsesRequest {
  const own = request.own.slice(at);
  return { ...request, own, items: own, strings: entriesFrom(request.fields, "input", at) };
}

/** The item that a reference names, if the server keeps it. */
function resolved(item: JsonObject, known: ReadonlyMap<unknown, JsonObject>): JsonObject {
  const refers = item["type"] === "item_reference" || (item["type"] === undefined && item["role"] === undefined);
  return (refers ? known.get(item["id"]) : undefined) ?? item;
}

function itemAt(item: JsonObject, place: string): Item {
  return { place, type: item["type"] ?? ("role" in item ? "message" : undefined), item };
}

export function readRequest(body: unknown, earlier?: readonly AnsweredRequest[]): GenericRequest {
  const { fields, own, items, tools } = openRequest(body, {}, undefined, earlier);
  const model = String(fields["model"]);
  const instructions = hasText(fields["instructions"]) ? [systemMessage(fields["instructions"])] : [];
  const { system, messages } = splitSystem([...instructions, ...items.flatMap((item) => messagesOf(item, model))]);
  return {
    ...(system !== undefined && { system }),
    messages: normalForm(messages),
    tools: tools.map(({ tool }) => toolOf(tool)),
    model,
    ...readSettings(fields, {
      limits: ["max_output_tokens"],
      effort: groupOf(fields, "reasoning")["effort"],
      summary: groupOf(fields, "reasoning")["summary"],
      format: groupOf(fields, "text")["format"],
    }),
    ...(items.length > own.length && { whole: { ...fields, input: items.map(({ item }) => item) } }),
  };
}

function groupOf(fields: JsonObject, name: string): JsonObject {
  const group = fields[name];
  return isObject(group) ? group : {};
}

function systemMessage(content: string): Message {
  return { role: "system", content };
}

function messagesOf({ type, item }: Item, model: string): Message[] {
  switch (type) {
    case "message":
      return readMessage(item);
    case "function_call":
      return [callOf(item["call_id"], item)];
    case "custom_tool_call":
      return [
        {
          type: "tool_call",
          id: String(item["call_id"]),
          name: String(item["name"]),
          input: { input: item["input"] },
        },
      ];
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ type: "tool_result", id: String(item["call_id"]), output: contentOf(item["output"]) }];
    case "reasoning":
      return readReasoning(item, model);
    case "item_reference":
    case undefined:
      return [];
    default:
      return [{ type: "provider_item", provider, model, item }];
  }
}

function readMessage({ role, content }: JsonObject): Message[] {
  const texts = textsOf(content);
  if (role === "assistant") return texts.map((text) => ({ role: "assistant", content: text }));
  return role === "user" ? [{ role: "user", content: contentOf(content) }] : [systemMessage(texts.join("\n\n"))];
}

/** Reasoning that only refers to what the server keeps is checked by the rules, and not compared. */
function readReasoning(item: JsonObject, model: string): Message[] {
  const texts = textsOf(listOf(item["content"]));
  const content = (texts.length > 0 ? texts : textsOf(listOf(item["summary"]))).join("\n\n");
  const seal = item["encrypted_content"];
  if (hasText(seal)) return [{ type: "thinking", content, opaque: { provider, model, encrypted_content: seal } }];
  return listOf(item["content"]).length === 0 ? [] : [{ type: "thinking", content, opaque: { provider, model } }];
}

function contentOf(content: unknown): string | Part[] {
  return isText(content) ? content : listOf(content).map((part) => partOf(part as JsonObject));
}

function partOf(part: JsonObject): Part {
  switch (part["type"]) {
    case "input_text":
      return { type: "text", text: String(part["text"]) };
    case "input_image":
      return isText(part["image_url"]) ? mediaOf("image", part["image_url"]) : (part as unknown as Part);
    case "input_file":
      if (isText(part["file_data"])) return mediaOf("document", part["file_data"]);
      return isText(part["file_url"]) ? { type: "document", url: part["file_url"] } : (part as unknown as Part);
    default:
      return part as unknown as Part;
  }
}

export function readResponse(response: ScriptedResponse, request?: unknown): Message[] {
  const { model } = response;
  return response.parts.flatMap((part, at): Message[] => {
    if ("tool_call" in part) return [callMessage(part.tool_call)];
    if ("provider_item" in part) return [{ type: "provider_item", provider, model, item: part.provider_item }];
    if ("text" in part) return part.text === "" ? [] : [{ role: "assistant", content: part.text }];
    const seal = asksForEncryption(request) && { encrypted_content: sealOf(part, response, at) };
    const content = part.redacted === true ? "" : part.thinking;
    return [{ type: "thinking", content, opaque: { provider, model, ...seal } }];
  });
}

export function normalize(
  messages: Message[],
  from: { provider: string; model: string },
): { system?: string; messages: Message[] } {
  const { system, messages: rest } = splitSystem(wellFormed(messages));
  const carried = normalForm(
    withoutOpenServerCalls(rest, called, answered, isOwnCall).flatMap((message) => carriedOf(message, from)),
  );
  // User messages around thinking that is left out follow each other.
  const form = joinUsers(carried.filter((message, at) => message.type !== "thinking" || isFollowed(carried, at)));
  return { ...(system !== undefined && { system }), messages: markIllegal(form, { id: idPattern, name: namePattern }) };
}

const awaited = ["shell_call", "local_shell_call", "computer_call", "apply_patch_call"];

function called(item: Record<string, unknown>): unknown {
  if (isOwnCall(item)) return isText(item["call_id"]) ? item["call_id"] : "";
  return awaited.includes(String(item["type"])) ? item["call_id"] : undefined;
}

/** A call that the server made in the form of a custom one, and answered where nobody sees it. @see RESPONSES-41 */
function isOwnCall({ type }: Record<string, unknown>): boolean {
  return type === "custom_tool_call";
}

function answered({ type, call_id }: Record<string, unknown>): unknown {
  return String(type).endsWith("_output") ? call_id : undefined;
}

/** The message as this format carries it; nothing if it cannot or must not. */
function carriedOf(message: Message, from: { provider: string; model: string }): Message[] {
  if ("status" in message && message.status === "incomplete") return [];
  const maker = message.type === "provider_item" ? message : message.type === "thinking" ? message.opaque : undefined;
  const own =
    maker?.provider === from.provider && maker.provider === provider && (maker.model ?? from.model) === from.model;
  switch (message.type) {
    case "thinking":
      return own ? sealed(message, from.model) : [];
    case "provider_item":
      return own ? messagesOf(itemAt(message.item, ""), from.model) : [];
    case "tool_call":
      return [{ type: "tool_call", id: message.id, name: message.name, input: message.input ?? {} }];
    case "tool_result":
      return [{ type: "tool_result", id: message.id, output: carriedContent(message.output) || withoutText(message) }];
    case undefined:
      if (message.role !== "user") return [{ role: message.role, content: message.content }];
      return [{ role: "user", content: carriedContent(message.content) }];
    default:
      return [];
  }
}

/** An error has to say so. @see PROVIDER-42 */
function withoutText({ is_error }: ToolResultMessage): string {
  return is_error === true ? anyText : "";
}

/** Thinking is sent back with its encrypted content, or as the text that open models give. @see RESPONSES-5 */
function sealed({ content, opaque }: ThinkingMessage, model: string): Message[] {
  const seal = opaque?.["encrypted_content"];
  if (hasText(seal)) return [{ type: "thinking", content, opaque: { provider, model, encrypted_content: seal } }];
  return listOf(opaque?.["content"]).length === 0 ? [] : [{ type: "thinking", content, opaque: { provider, model } }];
}

/** Whether another item of the response follows the thinking. @see RESPONSES-4 */
function isFollowed(messages: readonly Message[], at: number): boolean {
  const next = messages.slice(at + 1).find(({ type }) => type !== "thinking");
  return next?.role === "assistant" || next?.type === "tool_call" || next?.type === "provider_item";
}

function carriedContent(content: string | Part[]): string | Part[] {
  return normalContent(
    partsOf(content).flatMap((part): Part[] => {
      if (part.type === "text" || part.type === "image") return [part];
      if (part.type !== "document") return [];
      if (part.data === undefined) return [{ type: "document", url: String(part.url) }];
      return [carriedDocument(part.media_type, part.data)];
    }),
  );
}

/** Consecutive user messages are merged; what is empty is left out. */
function normalForm(messages: readonly Message[]): Message[] {
  const kept = messages.flatMap((message): Message[] => {
    if (message.type === "tool_result") return [{ ...message, output: normalContent(message.output) }];
    if (message.role === undefined) return [message];
    const content = message.role === "user" ? normalContent(message.content) : message.content;
    return content === "" ? [] : [{ ...message, content } as Message];
  });
  return joinUsers(kept);
}
