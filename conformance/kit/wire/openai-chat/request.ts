// Reads a request to OpenAI's Chat Completions API: message by message for its rules, and into generic messages for the comparison.

import type { Message, Part, ToolResultMessage } from "../../../../schemas/types.ts";
import type { GenericRequest, ScriptedResponse } from "../codec.ts";
import { entriesFrom, isObject, isText, listOf, type JsonObject } from "../shared/json.ts";
import {
  anyText,
  callMessage,
  joinUsers,
  label,
  markIllegal,
  normalContent,
  optionalText,
  partsOf,
  splitSystem,
} from "../shared/normal-form.ts";
import { callOf, carriedDocument, mediaOf, namePattern, textsOf, toolOf } from "../openai/read-parts.ts";
import { readSettings } from "../openai/settings.ts";
import type { OpenedRequest } from "../shared/rules.ts";
import { wellFormed } from "../../base/well-formed.ts";

const provider = "openai-chat";

export const maxIdLength = 40;
const idPattern = /^[^]{1,40}$/;

/** One entry of `messages`. */
export interface ChatMessage {
  at: number;
  role: unknown;
  content: unknown;
  message: JsonObject;
  /** Those of its `tool_calls` that are objects, with the `function` of each. */
  calls: { at: string; call: JsonObject; target: JsonObject }[];
}

/** A request as its rules see it. */
export interface ChatRequest extends OpenedRequest {
  messages: ChatMessage[];
  /** Those of `tools` that are objects, with the `function` of each. */
  tools: { at: string; tool: JsonObject; target: JsonObject }[];
}

export function openRequest(
  body: unknown,
  headers: Record<string, string>,
  sent?: readonly ScriptedResponse[],
): ChatRequest {
  const fields = isObject(body) ? body : {};
  const messages = listOf(fields["messages"]).map((entry, at): ChatMessage => {
    const message = isObject(entry) ? entry : {};
    const calls = listOf(message["tool_calls"]).flatMap((call, index) =>
      isObject(call) ? [{ at: `messages[${at}].tool_calls[${index}]`, call, target: targetOf(call) }] : [],
    );
    return { at, role: message["role"], content: message["content"], message, calls };
  });
  const tools = listOf(fields["tools"]).flatMap((tool, at) =>
    isObject(tool) ? [{ at: `tools[${at}]`, tool, target: targetOf(tool) }] : [],
  );
  const strings = [{ at: "", value: body }];
  return { body, fields, headers, ...(sent !== undefined && { sent }), messages, strings, tools };
}

/** The request as if it began with its n-th message. */
export function requestFrom(request: ChatRequest, at: number): ChatRequest {
  const { messages, fields } = request;
  return { ...request, messages: messages.slice(at), strings: entriesFrom(fields, "messages", at) };
}

function targetOf(object: JsonObject): JsonObject {
  return isObject(object["function"]) ? object["function"] : {};
}

export function readRequest(body: unknown): GenericRequest {
  const { fields, messages, tools } = openRequest(body, {});
  const { system, messages: rest } = splitSystem(messages.flatMap(messagesOf));
  return {
    ...(system !== undefined && { system }),
    messages: normalForm(rest),
    tools: tools.map(({ target }) => toolOf(target)),
    model: String(fields["model"]),
    ...readSettings(fields, {
      limits: ["max_completion_tokens", "max_tokens"],
      stop: fields["stop"],
      effort: fields["reasoning_effort"],
      format: isObject(fields["response_format"]) ? fields["response_format"]["json_schema"] : undefined,
    }),
  };
}

function messagesOf({ role, content, message, calls }: ChatMessage): Message[] {
  switch (role) {
    case "system":
    case "developer":
      return [{ role: "system", content: textsOf(content).join("\n\n") }];
    case "user":
      return [
        {
          role: "user",
          content: isText(content) ? content : listOf(content).map((part) => partOf(part as JsonObject)),
        },
      ];
    case "tool":
      return [{ type: "tool_result", id: String(message["tool_call_id"]), output: textsOf(content).join("\n") }];
    default: {
      const refusal = isText(message["refusal"]) ? message["refusal"] : "";
      return [
        { role: "assistant", content: textsOf(content).join("") + refusal },
        ...calls.map(({ call, target }) => callOf(call["id"], target)),
      ];
    }
  }
}

function partOf(part: JsonObject): Part {
  if (part["type"] === "text") return { type: "text", text: String(part["text"]) };
  if (part["type"] === "image_url" && isObject(part["image_url"]))
    return mediaOf("image", String(part["image_url"]["url"]));
  if (part["type"] === "file" && isObject(part["file"]) && isText(part["file"]["file_data"]))
    return mediaOf("document", part["file"]["file_data"]);
  return part as unknown as Part;
}

export function readResponse(response: ScriptedResponse): Message[] {
  const { model } = response;
  return response.parts.flatMap((part): Message[] => {
    if ("tool_call" in part) return [callMessage(part.tool_call)];
    if ("thinking" in part)
      return part.thinking === "" ? [] : [{ type: "thinking", content: part.thinking, opaque: { provider, model } }];
    return "text" in part && part.text !== "" ? [{ role: "assistant", content: part.text }] : [];
  });
}

export function normalize(
  messages: Message[],
  _from: { provider: string; model: string },
): { system?: string; messages: Message[] } {
  const { system, messages: rest } = splitSystem(wellFormed(messages));
  const complete = rest.filter((message) => !("status" in message && message.status === "incomplete"));
  const form = normalForm(withMediaMoved(complete).flatMap(carriedOf));
  return { ...(system !== undefined && { system }), messages: markIllegal(form, { id: idPattern, name: namePattern }) };
}

/** The message as this format carries it; nothing if it cannot. Reasoning is checked by the rules, and not compared. */
function carriedOf(message: Message): Message[] {
  switch (message.type) {
    case "tool_call":
      return [{ type: "tool_call", id: message.id, name: message.name, input: message.input ?? {} }];
    case "tool_result": {
      const texts = partsOf(message.output).flatMap((part) =>
        part.type === "text" && part.text !== "" ? [part.text] : [],
      );
      return [{ type: "tool_result", id: message.id, output: texts.join("\n") || withoutText(message) }];
    }
    case undefined:
      if (message.role !== "user") return [{ role: message.role, content: message.content }];
      return [
        { role: "user", content: isText(message.content) ? message.content : message.content.flatMap(carriedPart) },
      ];
    default:
      return [];
  }
}

/** An error has to say so, and what is in another message may be named. @see PROVIDER-42 */
function withoutText({ output, is_error }: ToolResultMessage): string {
  if (mediaOfResult(output).length > 0) return optionalText;
  return is_error === true ? anyText : "";
}

/** A document is carried by its data only. */
function carriedPart(part: Part): Part[] {
  if (part.type === "text" || part.type === "image") return [part];
  if (part.type !== "document" || part.data === undefined) return [];
  return [carriedDocument(part.media_type, part.data)];
}

/**
 * Images and documents of results follow the last result of the response, as a user message; a text before each may name its call.
 * @see CHAT-5
 */
function withMediaMoved(messages: readonly Message[]): Message[] {
  const moved: Message[] = [];
  let media: Part[] = [];
  for (const message of [...messages, undefined]) {
    if (message?.type === "tool_result") media.push(...mediaOfResult(message.output));
    else if (media.length > 0) {
      moved.push({ role: "user", content: media });
      media = [];
    }
    if (message !== undefined) moved.push(message);
  }
  return moved;
}

function mediaOfResult(output: string | Part[]): Part[] {
  const media = partsOf(output).filter((part) => part.type !== "text");
  return media.flatMap(carriedPart).flatMap((part) => [label, part]);
}

/** The text of a response is first and in one piece, then its calls; consecutive user messages are merged; what is empty is left out. */
function normalForm(messages: readonly Message[]): Message[] {
  const form: Message[] = [];
  let text = "";
  let calls: Message[] = [];
  const flush = () => {
    if (text !== "") form.push({ role: "assistant", content: text });
    form.push(...calls);
    text = "";
    calls = [];
  };
  for (const message of messages) {
    if (message.role === "assistant") text += message.content;
    else if (message.type === "tool_call") calls.push(message);
    else {
      flush();
      const content = message.role === "user" ? normalContent(message.content) : undefined;
      if (content === undefined) form.push(message);
      else if (content !== "") form.push({ role: "user", content });
    }
  }
  flush();
  return joinUsers(form);
}
