// What the server of the Anthropic Messages API keeps of a conversation on a message thread, so that a request may leave it out.

import type { AnsweredRequest, WireResponse } from "../codec.ts";
import { hasText, isObject, isText, listOf, parseObject, without, type JsonObject } from "../shared/json.ts";

/** A conversation that the server keeps, up to the end of one response. */
export interface KeptThread {
  /** The response's id. */
  id: string;
  /** The conversation, the response included. */
  messages: unknown[];
  /** The fields of the request that began the thread. */
  created: JsonObject;
  /** Whether a request has continued from the response. */
  isContinued: boolean;
}

/** Every response that is kept: those of requests with `thread` that were answered whole and not refused. */
export function keptThreads(earlier: readonly AnsweredRequest[]): KeptThread[] {
  const kept: KeptThread[] = [];
  for (const { request, wire } of earlier) {
    if (!isObject(request) || !isObject(request["thread"])) continue;
    const before = threadBefore(request, kept);
    const response = responseIn(wire);
    if (response === undefined) continue;
    if (before !== undefined) before.isContinued = true;
    if (response["stop_reason"] === "refusal") continue;
    kept.push({
      id: String(response["id"]),
      messages: [
        ...(before?.messages ?? []),
        ...listOf(request["messages"]),
        { role: "assistant", content: response["content"] },
      ],
      created: before?.created ?? without(request, "messages", "thread"),
      isContinued: false,
    });
  }
  return kept;
}

/** The conversation that a request continues. */
export function threadBefore({ thread }: JsonObject, kept: readonly KeptThread[]): KeptThread | undefined {
  if (!isObject(thread) || thread["type"] !== "continue") return undefined;
  return kept.findLast(({ id }) => id === thread["previous_message_id"]);
}

/** The request with what it leaves out because the server keeps it. */
export function wholeRequest(fields: JsonObject, before: KeptThread | undefined): JsonObject {
  if (before === undefined) return fields;
  const { system, tools } = before.created;
  return {
    ...(system !== undefined && { system }),
    ...(tools !== undefined && { tools }),
    ...fields,
    messages: [...before.messages, ...listOf(fields["messages"])],
  };
}

/** The message in what was sent, if it is complete. */
function responseIn({ status, writes, reset }: WireResponse): JsonObject | undefined {
  if (status !== 200 || reset === true) return undefined;
  const text = writes.map((write) => write.text).join("");
  const body = parseObject(text);
  if (body !== undefined) return body["type"] === "message" ? body : undefined;
  const events = text.split("\n").flatMap((line) => {
    const event = line.startsWith("data:") ? parseObject(line.slice(5)) : undefined;
    return event === undefined ? [] : [event];
  });
  return events.some(({ type }) => type === "message_stop") ? assembled(events) : undefined;
}

/** The message assembled from the events of a stream, as far as it matters for what is kept. */
function assembled(events: readonly JsonObject[]): JsonObject {
  const message: JsonObject = {};
  const blocks = new Map<unknown, { block: JsonObject; json: string }>();
  for (const event of events) {
    const { type, index, delta } = event;
    const open = blocks.get(index);
    if (type === "message_start" && isObject(event["message"])) Object.assign(message, event["message"]);
    if (type === "message_delta" && isObject(delta)) Object.assign(message, delta);
    if (type === "content_block_start" && isObject(event["content_block"]))
      blocks.set(index, { block: { ...event["content_block"] }, json: "" });
    if (type === "content_block_delta" && isObject(delta) && open) grow(open, delta);
  }
  const content = [...blocks.values()].map(({ block, json }) =>
    hasText(json) ? { ...block, input: parseObject(json) ?? {} } : block,
  );
  return { ...message, content };
}

function grow(open: { block: JsonObject; json: string }, delta: JsonObject): void {
  if (isText(delta["partial_json"])) open.json += delta["partial_json"];
  for (const key of ["text", "thinking", "signature"]) {
    if (isText(delta[key])) open.block[key] = String(open.block[key] ?? "") + delta[key];
  }
}
