// What the openai-responses adapter makes of answers, whole and streamed.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReader, parseResponse } from "./index.ts";
import type { StreamEvent } from "../../core/ports.ts";

type Fields = Record<string, unknown>;

const model = "gpt-x";
const own = { provider: "openai-responses", model };
const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [
    { type: "summary_text", text: "First this." },
    { type: "summary_text", text: "Then that." },
  ],
  encrypted_content: "whole",
};
const message = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  phase: "final_answer",
  content: [
    {
      type: "output_text",
      text: "The answer, at last",
      annotations: [{ type: "url_citation", url: "u" }],
      logprobs: [],
    },
    { type: "output_text", text: "And more", annotations: [] },
  ],
};
const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } };
const call = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "look",
  arguments: '{"city":"Paris"}',
  status: "completed",
};
const custom = {
  type: "custom_tool_call",
  id: "ctc_1",
  call_id: "call_2",
  name: "run",
  input: "print()",
  status: "completed",
};
const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 16,
};
const body = (output: Fields[], more: Fields = {}): Fields => {
  return {
    id: "resp_1",
    object: "response",
    status: "completed",
    store: false,
    model: "gpt-x-1",
    output,
    usage,
    ...more,
  };
};

/** Reads a stream of these events. */
function stream(events: (Fields | string)[], lost?: string) {
  const heard: StreamEvent[] = [];
  const reader = createReader(model, (event) => heard.push(event));
  for (const data of events) {
    if (!reader.push({ data: typeof data === "string" ? data : JSON.stringify(data) })) break;
  }
  return { response: reader.end(lost), heard };
}

const created = (whole: Fields) => ({
  type: "response.created",
  response: { ...whole, status: "in_progress", output: [], usage: null },
});
const added = (output_index: number, item: Fields) => ({ type: "response.output_item.added", output_index, item });
const done = (output_index: number, item: Fields) => ({ type: "response.output_item.done", output_index, item });
const ended = (whole: Fields) => ({ type: `response.${String(whole.status)}`, response: whole });

describe("an answer", () => {
  test("gives its items as messages, in their order", () => {
    expect(parseResponse(body([reasoning, search, message, call, custom]), model)).toEqual({
      messages: [
        {
          type: "thinking",
          content: "First this.\n\nThen that.",
          opaque: { ...own, id: "rs_1", summary: reasoning.summary, encrypted_content: "whole" },
        },
        { type: "provider_item", ...own, item: search },
        {
          role: "assistant",
          content: "The answer, at last",
          opaque: { ...own, id: "msg_1", phase: "final_answer", annotations: [{ type: "url_citation", url: "u" }] },
        },
        { role: "assistant", content: "And more", opaque: { ...own, id: "msg_1", phase: "final_answer" } },
        { type: "tool_call", id: "call_1", name: "look", input: { city: "Paris" }, opaque: { ...own, id: "fc_1" } },
        {
          type: "tool_call",
          id: "call_2",
          name: "run",
          input: { input: "print()" },
          opaque: { ...own, id: "ctc_1", type: "custom_tool_call" },
        },
      ],
      stop_reason: "tool_use",
      raw_stop_reason: "completed",
      usage: { input_tokens: 9, output_tokens: 7, cache_read_tokens: 4, cache_write_tokens: 1, reasoning_tokens: 3 },
      model: "gpt-x-1",
      provider: "openai-responses",
    });
  });

  test("says the same whole and streamed, however it is cut", () => {
    const cut = (whole: string) =>
      fc.array(fc.nat(whole.length)).map((ends) => {
        const sorted = [0, ...ends.toSorted((a, b) => a - b), whole.length];
        return sorted.slice(1).map((end, at) => whole.slice(sorted[at], end));
      });
    const [first, second] = message.content;
    const [one, two] = reasoning.summary;
    const pieces = fc.tuple(cut(one!.text), cut(two!.text), cut(first!.text), cut(second!.text), cut(call.arguments));
    const order = fc.infiniteStream(fc.nat(3));
    const whole = body([reasoning, message, call, search], { store: true });
    const expected = parseResponse(whole, model);
    fc.assert(
      fc.property(pieces, order, ([ones, twos, firsts, seconds, written], next) => {
        const delta = (type: string, output_index: number, index: Fields) => (text: string) => ({
          type: `response.${type}.delta`,
          output_index,
          ...index,
          delta: text,
          obfuscation: "x",
        });
        const streams: Fields[][] = [
          [
            added(0, { ...reasoning, summary: [], encrypted_content: "who" }),
            ...ones.map(delta("reasoning_summary_text", 0, { summary_index: 0 })),
            ...twos.map(delta("reasoning_summary_text", 0, { summary_index: 1 })),
            done(0, reasoning),
          ],
          [
            added(1, { ...message, content: [] }),
            { type: "response.content_part.added", output_index: 1, content_index: 0, part: { ...first, text: "" } },
            ...firsts.map(delta("output_text", 1, { content_index: 0 })),
            { type: "response.output_text.annotation.added", output_index: 1, content_index: 0, annotation: {} },
            ...seconds.map(delta("output_text", 1, { content_index: 1 })),
            done(1, message),
          ],
          [
            added(2, { ...call, arguments: "", status: "in_progress" }),
            ...written.map(delta("function_call_arguments", 2, {})),
            done(2, call),
          ],
          [
            added(3, { ...search, status: "in_progress" }),
            { type: "response.web_search_call.searching" },
            done(3, search),
          ],
        ];
        const events: Fields[] = [];
        while (streams.some((rest) => rest.length > 0)) {
          const rest = streams[next.next().value as number]!;
          if (rest.length > 0) events.push(rest.shift()!);
        }
        const { response, heard } = stream([created(whole), ...events, ended(whole)]);
        expect(response).toEqual(expected);
        const told = new Map<number, string>();
        for (const event of heard) {
          if (event.type === "message_delta") told.set(event.index, (told.get(event.index) ?? "") + event.delta);
          if (event.type === "message_end" && "content" in event.message)
            expect(told.get(event.index)).toBe(event.message.content);
        }
        expect(heard.filter(({ type }) => type === "message_end")).toHaveLength(5);
        expect(heard.filter(({ type }) => type === "message_start")).toHaveLength(5);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    [body([message]), "end_turn", "completed"],
    [body([call]), "tool_use", "completed"],
    [
      body([call], { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
      "max_tokens",
      "max_output_tokens",
    ],
    [
      body([], { status: "incomplete", incomplete_details: { reason: "content_filter" } }),
      "content_filter",
      "content_filter",
    ],
    [body([], { status: "incomplete", incomplete_details: null }), "other", "incomplete"],
    [body([call], { status: undefined }), "tool_use", null],
    [body([], { status: "queued" }), "interrupted", "queued"],
  ])("number %# stops as its status says", (whole, stop, raw) => {
    const response = parseResponse(whole, model);
    expect([response.stop_reason, response.raw_stop_reason]).toEqual([stop, raw]);
  });

  test("keeps the text of a refusal, and says that it is one", () => {
    const refused = { ...message, content: [{ type: "refusal", refusal: "No." }] };
    const { messages, stop_reason } = parseResponse(body([refused, call]), model);
    expect(stop_reason).toBe("refusal");
    expect(messages[0]).toMatchObject({ role: "assistant", content: "No.", opaque: { type: "refusal", id: "msg_1" } });
    const delta = { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "No." };
    const { response } = stream([added(0, { ...message, content: [] }), delta, ended(body([]))]);
    expect(response).toMatchObject({ stop_reason: "refusal", messages: [{ content: "No." }] });
  });

  test("keeps what is wrong with arguments for the loop to judge", () => {
    const [said] = parseResponse(body([{ ...call, arguments: '{"city":' }]), model).messages;
    expect(said).toMatchObject({ input: null, raw_input: '{"city":' });
  });

  test("names the response where the provider stored it", () => {
    const { messages } = parseResponse(body([search, call], { store: true }), model);
    expect(messages).toMatchObject([{ opaque: { response_id: "resp_1" } }, { opaque: { response_id: "resp_1" } }]);
  });

  test("shows open reasoning, and messages of others as items", () => {
    const open = { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "Hm." }] };
    const other = { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] };
    expect(parseResponse(body([open, other]), model).messages).toMatchObject([
      { type: "thinking", content: "Hm.", opaque: { content: open.content } },
      { type: "provider_item", item: other },
    ]);
  });
});
