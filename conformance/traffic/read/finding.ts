// What an audit finds: which requirement a recorded request broke, and where.

import type { Message } from "../../../schemas/types.ts";
import { pointerTo } from "../../kit/base/json-pointer.ts";

/** Something that is wrong with a recorded request, or looks as if. */
export interface Finding {
  /** `broken`: a requirement was broken. `note`: the traffic alone does not prove it, or it may be intended. */
  level: "broken" | "note";
  /** The requirement of the spec. */
  requirement: string;
  /** The rule of the provider that was broken too, if one was. */
  rule?: string;
  /** In the fixture, counted from 1. */
  exchange: number;
  /** Into the body of the request; empty for the whole. */
  pointer: string;
  message: string;
}

/** Where in the body of a request a message stands; where its messages stand, if the place cannot be narrowed down. */
export function placeOf(body: unknown, message: Message): string {
  const found = find(body, "", (value) => {
    if (message.type === "tool_result") return isResult(value, message.id);
    if (message.type === "tool_call")
      return !isResult(value, message.id) && [value["id"], value["call_id"]].includes(message.id);
    const text = "content" in message ? message.content : undefined;
    return typeof text === "string" && text !== "" && Object.values(value).includes(text);
  });
  return found ?? listPointer(body);
}

/** Where the messages of a request stand. */
export function listPointer(body: unknown): string {
  return isObject(body) && "input" in body ? "/input" : "/messages";
}

/** Whether a text stands anywhere in a body as a value of its own. */
export function hasText(body: unknown, text: string): boolean {
  return find(body, "", (value) => Object.values(value).includes(text)) !== undefined;
}

function isResult(value: Record<string, unknown>, id: string): boolean {
  return value["tool_use_id"] === id || value["tool_call_id"] === id || (value["call_id"] === id && "output" in value);
}

/** The first object, in the order of the document, for which the test holds. */
function find(value: unknown, pointer: string, test: (value: Record<string, unknown>) => boolean): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isObject(value) && test(value)) return pointer;
  for (const [key, inner] of Object.entries(value)) {
    const found = find(inner, pointerTo(pointer, key), test);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
