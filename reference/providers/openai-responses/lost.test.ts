// What the openai-responses adapter keeps of a stream that is lost: what it has put together from pieces, and nothing else.

import { describe, expect, test } from "vitest";
import { createReader, parseResponse } from "./index.ts";
import type { StreamEvent } from "../../core/ports.ts";

type Fields = Record<string, unknown>;

const model = "gpt-x";
const response = { id: "resp_1", object: "response", status: "in_progress", store: true, model: "gpt-x-1", output: [] };
const began = { type: "response.created", response };
const added = (output_index: number, item: Fields) => ({ type: "response.output_item.added", output_index, item });
const piece = (kind: string, output_index: number, more: Fields) => ({
  type: `response.${kind}`,
  output_index,
  ...more,
});
const text = (delta: string, more: Fields = {}) => piece("output_text.delta", 0, { content_index: 0, delta, ...more });
const message = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] };
const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
const call = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "look",
  arguments: "",
  status: "in_progress",
};

/** Reads a stream of these events, which is lost after them. */
function lost(...events: Fields[]) {
  const heard: StreamEvent[] = [];
  const reader = createReader(model, (event) => heard.push(event));
  for (const data of events) reader.push({ data: JSON.stringify(data) });
  const ended = reader.end("the connection broke");
  return { ended, heard, told: heard.flatMap((event) => (event.type === "message_delta" ? event.delta : [])) };
}

/** What a body would have said that has only these items. */
function said(...output: Fields[]) {
  return parseResponse({ ...response, output }, model).messages;
}

describe("of a stream that is lost", () => {
  test.each([{ type: "output_text", text: "", annotations: [] }, { text: null }, "odd"])(
    "what was heard is kept, though a part comes after it as %j",
    (part) => {
      const annotation = { type: "url_citation", url: "a" };
      const cited = piece("output_text.annotation.added", 0, { content_index: 0, annotation });
      const late = ["content_part.added", "content_part.done"].map((kind) =>
        piece(kind, 0, { content_index: 0, part }),
      );
      const { ended } = lost(began, added(0, message), text("Hel"), cited, ...late, text("lo"));
      const content = [{ type: "output_text", text: "Hello", annotations: [annotation] }];
      expect(ended.messages).toEqual(said({ ...message, content }));
    },
  );

  test("the texts, the refusal and the annotations of a message are kept, each in its part", () => {
    const [one, other] = [
      { type: "url_citation", url: "a" },
      { type: "url_citation", url: "b" },
    ];
    const { ended, told } = lost(
      began,
      added(0, message),
      text("One"),
      piece("output_text.annotation.added", 0, { content_index: 0, annotation: one }),
      text("."),
      piece("output_text.annotation.added", 0, { content_index: 0, annotation: other }),
      text("Two.", { content_index: 1 }),
      piece("refusal.delta", 0, { content_index: 2, delta: "No" }),
      piece("refusal.delta", 0, { content_index: 2, delta: " more." }),
    );
    const content = [
      { type: "output_text", text: "One.", annotations: [one, other] },
      { type: "output_text", text: "Two." },
      { type: "refusal", refusal: "No more." },
    ];
    expect(ended.messages).toStrictEqual(said({ ...message, content }));
    expect(told).toEqual(["One", ".", "Two.", "No", " more."]);
  });

  test.each(["added", "done"])("a part is kept as it was %s, where no pieces of it came", (when) => {
    const whole = [
      { type: "output_text", text: "One.", annotations: [{ type: "url_citation", url: "a" }] },
      { type: "refusal", refusal: "No." },
    ];
    const parts = whole.map((part, content_index) => piece(`content_part.${when}`, 0, { content_index, part }));
    const { ended, told } = lost(began, added(0, message), ...parts);
    expect(ended.messages).toStrictEqual(said({ ...message, content: whole }));
    expect(told).toEqual(["One.", "No."]);
  });

  test("a text stays that the end of its part does not have", () => {
    const end = (part: unknown) => piece("content_part.done", 0, { content_index: 0, part });
    const { ended } = lost(text("One."), end({ type: "output_text", text: "" }), end({ text: null }), end(null));
    expect(ended.messages).toStrictEqual([{ role: "assistant", content: "One." }]);
  });

  test("the summaries of a thought are kept, and its reasoning, each part with its type", () => {
    const summaries = [
      piece("reasoning_summary_text.delta", 0, { summary_index: 0, delta: "Sum" }),
      piece("reasoning_summary_text.delta", 0, { summary_index: 0, delta: " one." }),
      piece("reasoning_summary_text.delta", 0, { summary_index: 1, delta: "Sum two." }),
    ];
    const summary = ["Sum one.", "Sum two."].map((text) => ({ type: "summary_text", text }));
    const summed = lost(began, added(0, reasoning), ...summaries);
    expect(summed.ended.messages).toStrictEqual(said({ ...reasoning, summary }));
    expect(summed.told).toEqual(["Sum", " one.", "\n\nSum two."]);

    const thoughts = ["One.", "Two."].map((delta, content_index) =>
      piece("reasoning_text.delta", 0, { content_index, delta }),
    );
    const content = ["One.", "Two."].map((text) => ({ type: "reasoning_text", text }));
    const open = lost(began, added(0, reasoning), ...thoughts, ...summaries);
    expect(open.ended.messages).toStrictEqual(said({ ...reasoning, content, summary }));
    expect(open.told).toEqual(["One.", "\n\nTwo."]);
  });

  test.each(["response.created", "response.in_progress", "response.queued"])("what %s said is kept", (type) => {
    const { ended } = lost({ type, response }, text("Hal"));
    expect(ended).toStrictEqual({
      messages: [
        { role: "assistant", content: "Hal", opaque: { provider: "openai-responses", model, response_id: "resp_1" } },
      ],
      stop_reason: "interrupted",
      raw_stop_reason: null,
      usage: parseResponse(response, model).usage,
      model: "gpt-x-1",
      provider: "openai-responses",
      error: {
        kind: "stream_interrupted",
        message: "the answer of openai-responses is not complete: the connection broke",
        provider: "openai-responses",
      },
    });
  });

  test("what it lacks is said where it ends by itself", () => {
    expect(createReader(model).end().error?.message).toBe(
      "the answer of openai-responses is not complete: " +
        "the stream ended without response.completed, response.incomplete and response.failed",
    );
  });

  test("what came of the second item in a place is kept, also where the first was never done", () => {
    const second = { ...message, id: "msg_2" };
    const { ended, told } = lost(added(0, message), text("One."), added(0, second), text("Two."));
    expect(ended.messages).toMatchObject([{ content: "One." }, { content: "Two." }]);
    expect(told).toEqual(["One.", "Two."]);
  });
});

describe("a piece", () => {
  test.each([
    ["a text", piece("output_text.delta", 0, { content_index: 0, delta: "x" })],
    ["the input of a custom tool", piece("custom_tool_call_input.delta", 0, { delta: "x" })],
    ["nothing", piece("function_call_arguments.delta", 0, { delta: null })],
  ])("of a call that is %s is left out", (_what, stray) => {
    const { ended, told } = lost(began, added(0, call), stray);
    expect(ended.messages).toStrictEqual(said(call));
    expect(told).toEqual([]);
  });

  test("of a call whose name is not known yet is told with the call", () => {
    const { heard } = lost(
      added(0, { ...call, name: "" }),
      piece("function_call_arguments.delta", 0, { delta: "{}" }),
      { type: "response.output_item.done", output_index: 0, item: { ...call, arguments: "{}" } },
    );
    expect(heard.slice(0, 2)).toEqual([
      { type: "message_start", index: 0, message: { type: "tool_call", id: "call_1", name: "look", input: {} } },
      { type: "message_delta", index: 0, delta: "{}" },
    ]);
  });

  test.each([undefined, null, "1", -1, 0.5, 10_000, 1e15])(
    "with the place %s is one of the first part",
    (content_index) => {
      expect(lost(text("One."), text(" Two.", { content_index })).ended.messages).toMatchObject([
        { content: "One. Two." },
      ]);
    },
  );
});
