// What the server of OpenAI's Responses API keeps of a conversation, so that a request may leave it out.

import type { AnsweredRequest, WireResponse } from "../codec.ts";
import { hasText, isObject, listOf, parseObject, type JsonObject } from "../shared/json.ts";

/** A response that the server stored, and the whole conversation before it. */
export interface StoredResponse {
  id: string;
  input: JsonObject[];
  output: JsonObject[];
}

/** The items of `input`; a string is one message of the user. */
export function inputItems({ input }: JsonObject): JsonObject[] {
  if (hasText(input)) return [{ role: "user", content: input }];
  return listOf(input).filter(isObject);
}

/** Every response that was stored: all but those of requests with `store: false`, and those that broke off. */
export function storedResponses(earlier: readonly AnsweredRequest[]): StoredResponse[] {
  const stored: StoredResponse[] = [];
  for (const { request, wire } of earlier) {
    if (!isObject(request) || request["store"] === false) continue;
    const response = responseIn(wire);
    if (response === undefined) continue;
    const input = [...conversationBefore(request, stored), ...inputItems(request)];
    stored.push({ id: String(response["id"]), input, output: listOf(response["output"]).filter(isObject) });
  }
  return stored;
}

/** The conversation before the request's own input. */
export function conversationBefore(request: JsonObject, stored: readonly StoredResponse[]): JsonObject[] {
  const previous = stored.find(({ id }) => id === request["previous_response_id"]);
  return previous === undefined ? [] : [...previous.input, ...previous.output];
}

/** The response object in what was sent: the body, or what the last event of a stream has. */
function responseIn({ writes }: WireResponse): JsonObject | undefined {
  const text = writes.map((write) => write.text).join("");
  const body = parseObject(text);
  if (body !== undefined) return body["object"] === "response" ? body : undefined;
  const events = text.split("\n").flatMap((line) => {
    const event = line.startsWith("data:") ? parseObject(line.slice(5)) : undefined;
    return event === undefined ? [] : [event];
  });
  const last = events.findLast(({ type }) => type === "response.completed" || type === "response.incomplete");
  return isObject(last?.["response"]) ? last["response"] : undefined;
}
