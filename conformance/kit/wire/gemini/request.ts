// Reads a request to Gemini: content by content for its rules, and into generic messages for the comparison.

import type { Message, Part, ToolResultMessage } from "../../../../schemas/types.ts";
import type { GenericRequest, ScriptedResponse } from "../codec.ts";
import { declaredSchema } from "./declared-schema.ts";
import { withCamelNames } from "./field-names.ts";
import { partOf as scriptedPart } from "./render.ts";
import { readSettings } from "./settings.ts";
import { entriesFrom, isObject, isText, listOf, without, type JsonObject } from "../shared/json.ts";
import {
  anyText,
  callMessage,
  joinUsers,
  markIllegal,
  normalContent,
  partsOf,
  splitSystem,
} from "../shared/normal-form.ts";
import { withoutOpenServerCalls } from "../shared/open-server-calls.ts";
import type { OpenedRequest } from "../shared/rules.ts";
import { wellFormed } from "../../base/well-formed.ts";

const provider = "gemini";

export const namePattern = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const anyId = /^[^]+$/;

/** One entry of `contents`. */
export interface GeminiContent {
  at: number;
  role: unknown;
  content: JsonObject;
  /** Its parts that are objects, each with its path. */
  parts: { at: string; part: JsonObject }[];
  calls: { at: string; part: JsonObject; call: JsonObject }[];
  responses: { at: string; response: JsonObject }[];
}

/** A request as its rules see it. */
export interface GeminiRequest extends OpenedRequest {
  contents: GeminiContent[];
  /** The functions that it declares. */
  functions: { at: string; declared: JsonObject }[];
}

export function openRequest(
  body: unknown,
  headers: Record<string, string>,
  sent?: readonly ScriptedResponse[],
): GeminiRequest {
  const named = withCamelNames(body);
  const fields = isObject(named) ? named : {};
  const contents = listOf(fields["contents"]).map(openContent);
  const functions = listOf(fields["tools"]).flatMap((tool, at) =>
    listOf(isObject(tool) ? tool["functionDeclarations"] : undefined).flatMap((declared, index) =>
      isObject(declared) ? [{ at: `tools[${at}].functionDeclarations[${index}]`, declared }] : [],
    ),
  );
  const strings = [{ at: "", value: body }];
  return { body, fields, headers, ...(sent !== undefined && { sent }), contents, strings, functions };
}

function openContent(entry: unknown, at: number): GeminiContent {
  const content = isObject(entry) ? entry : {};
  const parts = listOf(content["parts"]).flatMap((part, index) =>
    isObject(part) ? [{ at: `contents[${at}].parts[${index}]`, part }] : [],
  );
  const calls = parts.flatMap(({ at: place, part }) =>
    isObject(part["functionCall"]) ? [{ at: place, part, call: part["functionCall"] }] : [],
  );
  const responses = parts.flatMap(({ at: place, part }) =>
    isObject(part["functionResponse"]) ? [{ at: place, response: part["functionResponse"] }] : [],
  );
  return { at, role: content["role"], content, parts, calls, responses };
}

/** The request as if it began with its n-th content. */
export function requestFrom(request: GeminiRequest, at: number): GeminiRequest {
  const { contents, fields } = request;
  return { ...request, contents: contents.slice(at), strings: entriesFrom(fields, "contents", at) };
}

export function readRequest(body: unknown): GenericRequest {
  const { fields, contents, functions } = openRequest(body, {});
  const model = String(fields["model"] ?? "");
  const system = listOf(isObject(fields["systemInstruction"]) ? fields["systemInstruction"]["parts"] : undefined)
    .filter(isObject)
    .map(({ text }) => String(text));
  const messages = contents.flatMap((content, at) => messagesOf(content, callsBefore(contents, at), model));
  return {
    ...(system.length > 0 && { system: system.join("\n\n") }),
    messages: normalForm(messages),
    tools: functions.map(({ declared }) => ({
      name: String(declared["name"]),
      ...(isText(declared["description"]) && { description: declared["description"] }),
      input_schema: declaredSchema(declared) as GenericRequest["tools"][number]["input_schema"],
    })),
    model,
    ...readSettings(fields),
  };
}

/** The calls that the responses of a content answer, and how many responses to them precede it: there may be several contents of them. */
export function callsBefore(
  contents: readonly GeminiContent[],
  index: number,
): Pick<GeminiContent, "calls"> & { answered: number } {
  let answered = 0;
  for (let at = index - 1; at >= 0; at -= 1) {
    const { calls, responses } = contents[at]!;
    if (responses.length === 0) return { calls, answered };
    answered += responses.length;
  }
  return { calls: [], answered };
}

/** Without ids, results answer the calls before them in their order. */
function messagesOf(content: GeminiContent, before: ReturnType<typeof callsBefore>, model: string): Message[] {
  if (content.role === "model") {
    const meant = content.parts.filter(({ part }) => !isNothing(part));
    return meant.map(({ at, part }) => modelMessage(part, at, model));
  }
  const ids = before.calls.map(({ at, call }) => idOf(call, at));
  const results = content.responses.map(({ response }, n) =>
    resultOf(response, isText(response["id"]) ? response["id"] : (ids[before.answered + n] ?? "")),
  );
  const parts = content.parts
    .filter(({ part }) => !isObject(part["functionResponse"]))
    .map(({ part }) => userPart(part));
  return parts.length === 0 ? results : [...results, { role: "user", content: parts }];
}

function idOf({ id }: JsonObject, at: string): string {
  return isText(id) ? id : at;
}

/** The empty text with which a stream ends: some clients send it back, and the API takes it. With a signature it is a part like others. */
function isNothing({ text, thought: _, ...rest }: JsonObject): boolean {
  return text === "" && Object.keys(rest).length === 0;
}

function modelMessage(part: JsonObject, at: string, model: string): Message {
  const { text, thought, thoughtSignature: signature, functionCall } = part;
  if (isObject(functionCall))
    return {
      type: "tool_call",
      id: idOf(functionCall, at),
      name: String(functionCall["name"]),
      input: (functionCall["args"] ?? {}) as JsonObject,
    };
  if (isText(text) && thought === true)
    return {
      type: "thinking",
      content: text,
      opaque: { provider, model, ...(signature !== undefined && { signature }) },
    };
  if (isText(text) && text !== "") return { role: "assistant", content: text };
  return { type: "provider_item", provider, model, item: part };
}

function resultOf({ response, parts }: JsonObject, id: string): ToolResultMessage {
  const fields = isObject(response) ? response : {};
  const error = fields["error"];
  const text = isText(error) ? error : isText(fields["output"]) ? fields["output"] : JSON.stringify(fields);
  const media = listOf(parts).filter(isObject).map(userPart);
  const output = media.length === 0 ? text : normalContent([{ type: "text", text }, ...media]);
  return { type: "tool_result", id, output, ...(isText(error) && { is_error: true }) };
}

function userPart(part: JsonObject): Part {
  const { text, inlineData, fileData } = part;
  if (isText(text)) return { type: "text", text };
  const media = isObject(inlineData) ? inlineData : isObject(fileData) ? fileData : undefined;
  if (!media) return part as unknown as Part;
  const { mimeType, data, fileUri } = media;
  const type = String(mimeType ?? "image/").startsWith("image/") ? "image" : "document";
  return {
    type,
    ...(mimeType !== undefined && { media_type: String(mimeType) }),
    ...(data !== undefined ? { data: String(data) } : { url: String(fileUri) }),
  };
}

export function readResponse(response: ScriptedResponse): Message[] {
  const { model } = response;
  return response.parts.flatMap((part, at): Message[] => {
    if ("tool_call" in part) return [callMessage(part.tool_call)];
    if (("text" in part && part.text === "") || ("thinking" in part && part.thinking === "")) return [];
    return [modelMessage(scriptedPart(part, response, at), "", model)];
  });
}

export function normalize(
  messages: Message[],
  from: { provider: string; model: string },
): { system?: string; messages: Message[] } {
  const { system, messages: rest } = splitSystem(wellFormed(messages));
  const closed = withoutOpenServerCalls(
    rest,
    (item) => idIn(item, "toolCall", "executableCode"),
    (item) => idIn(item, "toolResponse", "codeExecutionResult"),
  );
  const carried = closed.flatMap((message) => carriedOf(message, from));
  return {
    ...(system !== undefined && { system }),
    messages: markIllegal(normalForm(carried), { id: anyId, name: namePattern }),
  };
}

function idIn(item: JsonObject, ...names: string[]): unknown {
  const [found] = names.map((name) => item[name]).filter(isObject);
  return found?.["id"];
}

/** The message as this format carries it; nothing if it cannot or must not. */
function carriedOf(message: Message, from: { provider: string; model: string }): Message[] {
  if ("status" in message && message.status === "incomplete") return [];
  const maker = message.type === "provider_item" ? message : message.type === "thinking" ? message.opaque : undefined;
  const own =
    maker?.provider === from.provider && maker.provider === provider && (maker.model ?? from.model) === from.model;
  switch (message.type) {
    case "thinking": {
      const signature = message.opaque?.["signature"];
      const opaque = { provider, model: from.model, ...(signature !== undefined && { signature }) };
      return own ? [{ type: "thinking", content: message.content, opaque }] : [];
    }
    case "provider_item":
      return own ? [{ type: "provider_item", provider, model: from.model, item: message.item }] : [];
    case "tool_call":
      return [{ type: "tool_call", id: message.id, name: message.name, input: message.input ?? {} }];
    case "tool_result":
      return [carriedResult(message)];
    case undefined:
      if (message.role !== "user") return [{ role: message.role, content: message.content }];
      return [
        { role: "user", content: isText(message.content) ? message.content : message.content.flatMap(carriedPart) },
      ];
    default:
      return [];
  }
}

/** The texts of a result are one, before its images; an error without a text has one of the adapter's. @see PROVIDER-42 */
function carriedResult({ id, output, is_error }: ToolResultMessage): Message {
  const parts = partsOf(output).flatMap(carriedPart);
  const text = parts.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : [])).join("\n");
  const media = parts.filter(({ type }) => type !== "text");
  const filled = text === "" && is_error === true ? anyText : text;
  const content = media.length === 0 ? filled : normalContent([{ type: "text", text: filled }, ...media]);
  return { type: "tool_result", id, output: content, ...(is_error === true && { is_error: true }) };
}

/** The type of its data tells an image from a document; a title has no place. */
function carriedPart(part: Part): Part[] {
  if (part.type === "text") return [part];
  if (part.type !== "image" && part.type !== "document") return [];
  const { media_type, data, url } = part;
  const type = (media_type ?? "image/").startsWith("image/") ? "image" : "document";
  return [
    { type, ...(media_type !== undefined && { media_type }), ...(data === undefined ? { url: url! } : { data }) },
  ];
}

/** What is empty is left out; consecutive user messages are merged. */
function normalForm(messages: readonly Message[]): Message[] {
  const kept = messages.flatMap((message): Message[] => {
    if (message.role === undefined)
      return message.type === "provider_item" ? [{ ...message, item: without(message.item) }] : [message];
    const content = message.role === "user" ? normalContent(message.content) : message.content;
    return content === "" || content.length === 0 ? [] : [{ ...message, content } as Message];
  });
  return joinUsers(kept);
}
