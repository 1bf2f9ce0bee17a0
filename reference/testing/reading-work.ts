// Streams of all shapes, and the work of the readers that read them.

import { createReader as readAnthropic } from "../providers/anthropic-messages/index.ts";
import { createReader as readChat } from "../providers/openai-chat/index.ts";
import { createReader as readResponses } from "../providers/openai-responses/index.ts";
import type { Reader } from "../providers/shared/receive.ts";
import { askForWork, tellWork, total } from "./work.ts";

type Fields = Record<string, unknown>;
type Stream = (events: number) => Fields[];

const chat = (delta: (at: number) => Fields): Stream => {
  return (events) => Array.from({ length: events }, (_, at) => ({ choices: [{ delta: delta(at) }] }));
};
const calls = (call: (at: number) => Fields): Stream => chat((at) => ({ tool_calls: [call(at)] }));
const named = { name: "look", arguments: "" };

const chatStreams: Record<string, Stream> = {
  "calls without arguments": calls((index) => ({ index, id: `c${index}`, function: named })),
  "calls without an index": calls((at) => ({ id: `c${at}`, function: { name: "look", arguments: "{}" } })),
  "calls without a name": calls((index) => ({ index, id: `c${index}`, function: { arguments: "{" } })),
  "calls of one id": calls((index) => ({ index, id: "c", function: { name: "look", arguments: "{}" } })),
  "calls that are named from the last to the first": (events) => [
    ...calls((index) => ({ index, id: `c${index}` }))(events / 2),
    ...calls((at) => ({ index: events / 2 - 1 - at, function: named }))(events / 2),
  ],
  "pieces of calls in turn": (events) => [
    ...calls((index) => ({ index, id: `c${index}`, function: named }))(events / 2),
    ...calls((at) => ({ index: (at * 7919) % (events / 2), function: { arguments: " " } }))(events / 2),
  ],
  "a name with every piece": calls(() => ({ index: 0, id: "c", function: { name: "look", arguments: "{}" } })),
  "a name with every piece of a string": calls((at) => ({
    index: 0,
    id: "c",
    function: { name: "look", arguments: at === 0 ? '{"a":"' : "}" },
  })),
  "details of reasoning": chat((index) => ({ reasoning_details: [{ type: "reasoning.text", index, text: "Hm" }] })),
  "one detail of reasoning": chat(() => ({ reasoning_details: [{ type: "reasoning.text", index: 0, text: "Hm" }] })),
  "fields of one detail": chat((at) => ({
    reasoning_details: [{ type: "reasoning.text", index: 0, [`f${at}`]: "x" }],
  })),
  "parts of a content": chat((at) => ({ content: [{ type: "image", at }] })),
  annotations: chat((at) => ({ annotations: [{ type: "url_citation", at }] })),
  texts: chat(() => ({ content: "Hm. " })),
};

const added = (type: string) => (output_index: number) => ({
  type: "response.output_item.added",
  output_index,
  item: { type, id: `i${output_index}`, call_id: `c${output_index}`, name: "look", content: [], summary: [] },
});
const times = <T>(events: number, make: (at: number) => T) => Array.from({ length: events }, (_, at) => make(at));

const responsesStreams: Record<string, Stream> = {
  messages: (events) => times(events, added("message")),
  calls: (events) => times(events, added("function_call")),
  "items of the server": (events) => times(events, added("web_search_call")),
  "whole items": (events) => times(events, (at) => ({ ...added("message")(at), type: "response.output_item.done" })),
  "items that end in the terminal event": (events) => [
    ...times(events / 2, added("message")),
    {
      type: "response.completed",
      response: { id: "r", status: "completed", output: times(events / 2, (at) => added("message")(at).item) },
    },
  ],
  "items of another id in the terminal event": (events) => [
    ...times(events / 2, added("message")),
    {
      type: "response.completed",
      response: { id: "r", output: times(events / 2, (at) => ({ type: "reasoning", id: `other${at}`, summary: [] })) },
    },
  ],
  "pieces of items in turn": (events) => [
    ...times(events / 2, added("message")),
    ...times(events / 2, (at) => ({
      type: "response.output_text.delta",
      output_index: (at * 7919) % (events / 2),
      content_index: 0,
      delta: "Hm",
    })),
  ],
  "pieces of items by id": (events) => [
    ...times(events / 2, added("message")),
    ...times(events / 2, (at) => ({
      type: "response.output_text.delta",
      item_id: `i${(at * 7919) % (events / 2)}`,
      content_index: 0,
      delta: "Hm",
    })),
  ],
  "parts of one item": (events) => [
    added("message")(0),
    ...times(events, (at) => ({
      type: "response.output_text.delta",
      output_index: 0,
      content_index: at,
      delta: "Hm",
    })),
  ],
  annotations: (events) => [
    added("message")(0),
    ...times(events, (at) => ({
      type: "response.output_text.annotation.added",
      output_index: 0,
      content_index: 0,
      annotation: { at },
    })),
  ],
};

const blocks = (content_block: Fields, ...deltas: Fields[]): Stream => {
  return (events) =>
    times(events, (index) => [
      { type: "content_block_start", index, content_block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]).flat();
};
const oneBlock = (content_block: Fields, delta: Fields): Stream => {
  return (events) => [
    { type: "content_block_start", index: 0, content_block },
    ...times(events, () => ({ type: "content_block_delta", index: 0, delta })),
  ];
};

const anthropicStreams: Record<string, Stream> = {
  texts: blocks({ type: "text", text: "" }, { type: "text_delta", text: "Hm" }),
  calls: blocks(
    { type: "tool_use", id: "c", name: "look", input: {} },
    { type: "input_json_delta", partial_json: "{}" },
  ),
  "items of the server": blocks({ type: "server_tool_use", id: "s", name: "web_search", input: {} }),
  "one text": oneBlock({ type: "text", text: "" }, { type: "text_delta", text: "Hm" }),
  "one call": oneBlock({ type: "tool_use", id: "c", name: "look" }, { type: "input_json_delta", partial_json: "[" }),
  citations: oneBlock({ type: "text", text: "" }, { type: "citations_delta", citation: { type: "page_location" } }),
};

const STREAMS = [
  ...streamsOf("openai-chat", () => readChat("m"), chatStreams),
  ...streamsOf("openai-responses", () => readResponses("m"), responsesStreams),
  ...streamsOf("anthropic-messages", () => readAnthropic("m"), anthropicStreams),
];

function streamsOf(provider: string, start: () => Reader, streams: Record<string, Stream>) {
  return Object.entries(streams).map(([name, stream]) => ({ name: `${provider}: ${name}`, start, stream }));
}

/** The names of all streams, each behind its provider. */
export const STREAM_NAMES: readonly string[] = STREAMS.map(({ name }) => name);

/** The work of reading each of the streams, at each of these lengths in events: by its name. */
export function workOfReading(lengths: readonly number[]): Promise<ReadonlyMap<string, number[]>> {
  return askForWork(import.meta.url, lengths);
}

tellWork(import.meta, "blocks", async (lengths: readonly number[], count) => {
  const works = new Map<string, number[]>();
  for (const { name, start, stream } of STREAMS) {
    const read = (events: number) => {
      const lines = stream(events).map((data) => JSON.stringify(data));
      return count(() => {
        const reader = start();
        for (const data of lines) reader.push({ data });
        reader.push({ data: "[DONE]" });
        reader.end();
      });
    };
    await read(20); // what is done once is done now
    const work: number[] = [];
    for (const events of lengths) work.push(total(await read(events)));
    works.set(name, work);
  }
  return works;
});
