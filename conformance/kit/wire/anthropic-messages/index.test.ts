// The kit's Anthropic codec: the official SDK reads what it renders, and its reading and its normal form are equal.

import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../../schemas/types.ts";
import type { ScriptedPart, Transport, WireResponse } from "../codec.ts";
import { anthropicMessages as codec } from "./index.ts";
import { alignIds } from "../shared/normal-form.ts";
import { describeCodec, exactly, type CodecSamples } from "../testing/codec-contract.ts";
import { call, fault, rawCall, response, toolTurn, usage } from "../testing/scripted.ts";

const from = { provider: "anthropic-messages", model: "replay" };
const user = (content: unknown) => ({ role: "user", content });

/** The official client, with a server that always sends the same. */
function client(wire: WireResponse): Anthropic {
  const body = wire.writes.map(({ text }) => text).join("");
  return new Anthropic({
    apiKey: "test",
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(body, { status: wire.status, headers: wire.headers })),
  });
}

async function readWire(wire: WireResponse, transport: Transport): Promise<Anthropic.Message> {
  const params = { model: "replay", max_tokens: 10, messages: [{ role: "user" as const, content: "Hi" }] };
  const { messages } = client(wire);
  return transport === "json" ? messages.create(params) : messages.stream(params).finalMessage();
}

const stops = [
  ["end_turn", "end_turn"],
  ["tool_use", "tool_use"],
  ["max_tokens", "max_tokens"],
  ["context_window_exceeded", "model_context_window_exceeded"],
  ["stop_sequence", "stop_sequence"],
  ["refusal", "refusal"],
  ["pause", "pause_turn"],
] as const;

const responses: CodecSamples["responses"] = [
  [
    "all kinds of parts",
    toolTurn([
      { thinking: "Weather, then.", signature: "c2ln" },
      { thinking: "secret", redacted: true, signature: "ZGF0YQ==" },
      { text: "I will look — 😀😀." },
      call("c1"),
      call("c2", {}),
      { provider_item: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "weather" } } },
      { provider_item: { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] } },
    ]),
    {
      id: "msg_r1",
      type: "message",
      role: "assistant",
      model: "replay",
      stop_reason: "tool_use",
      stop_sequence: null,
      content: exactly([
        { type: "thinking", thinking: "Weather, then.", signature: "c2ln" },
        { type: "redacted_thinking", data: "ZGF0YQ==" },
        { type: "text", text: "I will look — 😀😀." },
        { type: "tool_use", id: "c1", name: "get_weather", input: { city: "Paris" }, caller: { type: "direct" } },
        { type: "tool_use", id: "c2", name: "get_weather", input: {}, caller: { type: "direct" } },
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "weather" } },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
      ]),
      // Cached input is counted apart.
      usage: {
        input_tokens: 50,
        cache_read_input_tokens: 30,
        cache_creation_input_tokens: 20,
        output_tokens: 40,
        output_tokens_details: { thinking_tokens: 7 },
      },
    },
  ],
  ...stops.map(([stop_reason, word]): CodecSamples["responses"][number] => [
    `the stop reason ${stop_reason}`,
    response([{ text: "Ho" }], { stop_reason }),
    { stop_reason: word },
  ]),
  [
    "an unknown stop reason, and nothing at all",
    response([], { stop_reason: "other", raw_stop_reason: "bored" }),
    { stop_reason: "bored", content: [] },
  ],
];

/** What the SDK throws for an error of the status and the type. */
const failure = (status: number, type: string) => ({
  status,
  error: { type: "error", error: { type, message: "as scripted" } },
});

const session: Message[] = [
  { role: "system", content: "Be brief." },
  { role: "system", content: "Be kind." },
  { role: "user", content: "Weather?" },
  {
    role: "user",
    content: [
      { type: "text", text: "In Paris." },
      { type: "image", url: "https://example.com/a.png" },
    ],
  },
  { type: "thinking", content: "hm", opaque: { ...from, signature: "c2ln" } },
  { type: "thinking", content: "", opaque: { ...from, redacted: "ZGF0YQ==" } },
  {
    type: "thinking",
    content: "of another",
    opaque: { provider: "anthropic-messages", model: "other", signature: "c2ln" },
  },
  { type: "thinking", content: "unsealed", opaque: { ...from } },
  { role: "assistant", content: "I will look." },
  { type: "tool_call", id: "c1", name: "get_weather", input: { city: "Paris" } },
  { type: "tool_call", id: "c2", name: "get_weather", input: null, raw_input: "{" },
  { type: "tool_result", id: "c1", output: "18 °C", outcome: "ok", meta: { turn: 1 } },
  {
    type: "tool_result",
    id: "c2",
    output: [{ type: "text", text: "not an object" }],
    is_error: true,
    outcome: "invalid_arguments",
    synthetic: true,
  },
  {
    role: "user",
    content: [
      { type: "text", text: " " },
      { type: "document", media_type: "text/plain", data: "SGk=" },
    ],
  },
  { role: "assistant", content: "half", status: "incomplete" },
  { type: "provider_item", provider: "openai-chat", item: { type: "odd" } },
];

const rendered = {
  model: "replay",
  max_tokens: 100,
  system: [
    { type: "text", text: "Be brief." },
    { type: "text", text: "Be kind." },
  ],
  tools: [{ name: "get_weather", description: "Tells.", input_schema: { type: "object" } }],
  messages: [
    { role: "user", content: "Weather?" },
    {
      role: "user",
      content: [
        { type: "text", text: "In Paris." },
        { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "c2ln" },
        { type: "redacted_thinking", data: "ZGF0YQ==" },
        { type: "text", text: "I will look." },
        {
          type: "tool_use",
          id: "c1",
          name: "get_weather",
          input: { city: "Paris" },
          cache_control: { type: "ephemeral" },
        },
        { type: "tool_use", id: "c2", name: "get_weather", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "18 °C" }] },
        { type: "tool_result", tool_use_id: "c2", content: "not an object", is_error: true },
        { type: "document", source: { type: "text", media_type: "text/plain", data: "Hi" } },
      ],
    },
  ],
};

describeCodec(codec, {
  read: readWire,
  responses,
  failures: {
    invalid_request: failure(400, "invalid_request_error"),
    authentication: failure(401, "authentication_error"),
    permission: failure(403, "permission_error"),
    not_found: failure(404, "not_found_error"),
    request_too_large: failure(413, "request_too_large"),
    rate_limit: failure(429, "rate_limit_error"),
    quota: failure(402, "billing_error"),
    overloaded: failure(529, "overloaded_error"),
    server_error: failure(500, "api_error"),
    timeout: failure(504, "timeout_error"),
  },
  wait: { ms: 3000, headers: { "retry-after": "3" } },
  streamEnd: /event: message_stop/,
  knownStopReason: "end_turn",
  inexpressible: [
    ["arguments that are no object, in JSON", response([rawCall("[1]")]), "json"],
    ["arguments that are no JSON, in JSON", response([rawCall("{")]), "json"],
    ["a call without an id", response([{ tool_call: { name: "get_weather", input: {} } }]), "sse"],
    ["an id with a colon", response([call("c:1")]), "sse"],
    ["a name with a dot", response([{ tool_call: { id: "c1", name: "get.weather", input: {} } }]), "sse"],
    ["a content filter", response([], { stop_reason: "content_filter" }), "sse"],
    ["usage that was not counted", response([], { usage: { ...usage, output_tokens: null } }), "sse"],
    ["more cached input than input", response([], { usage: { ...usage, input_tokens: 10 } }), "sse"],
    ["a text as a provider item", response([{ provider_item: { type: "text", text: "Ho" } }]), "sse"],
    ["half a second to wait", fault("rate_limit", { retry_after_ms: 500 }), "sse"],
  ],
  messages: [
    [{ text: "" }, { text: "Ho" }, rawCall(" "), rawCall("[1]")],
    [
      { role: "assistant", content: "Ho" },
      { type: "tool_call", id: "c1", name: "get_weather", input: {} },
      { type: "tool_call", id: "c1", name: "get_weather", input: null, raw_input: "[1]" },
    ],
  ],
  session,
  request: rendered,
  headers: { "content-type": "application/json", "x-api-key": "test", "anthropic-version": "2023-06-01" },
  transport: "json",
  readRequest: { tools: rendered.tools },
  illegalId: "c:1",
  requestOf: (callId, resultId) => ({
    messages: [
      user("Hi"),
      { role: "assistant", content: [{ type: "tool_use", id: callId, name: "get_weather", input: {} }] },
      user([{ type: "tool_result", tool_use_id: resultId, content: "ok" }]),
    ],
  }),
});

describe.each(["json", "sse"] as const)("thinking without a signature in the script, as %s", (transport) => {
  it("is given one, the same in both forms and in the messages", async () => {
    const scripted = response([{ thinking: "hm" }, { text: "Ho" }]);
    const [block] = (await readWire(codec.renderResponse(scripted, transport), transport)).content;
    expect(block).toMatchObject({ type: "thinking", thinking: "hm", signature: expect.stringMatching(/./) });
    const [message] = codec.readResponse(scripted);
    expect(message).toMatchObject({
      type: "thinking",
      opaque: { ...from, signature: (block as Anthropic.ThinkingBlock).signature },
    });
  });
});

it.each<[string, string]>([
  ["blank arguments", " "],
  ["an object with spaces", '{ "city": "Paris" }'],
])("the format can express %s in JSON", (_, written) => {
  expect(codec.canExpress(response([rawCall(written)]), "json")).toBe(true);
});

describe("the stream", () => {
  it("is cut as the real one: an empty piece of arguments first, text in pieces, each part completed", () => {
    const { writes } = codec.renderResponse(response([{ text: "Hello there" }, call("c1"), call("c2", {})]), "sse");
    const types = writes.map(({ text }) => /^event: (\w+)\n/.exec(text)?.[1]);
    expect(types.slice(0, 3)).toEqual(["message_start", "ping", "content_block_start"]);
    expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
    const pieces = writes
      .filter(({ text }) => text.includes("input_json_delta"))
      .map(({ text }) => JSON.parse(text.split("\ndata: ")[1] ?? "").delta.partial_json);
    expect([pieces[0], pieces.slice(0, -1).join(""), pieces.at(-1)]).toEqual(["", '{"city":"Paris"}', ""]);
    expect(writes.filter(({ text }) => text.includes("text_delta")).length).toBeGreaterThan(1);
    const completed = writes.filter(({ completes_part }) => completes_part !== undefined);
    expect(completed.map(({ completes_part }) => completes_part)).toEqual([1, 2, 3]);
    expect(completed.every(({ text }) => text.startsWith("event: content_block_stop"))).toBe(true);
  });

  it("carries arguments as the model wrote them", async () => {
    const { writes } = codec.renderResponse(response([rawCall('{"city": "Par')]), "sse");
    const pieces = writes
      .filter(({ text }) => text.includes("input_json_delta"))
      .map(({ text }) => JSON.parse(text.split("\ndata: ")[1] ?? "").delta.partial_json);
    expect(pieces.join("")).toBe('{"city": "Par');
  });

  it("breaks off with its last block, and fails with an error event", () => {
    const after: ScriptedPart[] = [{ text: "Half a" }];
    const cut = codec.renderFault(fault("stream_interrupted", { after }), "sse");
    expect(cut.writes.at(-1)?.text).toMatch("content_block_stop");
    const failed = codec.renderFault(fault("overloaded", { after }), "sse");
    expect(failed.writes.at(-1)?.text).toMatch(
      /^event: error\ndata: {"type":"error","error":{"type":"overloaded_error"/,
    );
  });

  it("is no JSON where it is cut", () => {
    expect(codec.renderFault(fault("invalid_response"), "json").writes[0]?.text).toMatch(/^{"id"/);
    expect(codec.renderFault(fault("invalid_response"), "sse").writes.at(-1)?.text).toMatch(/"del\n\n$/);
  });
});

describe("the normal form", () => {
  it("joins user messages, and keeps a later system message", () => {
    const messages: Message[] = [
      { role: "user", content: "a" },
      { role: "user", content: "b" },
      { role: "system", content: "c" },
      { role: "system", content: "d" },
    ];
    expect(codec.normalize(messages, from).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      { role: "system", content: "c\n\nd" },
    ]);
  });

  it("asks only for some word where an error has none", () => {
    const expected = codec.normalize([{ type: "tool_result", id: "c1", output: "", is_error: true }], from).messages;
    const sent = (content: string) =>
      codec.readRequest({
        messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content, is_error: true }] }],
      }).messages;
    expect(alignIds(expected, sent("It failed."))).toEqual(expected);
    expect(alignIds(expected, sent(""))).not.toEqual(expected);
  });

  it("replaces half of a surrogate pair", () => {
    expect(codec.normalize([{ role: "user", content: "a\ud83d" }], from).messages).toEqual([
      { role: "user", content: "a\ufffd" },
    ]);
  });
});

describe("the settings of a request", () => {
  const request = { model: "replay", max_tokens: 2000, messages: [{ role: "user", content: "Hi" }] };
  const reading = (more: object) => {
    const { settings, tool_choice, output_format } = codec.readRequest({ ...request, ...more });
    return { settings, tool_choice, output_format };
  };

  it("are read back into generic terms", () => {
    const schema = { type: "object", properties: {}, additionalProperties: false };
    const wire = {
      temperature: 0.5,
      top_p: 0.9,
      stop_sequences: ["END"],
      thinking: { type: "enabled", budget_tokens: 1024, display: "omitted" },
      output_config: { effort: "low", format: { type: "json_schema", schema } },
      tool_choice: { type: "tool", name: "look", disable_parallel_tool_use: true },
      cache_control: { type: "ephemeral" },
    };
    expect(reading(wire)).toEqual({
      settings: {
        max_output_tokens: 2000,
        temperature: 0.5,
        top_p: 0.9,
        stop_sequences: ["END"],
        effort: "low",
        thinking: { mode: "budget", budget_tokens: 1024, display: "omitted" },
        parallel_tool_calls: false,
        cache: "prefix",
      },
      tool_choice: { name: "look" },
      output_format: { name: "output", schema },
    });
  });

  it("are only the token limit if the request has no others", () => {
    expect(reading({})).toEqual({ settings: { max_output_tokens: 2000 } });
  });

  it.each([
    [{ thinking: { type: "adaptive" } }, { settings: { thinking: { mode: "adaptive" } } }],
    [{ thinking: { type: "disabled" } }, { settings: { thinking: { mode: "off" } } }],
    [{ tool_choice: { type: "any" } }, { tool_choice: "required" }],
    [{ tool_choice: { type: "none" } }, { tool_choice: "none" }],
    [
      { tool_choice: { type: "auto", disable_parallel_tool_use: false } },
      { tool_choice: "auto", settings: { parallel_tool_calls: true } },
    ],
    [
      { messages: [{ role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }] }] },
      { settings: { cache: "prefix" } },
    ],
  ])("%j", (wire, generic) => {
    expect(reading(wire)).toMatchObject(generic);
  });

  it("have no cache setting where only the beginning is marked", () => {
    const system = [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }];
    expect(reading({ system }).settings).not.toHaveProperty("cache");
  });
});

describe("a message thread", () => {
  const model = "replay";
  const tools = [{ name: "get_weather", input_schema: { type: "object" } }];
  const question = { role: "user", content: "Weather?" };
  const begun = { model, max_tokens: 10, system: "Be brief.", tools, messages: [question], thread: { type: "create" } };
  const first = response([{ thinking: "hm", signature: "c2ln" }, { text: "I look." }, call("c1")], {
    stop_reason: "tool_use",
  });
  const results = [{ role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "18 °C" }] }];
  const goOn = (more = {}) => {
    return {
      model,
      max_tokens: 10,
      messages: results,
      thread: { type: "continue", previous_message_id: "msg_r1" },
      ...more,
    };
  };

  it.each(["json", "sse"] as const)("completes the requests that go on with it, %s", (transport) => {
    const earlier = [{ request: begun, wire: codec.renderResponse(first, transport) }];
    const { system, tools: declared, messages, whole } = codec.readRequest(goOn(), earlier);
    expect([system, declared]).toEqual(["Be brief.", tools]);
    expect(whole).toMatchObject({ system: "Be brief.", messages: [question, { role: "assistant" }, ...results] });
    expect(codec.readRequest(begun)).not.toHaveProperty("whole");
    expect(messages).toEqual([
      { role: "user", content: "Weather?" },
      ...codec.readResponse(first),
      { type: "tool_result", id: "c1", output: "18 °C" },
    ]);
  });

  it("goes on from answer to answer", () => {
    const next = response([{ text: "Warm." }], { id: "r2" });
    const earlier = [begun, goOn()].map((request, at) => {
      return { request, wire: codec.renderResponse(at === 0 ? first : next, "sse") };
    });
    const last = goOn({
      messages: [{ role: "user", content: "And Rome?" }],
      thread: { type: "continue", previous_message_id: "msg_r2" },
    });
    expect(codec.readRequest(last, earlier).messages.at(-2)).toEqual({ role: "assistant", content: "Warm." });
  });

  it("keeps nothing of an answer that broke off, failed or was refused, nor of a request without thread", () => {
    const { thread: _thread, ...alone } = begun;
    const wire = codec.renderResponse(first, "sse");
    const cut = { ...wire, writes: wire.writes.slice(0, -1) };
    const refused = codec.renderResponse({ ...first, stop_reason: "refusal" }, "sse");
    const failed = codec.renderFault(fault("overloaded"), "sse");
    for (const earlier of [
      { request: alone, wire },
      { request: begun, wire: cut },
      { request: begun, wire: refused },
      { request: begun, wire: failed },
    ]) {
      expect(codec.readRequest(goOn(), [earlier]).messages).toHaveLength(1);
    }
  });
});
