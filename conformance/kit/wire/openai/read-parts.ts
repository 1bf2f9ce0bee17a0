// Reads what requests to both of OpenAI's APIs have alike: texts, images, documents, calls and tools.

import type { Message, Part } from "../../../../schemas/types.ts";
import type { GenericRequest } from "../codec.ts";
import { isObject, isText, listOf, parseObject, type JsonObject } from "../shared/json.ts";

/** The names of functions that both APIs allow. */
export const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** The texts of a content that may be a string or a list of parts. */
export function textsOf(content: unknown): string[] {
  if (isText(content)) return [content];
  return listOf(content).flatMap((part) => {
    const text = isObject(part) ? (part["text"] ?? part["refusal"]) : undefined;
    return isText(text) ? [text] : [];
  });
}

/** An image or a document, by its data if the URL has them. */
export function mediaOf(type: "image" | "document", url: string): Part {
  const [, media_type, data] = /^data:([^;,]+);base64,([^]*)$/.exec(url) ?? [];
  return media_type !== undefined && data !== undefined ? { type, media_type, data } : { type, url };
}

/** A document of which there are data, as a request carries it: plain text as text, and without the title, which becomes a file name. */
export function carriedDocument(media_type: string | undefined, data: string): Part {
  if (media_type === "text/plain") return { type: "text", text: Buffer.from(data, "base64").toString("utf8") };
  return { type: "document", media_type: media_type ?? "", data };
}

/** A call with the arguments as the request has them. */
export function callOf(id: unknown, target: JsonObject): Message {
  const written = String(target["arguments"]);
  const input = parseObject(written);
  const message = { type: "tool_call", id: String(id), name: String(target["name"]) } as const;
  return input === undefined ? { ...message, input: null, raw_input: written } : { ...message, input };
}

/** A declared function; one without parameters takes an empty object. */
export function toolOf(target: JsonObject): GenericRequest["tools"][number] {
  const input_schema = target["parameters"] ?? { type: "object", properties: {} };
  return {
    name: String(target["name"]),
    ...(isText(target["description"]) && { description: target["description"] }),
    input_schema: input_schema as GenericRequest["tools"][number]["input_schema"],
  };
}
