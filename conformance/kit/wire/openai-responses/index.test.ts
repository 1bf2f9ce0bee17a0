// The kit's OpenAI Responses codec: the official SDK reads what it renders, and its reading and its normal form agree.

import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { ErrorKind, Message } from "../../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse } from "../codec.ts";
import { alignIds } from "../shared/normal-form.ts";
import { openaiResponses as codec } from "./index.ts";

const usage = {
  input_tokens: 100,
  output_tokens: 40,
  cache_read_tokens: 30,
  cache_write_tokens: 5,
  reasoning_tokens: 7,
};
const response = (parts: ScriptedPart[], more: Partial<ScriptedResponse> = {}): ScriptedResponse => ({
  parts,
  stop_reason: "end_turn",
  usage,
  model: "replay",
  id: "r1",
  ...more,
});
const fault = (kind: ErrorKind, more: Partial<ScriptedFault> = {}): ScriptedFault => ({
  kind,
  message: "as scripted",
  after: [],
  ...more,
});
const call = (id: string, input: Record<string, unknown> = { city: "Paris" }): ScriptedPart => ({
  tool_call: { id, name: "get_weather", input },
});
const from = { provider: "openai-responses", model: "replay" };
const params = { model: "replay", input: "Hi" };
const encrypted = { ...params, include: ["reasoning.encrypted_content"] };

/** The official client, to which the server always says the same. */
function client(wire: WireResponse): OpenAI {
  const body = wire.writes.map(({ text }) => text).join("");
  return new OpenAI({
    apiKey: "test",
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(body, { status: wire.status, headers: wire.headers })),
  });
}

async function read(scripted: ScriptedResponse, transport: Transport, request?: unknown) {
  expect(codec.canExpress(scripted, transport)).toBe(true);
  const { responses } = client(codec.renderResponse(scripted, transport, request));
  return transport === "json" ? responses.create(params) : responses.stream(params).finalResponse();
}

describe.each(["json", "sse"] as const)("a response as %s", (transport) => {
  it("is read by the official SDK as it was scripted", async () => {
    const { output, ...read1 } = await read(
      response([{ thinking: "hm", signature: "c2ln" }, { text: "I will look — 😀😀." }, call("c1"), call("c2", {})], {
        stop_reason: "tool_use",
      }),
      transport,
    );
    expect(read1).toMatchObject({ id: "resp_r1", model: "replay", status: "completed", error: null });
    expect(output).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "c2ln" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I will look — 😀😀." }] },
      { type: "function_call", call_id: "c1", name: "get_weather", arguments: '{"city":"Paris"}' },
      { type: "function_call", call_id: "c2", name: "get_weather", arguments: "{}" },
    ]);
    expect(new Set(output.map(({ id }) => id)).size).toBe(4);
  });

  it("keeps the order of its parts, whatever it is", async () => {
    const { output } = await read(
      response([call("c1"), { text: "Ho" }, { thinking: "hm" }, { text: "Ha" }, call("c2")], {
        stop_reason: "tool_use",
      }),
      transport,
    );
    const types = ["function_call", "message", "reasoning", "message", "function_call"];
    expect(output.map(({ type }) => type)).toEqual(types);
  });

  it("encrypts reasoning only where the request asks for it", async () => {
    const scripted = response([{ thinking: "hm" }, { text: "Ho" }]);
    expect((await read(scripted, transport, encrypted)).output[0]).toHaveProperty("encrypted_content");
    expect((await read(scripted, transport, params)).output[0]).not.toHaveProperty("encrypted_content");
    expect(codec.readResponse(scripted, params)[0]).toEqual({ type: "thinking", content: "hm", opaque: from });
  });

  it("says redacted thinking without a summary, and an item of a server tool as it is", async () => {
    const item = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } };
    const scripted = response([
      { thinking: "", redacted: true, signature: "c2ln" },
      { provider_item: item },
      { text: "Ho" },
    ]);
    expect((await read(scripted, transport)).output).toMatchObject([
      { type: "reasoning", summary: [], encrypted_content: "c2ln" },
      item,
      { type: "message" },
    ]);
  });

  it("counts all input, and leaves out what was not counted", async () => {
    expect((await read(response([{ text: "Ho" }]), transport)).usage).toEqual({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 30, cache_write_tokens: 5 },
      output_tokens: 40,
      output_tokens_details: { reasoning_tokens: 7 },
      total_tokens: 140,
    });
    const none = {
      input_tokens: null,
      output_tokens: null,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
    };
    expect((await read(response([{ text: "Ho" }], { usage: none }), transport)).usage).toBeNull();
  });

  it.each([
    ["max_tokens", undefined, "max_output_tokens"],
    ["content_filter", undefined, "content_filter"],
    ["other", "max_messages", "max_messages"],
  ] as const)("says why it is incomplete: %s", async (stop_reason, raw_stop_reason, reason) => {
    const parts = [{ text: "Ho" }, call("c1")];
    const scripted = response(parts, { stop_reason, ...(raw_stop_reason && { raw_stop_reason }) });
    const { status, incomplete_details, output } = await read(scripted, transport);
    expect({ status, incomplete_details }).toEqual({ status: "incomplete", incomplete_details: { reason } });
    expect(output).toMatchObject([{ status: "completed" }, { status: "incomplete" }]);
  });

  it("says nothing at all", async () => {
    expect(await read(response([]), transport)).toMatchObject({ status: "completed", output: [] });
  });

  it("refuses in the part that is for it", async () => {
    const { output, status } = await read(response([{ text: "I cannot." }], { stop_reason: "refusal" }), transport);
    expect(status).toBe("completed");
    expect(output).toMatchObject([{ type: "message", content: [{ type: "refusal", refusal: "I cannot." }] }]);
  });

  it("gives calls as the model wrote them", async () => {
    const scripted = response([{ tool_call: { id: "c1", name: "get_weather", raw_input: '{"city": "Par' } }], {
      stop_reason: "tool_use",
    });
    expect((await read(scripted, transport)).output).toMatchObject([{ arguments: '{"city": "Par' }]);
  });

  it.each([
    [fault("invalid_request"), 400, null],
    [fault("authentication"), 401, "invalid_api_key"],
    [fault("permission"), 403, "unsupported_country_region_territory"],
    [fault("not_found"), 404, "model_not_found"],
    [fault("timeout"), 408, null],
    [fault("request_too_large"), 413, "request_too_large"],
    [fault("rate_limit", { retry_after_ms: 2500 }), 429, "rate_limit_exceeded"],
    [fault("server_error"), 500, "server_error"],
    [fault("overloaded"), 503, "server_is_overloaded"],
  ])("fails before it begins: $kind", async (scripted, status, code) => {
    expect(codec.canExpress(scripted, transport)).toBe(true);
    const wire = codec.renderFault(scripted, transport);
    expect([wire.headers["retry-after-ms"], wire.headers["retry-after"]]).toEqual(
      scripted.retry_after_ms === undefined ? [undefined, undefined] : ["2500", "3"],
    );
    const error = await client(wire)
      .responses.create(params)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status, code });
    expect(String(error)).toContain("as scripted");
  });
});

describe("the stream", () => {
  const events = (wire: WireResponse) =>
    wire.writes.map(({ text }) => {
      const [name, data = ""] = text.split("\n");
      const event = JSON.parse(data.slice(6));
      expect(name).toBe(`event: ${event.type}`);
      return event;
    });

  it("is cut as the real one: items announced empty, filled, done, and the whole response at the end", () => {
    const scripted = response([{ thinking: "hm", signature: "c2ln" }, { text: "Hello there" }, call("c1")], {
      stop_reason: "tool_use",
    });
    const wire = codec.renderResponse(scripted, "sse");
    const all = events(wire);
    expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, at) => at));
    expect(all.map(({ type }) => type.replace("response.", "")).filter((type) => !type.endsWith(".delta"))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
    const added = all.filter(({ type }) => type === "response.output_item.added").map(({ item }) => item);
    expect(added).toMatchObject([
      { summary: [], encrypted_content: "c2l" },
      { content: [], status: "in_progress" },
      { arguments: "", status: "in_progress", call_id: "c1" },
    ]);
    const done = all.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
    expect(all.at(-1).response.output).toEqual(done);
    const json = codec.renderResponse(scripted, "json").writes[0]?.text ?? "";
    expect(all.at(-1).response).toEqual(JSON.parse(json));
    expect(all.filter(({ type }) => type.endsWith(".delta")).length).toBeGreaterThan(5);
    const marked = wire.writes.flatMap(({ text, completes_part }) => (completes_part ? [text.split("\n")[0]] : []));
    expect(marked).toEqual(Array(3).fill("event: response.output_item.done"));
  });

  it("tells what the request asked", () => {
    const request = {
      ...params,
      instructions: "Be brief.",
      store: false,
      previous_response_id: "resp_0",
      stream: true,
    };
    const [created] = events(codec.renderResponse(response([{ text: "Ho" }]), "sse", request));
    const { input: _, model: __, stream: ___, ...asked } = request;
    expect(created.response).toMatchObject({ ...asked, status: "in_progress", output: [], usage: null });
  });

  it("breaks off, or fails, after what was said", async () => {
    const after: ScriptedPart[] = [{ text: "Half a" }];
    const cut = events(codec.renderFault(fault("stream_interrupted", { after }), "sse"));
    expect(cut.at(-1).type).toBe("response.output_item.done");
    const endings = (["server_error", "rate_limit", "overloaded", "invalid_request"] as const).map((kind) =>
      events(codec.renderFault(fault(kind, { after }), "sse")).slice(cut.length),
    );
    expect(endings).toMatchObject([
      [{ type: "response.failed", response: { status: "failed", error: { code: "server_error" } } }],
      [{ type: "error", error: { code: "rate_limit_exceeded" } }, { type: "response.failed" }],
      [{ type: "error", code: "server_is_overloaded", message: "as scripted" }],
      [{ type: "response.failed", response: { error: { code: "invalid_prompt", message: "as scripted" } } }],
    ]);
    const limited = client(codec.renderFault(fault("rate_limit", { after }), "sse"));
    await expect(limited.responses.stream(params).finalResponse()).rejects.toThrow("as scripted");
  });
});

describe("what the format cannot say", () => {
  it.each<[string, ScriptedResponse | ScriptedFault, Transport]>([
    ["a call without an id", response([call("")], { stop_reason: "tool_use" }), "json"],
    ["calls in a turn that is over", response([call("c1")]), "json"],
    ["a tool turn without calls", response([{ text: "Ho" }], { stop_reason: "tool_use" }), "json"],
    ["a refusal beside calls", response([{ text: "No" }, call("c1")], { stop_reason: "refusal" }), "json"],
    ["a refusal without a word", response([], { stop_reason: "refusal" }), "json"],
    ["a stop sequence", response([{ text: "Ho" }], { stop_reason: "stop_sequence" }), "json"],
    ["a pause", response([{ text: "Ho" }], { stop_reason: "pause" }), "json"],
    ["a full context window", response([{ text: "Ho" }], { stop_reason: "context_window_exceeded" }), "json"],
    [
      "an unknown reason that is known",
      response([], { stop_reason: "other", raw_stop_reason: "content_filter" }),
      "sse",
    ],
    ["an item that is none", response([{ provider_item: { type: "function_call" } }]), "json"],
    ["half of the usage", response([], { usage: { ...usage, output_tokens: null } }), "json"],
    [
      "details of what was not counted",
      response([], { usage: { ...usage, input_tokens: null, output_tokens: null } }),
      "json",
    ],
    ["a failure of the loop", fault("configuration"), "json"],
    ["words before a failure, in JSON", fault("server_error", { after: [{ text: "Ho" }] }), "json"],
    ["words before a wrong key", fault("authentication", { after: [{ text: "Ho" }] }), "sse"],
    ["how long to wait, in a stream", fault("rate_limit", { after: [{ text: "Ho" }], retry_after_ms: 1000 }), "sse"],
    ["an interrupted stream, in JSON", fault("stream_interrupted"), "json"],
  ])("%s", (_, scripted, transport) => {
    expect(codec.canExpress(scripted, transport)).toEqual(expect.any(String));
  });
});

const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } };
const session: Message[] = [
  { role: "system", content: "Be brief." },
  { role: "system", content: "Be kind." },
  { role: "user", content: "Weather?" },
  { type: "thinking", content: "of another", opaque: { provider: "openai-chat", model: "replay", signature: "x" } },
  { type: "thinking", content: "hm\n\nwell", opaque: { ...from, id: "rs_1", encrypted_content: "c2ln" } },
  { role: "assistant", content: "I will " },
  { type: "tool_call", id: "c1", name: "get_weather", input: { city: "Paris" } },
  { role: "assistant", content: "look." },
  { type: "provider_item", ...from, item: search },
  { type: "tool_call", id: "c2", name: "get_weather", input: null, raw_input: "{" },
  { type: "thinking", content: "last", opaque: { ...from, id: "rs_2", encrypted_content: "c2ln" } },
  {
    type: "tool_result",
    id: "c1",
    output: [
      { type: "text", text: "18 °C" },
      { type: "image", media_type: "image/png", data: "iVBO" },
      { type: "text", text: "" },
    ],
    outcome: "ok",
  },
  { type: "tool_result", id: "c2", output: "not an object", is_error: true },
  { role: "system", content: "Be quick." },
  {
    role: "user",
    content: [
      { type: "text", text: "And?" },
      { type: "document", media_type: "application/pdf", data: "JVBE", title: "A" },
      { type: "document", media_type: "text/plain", data: "SG8=" },
      { type: "document", url: "https://example.com/a.pdf" },
    ],
  },
];

const rendered = {
  model: "replay",
  stream: true,
  store: false,
  instructions: "Be brief.\n\nBe kind.",
  tools: [
    {
      type: "function",
      name: "get_weather",
      description: "Tells.",
      parameters: { type: "object", properties: {} },
      strict: false,
    },
  ],
  input: [
    { role: "user", content: [{ type: "input_text", text: "Weather?" }] },
    {
      type: "reasoning",
      id: "rs_1",
      summary: [
        { type: "summary_text", text: "hm" },
        { type: "summary_text", text: "well" },
      ],
      encrypted_content: "c2ln",
    },
    {
      type: "message",
      id: "msg_1",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: "I will ", annotations: [] }],
    },
    { type: "function_call", id: "fc_1", call_id: "c1", name: "get_weather", arguments: '{"city":"Paris"}' },
    { role: "assistant", content: "look." },
    search,
    { type: "function_call", call_id: "c2", name: "get_weather", arguments: "{}" },
    {
      type: "function_call_output",
      call_id: "c1",
      output: [
        { type: "input_text", text: "18 °C" },
        { type: "input_image", image_url: "data:image/png;base64,iVBO", detail: "auto" },
      ],
    },
    { type: "function_call_output", call_id: "c2", output: "not an object" },
    { role: "system", content: "Be quick." },
    {
      role: "user",
      content: [
        { type: "input_text", text: "And?" },
        { type: "input_file", filename: "A.pdf", file_data: "data:application/pdf;base64,JVBE" },
        { type: "input_text", text: "Ho" },
        { type: "input_file", file_url: "https://example.com/a.pdf" },
      ],
    },
  ],
};

describe("the normal form", () => {
  it("is the same for a session and for a request that carries it", () => {
    const read = codec.readRequest(rendered);
    const expected = codec.normalize(session, from);
    expect(alignIds(expected.messages, read.messages)).toEqual(expected.messages);
    expect([read.system, expected.system]).toEqual(["Be brief.\n\nBe kind.", "Be brief.\n\nBe kind."]);
    expect(read).toMatchObject({
      stream: true,
      tools: [{ name: "get_weather", description: "Tells.", input_schema: { type: "object" } }],
    });
  });

  it("is what the rules accept", () => {
    expect(codec.checkRequest(rendered, { authorization: "Bearer test", "content-type": "application/json" })).toEqual(
      [],
    );
  });

  it("takes a string as a message of the user, and leading system items beside the instructions", () => {
    expect(codec.readRequest({ input: "Hi" }).messages).toEqual([{ role: "user", content: "Hi" }]);
    const input = [{ role: "developer", content: "Be kind." }, ...rendered.input.slice(0, 1)];
    expect(codec.readRequest({ input, instructions: "Be brief." }).system).toBe("Be brief.\n\nBe kind.");
  });

  it("lets an adapter shorten a call_id that is too long", () => {
    const id = "x".repeat(65);
    const expected = codec.normalize(
      [
        { type: "tool_call", id, name: "get_weather", input: {} },
        { type: "tool_result", id, output: "ok" },
      ],
      from,
    ).messages;
    const request = (first: string, second: string) =>
      codec.readRequest({
        input: [
          { type: "function_call", call_id: first, name: "get_weather", arguments: "{}" },
          { type: "function_call_output", call_id: second, output: "ok" },
        ],
      }).messages;
    expect(alignIds(expected, request("x1", "x1"))).toEqual(expected);
    expect(alignIds(expected, request("x1", "x2"))).not.toEqual(expected);
  });

  it("reads what the server keeps, from an answer in either form", () => {
    const scripted = response([{ thinking: "hm" }, { text: "I look." }, call("c1")], { stop_reason: "tool_use" });
    const first = { ...encrypted, instructions: "Be brief." };
    const second = {
      model: "replay",
      instructions: "Be quick.",
      previous_response_id: "resp_r1",
      input: [{ type: "function_call_output", call_id: "c1", output: "18 °C" }],
    };
    const said = codec.readResponse(scripted, first);
    const expected = codec.normalize(
      [
        { role: "system", content: "Be quick." },
        { role: "user", content: "Hi" },
        ...said,
        { type: "tool_result", id: "c1", output: "18 °C" },
      ],
      from,
    );
    for (const transport of ["json", "sse"] as const) {
      const earlier = [{ request: first, wire: codec.renderResponse(scripted, transport, first) }];
      const { system, messages } = codec.readRequest(second, earlier);
      expect({ system, messages }).toEqual(expected);
    }
    expect(codec.readRequest(second, []).messages).toHaveLength(1);
  });

  it("shows arguments that are not what an adapter has to send", () => {
    const [message] = codec.readRequest({
      input: [{ type: "function_call", call_id: "c1", name: "t", arguments: "[1]" }],
    }).messages;
    expect(message).toEqual({ type: "tool_call", id: "c1", name: "t", input: null, raw_input: "[1]" });
  });

  it("reads the messages of a response", () => {
    const parts: ScriptedPart[] = [{ thinking: "hm", signature: "c2ln" }, { text: "Ho" }, { text: "" }, call("c1")];
    expect(codec.readResponse(response(parts))).toEqual([
      { type: "thinking", content: "hm", opaque: { ...from, encrypted_content: "c2ln" } },
      { role: "assistant", content: "Ho" },
      { type: "tool_call", id: "c1", name: "get_weather", input: { city: "Paris" } },
    ]);
  });
});
