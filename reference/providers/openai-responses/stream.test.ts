// What the openai-responses adapter makes of streams that are not as they should be.

import { describe, expect, test } from "vitest";
import { createReader, parseResponse } from "./index.ts";
import type { StreamEvent } from "../../core/ports.ts";

type Fields = Record<string, unknown>;

const model = "gpt-x";
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "whole" };
const message = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "The answer", annotations: [] }],
};
const search = { type: "web_search_call", id: "ws_1", status: "completed" };
const call = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "look",
  arguments: "{}",
  status: "completed",
};
const body = (output: Fields[], more: Fields = {}): Fields => {
  return { id: "resp_1", object: "response", status: "completed", store: false, model: "gpt-x-1", output, ...more };
};

/** Reads a stream of these events. */
function stream(events: (Fields | string)[]) {
  const heard: StreamEvent[] = [];
  const reader = createReader(model, (event) => heard.push(event));
  for (const data of events) {
    if (!reader.push({ data: typeof data === "string" ? data : JSON.stringify(data) })) break;
  }
  return { response: reader.end(), heard };
}

const created = (whole: Fields) => ({ type: "response.created", response: { ...whole, status: "in_progress" } });
const added = (output_index: number, item: Fields) => ({ type: "response.output_item.added", output_index, item });
const done = (output_index: number, item: Fields) => ({ type: "response.output_item.done", output_index, item });
const ended = (whole: Fields) => ({ type: `response.${String(whole.status)}`, response: whole });

describe("a stream", () => {
  const text = (delta: string) => ({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta });

  test("takes texts that only the events have that end them", () => {
    const { response } = stream([
      added(0, { type: "reasoning", id: "rs_1" }),
      { type: "response.reasoning_text.done", output_index: 0, content_index: 0, text: "Hm." },
      added(1, { ...message, content: [] }),
      { type: "response.refusal.done", output_index: 1, content_index: 0, refusal: "No." },
      added(2, { type: "custom_tool_call", id: "ct_1", call_id: "call_1", name: "look" }),
      { type: "response.custom_tool_call_input.delta", output_index: 2, delta: "he" },
      { type: "response.custom_tool_call_input.done", output_index: 2, input: "here" },
      { type: "response.function_call_arguments.done", output_index: 3, arguments: "{}" },
      ended(body([])),
    ]);
    expect(response.messages).toMatchObject([
      { type: "thinking", content: "Hm." },
      { role: "assistant", content: "No.", opaque: { type: "refusal" } },
      { type: "tool_call", name: "look", input: { input: "here" } },
    ]);
    expect(response.messages).toHaveLength(3);
  });

  test("takes encrypted content from an item that is done, not from one that begins", () => {
    const begun = added(0, { ...reasoning, encrypted_content: "who" });
    const { response } = stream([
      begun,
      done(0, reasoning),
      ended(body([{ ...reasoning, encrypted_content: "again" }])),
    ]);
    expect(response.messages).toMatchObject([{ opaque: { encrypted_content: "whole" } }]);
    expect(stream([begun]).response.messages[0]).not.toHaveProperty("opaque.encrypted_content");
    expect(stream([begun, ended(body([reasoning]))]).response.messages).toMatchObject([
      { opaque: { encrypted_content: "whole" } },
    ]);
  });

  test("that ends early is interrupted, and keeps what came", () => {
    const partial = { ...call, arguments: "", status: "in_progress" };
    const events = [created(body([])), text("Hal"), added(1, partial)];
    const { response, heard } = stream([
      ...events,
      { type: "response.function_call_arguments.delta", output_index: 1, delta: '{"ci' },
    ]);
    expect(response).toMatchObject({
      stop_reason: "interrupted",
      error: { kind: "stream_interrupted" },
      messages: [{ content: "Hal" }, { type: "tool_call", input: null, raw_input: '{"ci' }],
    });
    expect(heard.filter(({ type }) => type === "message_end")).toHaveLength(2);
    expect(stream([]).response.stop_reason).toBe("interrupted");
    expect(stream(["[DONE]"]).response.stop_reason).toBe("interrupted");
  });

  test.each([
    [{ type: "error", code: "rate_limit_exceeded", message: "slow", param: null }, "rate_limit"],
    [{ type: "error", error: { type: "tokens", code: "rate_limit_exceeded", message: "slow" } }, "rate_limit"],
    [{ error: { code: "server_error", message: "slow" } }, "server_error"],
    [ended(body([], { status: "failed", error: { code: "invalid_prompt", message: "slow" } })), "invalid_request"],
  ])("that fails with %j is an error with what came before", (event, kind) => {
    const { response } = stream([text("Hal"), event, text("f")]);
    expect(response).toMatchObject({
      stop_reason: "error",
      error: { kind, message: "slow" },
      messages: [{ content: "Hal" }],
    });
  });

  test("of something else than JSON is an error", () => {
    expect(stream([text("Hal"), "oops"]).response.error).toMatchObject({
      kind: "invalid_response",
      message: "expected events with JSON data from openai-responses, got: oops",
    });
  });

  test("takes the items that came where the end has none, and those of the end where none came", () => {
    const missing = stream([done(0, message), ended(body([]))]).response;
    expect(missing.messages).toEqual(parseResponse(body([message]), model).messages);
    const late = stream([ended(body([reasoning, call]))]).response;
    expect(late).toEqual(parseResponse(body([reasoning, call]), model));
    const bare = stream([done(0, call), body([reasoning, call])]).response;
    expect(bare).toEqual(parseResponse(body([reasoning, call]), model));
  });

  test("ignores what it does not know, and what comes twice", () => {
    const events = [added(0, call), added(0, call), done(0, call), added(0, call), done(0, call)];
    const nameless = { type: "response.function_call_arguments.delta", output_index: 7, delta: "{}" };
    const noise = [
      { type: "response.telepathy", output_index: 0 },
      { type: "response.output_text.delta" },
      nameless,
      {},
    ];
    const { response } = stream([...events, ...noise, ended(body([call]))]);
    expect(response).toEqual(parseResponse(body([call]), model));
  });

  test("takes an item that is done as something else than began for another one", () => {
    const { response } = stream([added(0, { ...message, content: [] }), done(0, call), ended(body([call]))]);
    expect(response.messages).toEqual(parseResponse(body([call]), model).messages);
  });

  test.each([
    [{}, "completed"],
    [{ status: "incomplete" }, "incomplete"],
    [{ status: "failed" }, "failed"],
  ])("ends with a bare response as that says: %j", (said, raw_stop_reason) => {
    const { response } = stream([text("Hal"), { object: "response", ...said }]);
    expect(response).toMatchObject({ raw_stop_reason, messages: [{ content: "Hal" }] });
  });

  test("may begin and end without a response", () => {
    const { response } = stream([{ type: "response.created" }, text("Hal"), { type: "response.completed" }, text("f")]);
    expect(response).toMatchObject({ stop_reason: "end_turn", messages: [{ content: "Hal" }] });
  });

  test("wants nothing more after [DONE], with space around it too", () => {
    const reader = createReader(model);
    expect(reader.push({ data: " [DONE] " })).toBe(false);
    expect(reader.end().stop_reason).toBe("interrupted");
  });

  test("tells the items apart of a server that counts each of its rounds anew", () => {
    const next = { ...message, id: "msg_2" };
    const { response } = stream([
      added(0, search),
      done(0, search),
      added(0, next),
      text("x"),
      done(0, next),
      ended(body([])),
    ]);
    expect(response.messages).toEqual(parseResponse(body([search, next]), model).messages);
  });

  test("keeps the id by which the server knows a call at the end", () => {
    const renamed = { ...call, id: "fc_9", call_id: "call_9" };
    const { response } = stream([added(0, call), done(0, call), ended(body([renamed]))]);
    expect(response.messages).toMatchObject([{ id: "call_1", opaque: { id: "fc_1", call_id: "call_9" } }]);
  });

  test("shows each thought once, apart from the others, and reasoning before its summary", () => {
    const delta = (kind: string, index: Fields, text: string) => ({
      type: `response.${kind}.delta`,
      output_index: 0,
      ...index,
      delta: text,
    });
    const { response, heard } = stream([
      delta("reasoning_text", { content_index: 0 }, "One."),
      delta("reasoning_summary_text", { summary_index: 0 }, "Sum."),
      delta("reasoning_text", { content_index: 1 }, "Two."),
    ]);
    expect(response.messages).toMatchObject([{ type: "thinking", content: "One.\n\nTwo." }]);
    const told = heard.flatMap((event) => (event.type === "message_delta" ? event.delta : []));
    expect(told.join("")).toBe("One.\n\nTwo.");
  });
});

test("a summary is told as it comes, where the reasoning began with an empty content", () => {
  const delta = (text: string) => ({ type: "response.reasoning_summary_text.delta", output_index: 0, delta: text });
  const { heard } = stream([added(0, { ...reasoning, content: [] }), delta("First"), delta(" this.")]);
  expect(heard.flatMap((event) => (event.type === "message_delta" ? event.delta : []))).toEqual(["First", " this."]);
});

describe("a damaged stream", () => {
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: "{}" };
  const delta = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "The answer" };

  test("keeps a text that was told where the whole item has none", () => {
    const { response, heard } = stream([
      added(0, { ...message, content: [] }),
      delta,
      done(0, { ...message, content: [{ type: "output_text", text: [] }] }),
      ended(body([message])),
    ]);
    expect(response.messages).toMatchObject([{ role: "assistant", content: "The answer" }]);
    expect(heard.map(({ type }) => type)).toEqual(["message_start", "message_delta", "message_end"]);
  });

  test.each([
    ["its place", { type: "response.output_item.done", item: call }],
    ["its type", done(0, { ...call, type: undefined })],
  ])("ends an item that comes without %s once", (_what, whole) => {
    const { response } = stream([added(0, { ...call, arguments: "" }), whole, ended(body([call]))]);
    expect(response.messages).toMatchObject([{ type: "tool_call", id: "call_1" }]);
  });

  test("takes a message with a role that the API does not know for the model's", () => {
    const messages = [undefined, "asSistant"].map(
      (role) => parseResponse(body([{ ...message, role }]), model).messages,
    );
    for (const said of messages) expect(said).toMatchObject([{ role: "assistant", content: "The answer" }]);
    const part = { type: "output_audio" };
    expect(parseResponse(body([{ type: "message", content: [part] }]), model).messages).toMatchObject([
      { type: "provider_item", item: { type: "message", role: "assistant", content: [part] } },
    ]);
  });

  test("leaves empty summaries out of a thought", () => {
    const summary = ["First this.", "", "Then that."].map((text) => ({ type: "summary_text", text }));
    const [said] = parseResponse(body([{ ...reasoning, summary }]), model).messages;
    expect(said).toMatchObject({ type: "thinking", content: "First this.\n\nThen that.", opaque: { summary } });
  });

  test("that failed for no reason says so", () => {
    expect(parseResponse(body([], { status: "failed", error: null }), model).error).toEqual({
      kind: "server_error",
      message: "openai-responses says only that the response failed",
      provider: "openai-responses",
    });
    expect(stream([{ type: "error", code: "slow_down" }]).response.error).toMatchObject({ kind: "overloaded" });
  });

  test("that is not finished says how far it is", () => {
    const { message } = parseResponse(body([], { status: "queued" }), model).error!;
    expect(message).toBe("the answer of openai-responses is not complete: its status is queued");
  });

  test("does not take a word of every object for a reason to stop", () => {
    const cut = body([], { status: "incomplete", incomplete_details: { reason: "toString" } });
    expect(parseResponse(cut, model).stop_reason).toBe("other");
  });
});
