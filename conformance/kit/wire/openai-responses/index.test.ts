// The kit's OpenAI Responses codec: the official SDK reads what it renders, and its reading and its normal form are equal.

import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../../schemas/types.ts";
import type { ScriptedPart, ScriptedResponse, Transport, WireResponse } from "../codec.ts";
import { describeCodec, exactly, type CodecSamples } from "../testing/codec-contract.ts";
import {
  openaiClient,
  openaiHeaders,
  openaiInexpressible,
  openaiReads,
  openaiWait,
} from "../testing/openai-samples.ts";
import { call, fault, rawCall, response, toolTurn, uncounted, usage as counted } from "../testing/scripted.ts";
import { openaiResponses as codec } from "./index.ts";

const from = { provider: "openai-responses", model: "replay" };
const params = { model: "replay", input: "Hi" };
const encrypted = { ...params, include: ["reasoning.encrypted_content"] };
const usage = { ...counted, cache_write_tokens: 5 };

/** The SDK returns a response that failed as it returns any other. */
async function readWire(wire: WireResponse, transport: Transport): Promise<OpenAI.Responses.Response> {
  const { responses } = openaiClient(wire);
  const read = await (transport === "json" ? responses.create(params) : responses.stream(params).finalResponse());
  if (read.error) throw new Error(read.error.message);
  return read;
}

async function read(scripted: ScriptedResponse, transport: Transport, request?: unknown) {
  expect(codec.canExpress(scripted, transport)).toBe(true);
  return readWire(codec.renderResponse(scripted, transport, request), transport);
}

const everything = toolTurn([
  { thinking: "hm", signature: "c2ln" },
  { text: "I will look — 😀😀." },
  call("c1"),
  call("c2", {}),
]);
const searched = {
  type: "web_search_call",
  id: "ws_1",
  status: "completed",
  action: { type: "search", query: "x" },
};

const incomplete = [
  ["max_tokens", undefined, "max_output_tokens"],
  ["content_filter", undefined, "content_filter"],
  ["other", "max_messages", "max_messages"],
] as const;

const responses: CodecSamples["responses"] = [
  [
    "all kinds of parts",
    everything,
    {
      id: "resp_r1",
      model: "replay",
      status: "completed",
      error: null,
      output: [
        { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "c2ln" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "I will look — 😀😀." }] },
        { type: "function_call", call_id: "c1", name: "get_weather", arguments: '{"city":"Paris"}' },
        { type: "function_call", call_id: "c2", name: "get_weather", arguments: "{}" },
      ],
    },
  ],
  [
    "parts in any order",
    toolTurn([call("c1"), { text: "Ho" }, { thinking: "hm" }, { text: "Ha" }, call("c2")]),
    { output: ["function_call", "message", "reasoning", "message", "function_call"].map((type) => ({ type })) },
  ],
  [
    "redacted thinking without a summary, and an item of a server tool as it is",
    response([{ thinking: "", redacted: true, signature: "c2ln" }, { provider_item: searched }, { text: "Ho" }]),
    { output: [{ type: "reasoning", summary: [], encrypted_content: "c2ln" }, searched, { type: "message" }] },
  ],
  [
    "the usage, with cached input counted as input",
    response([{ text: "Ho" }], { usage }),
    {
      usage: exactly({
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 30, cache_write_tokens: 5 },
        output_tokens: 40,
        output_tokens_details: { reasoning_tokens: 7 },
        total_tokens: 140,
      }),
    },
  ],
  ["no usage where nothing was counted", response([{ text: "Ho" }], { usage: uncounted }), { usage: null }],
  ...incomplete.map(([stop_reason, raw_stop_reason, reason]): CodecSamples["responses"][number] => [
    `why it is incomplete: ${stop_reason}`,
    response([{ text: "Ho" }, call("c1")], { stop_reason, ...(raw_stop_reason && { raw_stop_reason }) }),
    {
      status: "incomplete",
      incomplete_details: exactly({ reason }),
      output: [{ status: "completed" }, { status: "incomplete" }],
    },
  ]),
  ["nothing at all", response([]), { status: "completed", output: [] }],
  [
    "a refusal, in the part that is for it",
    response([{ text: "I cannot." }], { stop_reason: "refusal" }),
    { status: "completed", output: [{ type: "message", content: [{ type: "refusal", refusal: "I cannot." }] }] },
  ],
  ["calls as the model wrote them", toolTurn([rawCall('{"city": "Par')]), { output: [{ arguments: '{"city": "Par' }] }],
];

const session: Message[] = [
  { role: "system", content: "Be brief." },
  { role: "system", content: "Be kind." },
  { role: "user", content: "Weather?" },
  { type: "thinking", content: "of another", opaque: { provider: "openai-chat", model: "replay", signature: "x" } },
  { type: "thinking", content: "hm\n\nwell", opaque: { ...from, id: "rs_1", encrypted_content: "c2ln" } },
  { role: "assistant", content: "I will " },
  { type: "tool_call", id: "c1", name: "get_weather", input: { city: "Paris" } },
  { role: "assistant", content: "look." },
  { type: "provider_item", ...from, item: searched },
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
    searched,
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

describeCodec(codec, {
  read: readWire,
  responses,
  failures: {
    invalid_request: { status: 400, code: null },
    authentication: { status: 401, code: "invalid_api_key" },
    permission: { status: 403, code: "unsupported_country_region_territory" },
    not_found: { status: 404, code: "model_not_found" },
    timeout: { status: 408, code: null },
    request_too_large: { status: 413, code: "request_too_large" },
    rate_limit: { status: 429, code: "rate_limit_exceeded" },
    quota: { status: 429, code: "insufficient_quota" },
    server_error: { status: 500, code: "server_error" },
    overloaded: { status: 503, code: "server_is_overloaded" },
  },
  wait: openaiWait,
  streamEnd: /"type":"response\.completed"/,
  knownStopReason: "content_filter",
  inexpressible: [
    ["a call without an id", toolTurn([call("")]), "json"],
    ["calls in a turn that is over", response([call("c1")]), "json"],
    ["a tool turn without calls", toolTurn([{ text: "Ho" }]), "json"],
    ["a refusal beside calls", response([{ text: "No" }, call("c1")], { stop_reason: "refusal" }), "json"],
    ["an item that is none", response([{ provider_item: { type: "function_call" } }]), "json"],
    ...openaiInexpressible,
  ],
  messages: [
    [{ thinking: "hm", signature: "c2ln" }, { text: "Ho" }, { text: "" }, call("c1")],
    [
      { type: "thinking", content: "hm", opaque: { ...from, encrypted_content: "c2ln" } },
      { role: "assistant", content: "Ho" },
      { type: "tool_call", id: "c1", name: "get_weather", input: { city: "Paris" } },
    ],
  ],
  session,
  request: rendered,
  headers: openaiHeaders,
  transport: "sse",
  readRequest: openaiReads,
  illegalId: "x".repeat(65),
  requestOf: (callId, resultId) => ({
    input: [
      { role: "user", content: "Hi" },
      { type: "function_call", call_id: callId, name: "get_weather", arguments: "{}" },
      { type: "function_call_output", call_id: resultId, output: "ok" },
    ],
  }),
});

describe.each(["json", "sse"] as const)("a response as %s", (transport) => {
  it("gives each item an id of its own", async () => {
    const { output } = await read(everything, transport);
    expect(new Set(output.map(({ id }) => id)).size).toBe(4);
  });

  it("encrypts reasoning only where the request asks for it", async () => {
    const scripted = response([{ thinking: "hm" }, { text: "Ho" }]);
    expect((await read(scripted, transport, encrypted)).output[0]).toHaveProperty("encrypted_content");
    expect((await read(scripted, transport, params)).output[0]).not.toHaveProperty("encrypted_content");
    expect(codec.readResponse(scripted, params)[0]).toEqual({ type: "thinking", content: "hm", opaque: from });
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

  it("repeats the settings of the request", () => {
    const request = {
      ...params,
      instructions: "Be brief.",
      store: false,
      previous_response_id: "resp_0",
      stream: true,
    };
    const [created] = events(codec.renderResponse(response([{ text: "Ho" }]), "sse", request));
    const { input: _, model: __, stream: ___, ...settings } = request;
    expect(created.response).toMatchObject({ ...settings, status: "in_progress", output: [], usage: null });
  });

  it("breaks off after a whole item, or fails in the ways that the API was seen to fail", () => {
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
  });
});

describe("the normal form", () => {
  it("takes a string as a message of the user, and leading system items beside the instructions", () => {
    expect(codec.readRequest({ input: "Hi" }).messages).toEqual([{ role: "user", content: "Hi" }]);
    const input = [{ role: "developer", content: "Be kind." }, ...rendered.input.slice(0, 1)];
    expect(codec.readRequest({ input, instructions: "Be brief." }).system).toBe("Be brief.\n\nBe kind.");
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
    const read = codec.readResponse(scripted, first);
    const expected = codec.normalize(
      [
        { role: "system", content: "Be quick." },
        { role: "user", content: "Hi" },
        ...read,
        { type: "tool_result", id: "c1", output: "18 °C" },
      ],
      from,
    );
    for (const transport of ["json", "sse"] as const) {
      const earlier = [{ request: first, wire: codec.renderResponse(scripted, transport, first) }];
      const { system, messages, whole } = codec.readRequest(second, earlier);
      expect((whole as { input: unknown[] }).input.length).toBeGreaterThan(second.input.length);
      expect(codec.readRequest(first)).not.toHaveProperty("whole");
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
});
