// Writes an answer of OpenAI's Responses API as a stream of events.

import type { ScriptedPart, ScriptedResponse, Write } from "../codec.ts";
import { isObject, listOf, type JsonObject } from "../shared/json.ts";
import { contentPart, finishedResponse, itemsOf, responseObject, summaryPart, type ResponseContent } from "./items.ts";
import { completing, namedEvent, piecesOf } from "../shared/sse.ts";

/** An event before it has its place in the stream. */
type Event = { type: string; [field: string]: unknown };

/** The whole stream. */
export function streamOf(response: ScriptedResponse, request: unknown): Write[] {
  const finished = finishedResponse(response, request);
  return numbered([
    ...beginning(response, request),
    [{ type: `response.${String(finished["status"])}`, response: finished }],
  ]);
}

/** The stream up to its last item, and the events with which it ends in place of the usual one. */
export function brokenStream(response: ResponseContent, ending: Event[]): Write[] {
  return numbered([...beginning(response, undefined), ending]);
}

/** The events of each part are adjacent; the events before and after them belong to no part. */
function numbered([opening = [], ...groups]: Event[][]): Write[] {
  let sequence_number = 0;
  const written = (events: Event[]) =>
    events.map((event) => namedEvent({ ...event, sequence_number: sequence_number++ }));
  const ending = groups.pop() ?? [];
  const first = written(opening);
  const parts = groups.flatMap((events, at) => completing(written(events), at + 1));
  return [...first, ...parts, ...written(ending)];
}

function beginning(response: ResponseContent, request: unknown): Event[][] {
  const begun = responseObject(response, request, {});
  const opening = ["response.created", "response.in_progress"].map((type) => ({ type, response: begun }));
  const items = itemsOf(response, request);
  return [opening, ...response.parts.map((part, at) => eventsOf(part, items[at] ?? {}, at))];
}

/** The events of an item: announced empty, filled piece by piece, and then repeated as a whole. */
function eventsOf(part: ScriptedPart, item: JsonObject, output_index: number): Event[] {
  const { announced, events } = filling(part, item);
  const place = { item_id: item["id"], output_index };
  return [
    { type: "response.output_item.added", output_index, item: announced },
    ...events.map((event) => ({ ...event, ...place })),
    { type: "response.output_item.done", output_index, item },
  ];
}

function filling(part: ScriptedPart, item: JsonObject): { announced: JsonObject; events: Event[] } {
  const status = "status" in item ? { status: "in_progress" } : {};
  const announced = { ...item, ...status };
  if ("provider_item" in part) return { announced, events: [] };
  if ("tool_call" in part) {
    const written = String(item["arguments"]);
    const events = [
      ...deltas("response.function_call_arguments.delta", written),
      { type: "response.function_call_arguments.done", arguments: written },
    ];
    return { announced: { ...announced, arguments: "" }, events };
  }
  if ("thinking" in part) return { announced: announcedReasoning(announced), events: summaryEvents(item) };
  return { announced: { ...announced, content: [] }, events: textEvents(part.text, item) };
}

/** What is encrypted is not whole before the item is done, although it looks so. */
function announcedReasoning(item: JsonObject): JsonObject {
  const seal = item["encrypted_content"];
  return { ...item, summary: [], ...(typeof seal === "string" && { encrypted_content: seal.slice(0, -1) }) };
}

function summaryEvents(item: JsonObject): Event[] {
  return listOf(item["summary"]).flatMap((part, summary_index) => {
    const text = isObject(part) ? String(part["text"]) : "";
    return [
      { type: "response.reasoning_summary_part.added", summary_index, part: summaryPart("") },
      ...deltas("response.reasoning_summary_text.delta", text, { summary_index }),
      { type: "response.reasoning_summary_text.done", summary_index, text },
      { type: "response.reasoning_summary_part.done", summary_index, part },
    ];
  });
}

function textEvents(text: string, item: JsonObject): Event[] {
  const [part] = listOf(item["content"]);
  const isRefusal = isObject(part) && part["type"] === "refusal";
  const [name, more] = isRefusal ? ["refusal", {}] : ["output_text", { logprobs: [] }];
  const content_index = 0;
  return [
    { type: "response.content_part.added", content_index, part: contentPart("", isRefusal) },
    ...deltas(`response.${name}.delta`, text, { content_index, ...more }),
    { type: `response.${name}.done`, content_index, ...(isRefusal ? { refusal: text } : { text }), ...more },
    { type: "response.content_part.done", content_index, part },
  ];
}

/** The real API pads its deltas to hide their sizes. */
function deltas(type: string, text: string, more: JsonObject = {}): Event[] {
  return piecesOf(text).map((delta) => ({ type, delta, ...more, obfuscation: "kit" }));
}
