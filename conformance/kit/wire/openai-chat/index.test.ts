// The kit's OpenAI Chat codec: the official SDK reads what it renders, and its reading and its normal form agree.

import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { ErrorKind, Message } from "../../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse } from "../codec.ts";
import { alignIds } from "../shared/normal-form.ts";
import { openaiChat as codec } from "./index.ts";

const usage = {
  input_tokens: 100,
  output_tokens: 40,
  cache_read_tokens: 30,
  cache_write_tokens: null,
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
const call = (id: string | undefined, input: Record<string, unknown> = { city: "Paris" }): ScriptedPart => ({
  tool_call: { ...(id !== undefined && { id }), name: "get_weather", input },
});
const from = { provider: "openai-chat", model: "replay" };
const params = { model: "replay", messages: [{ role: "user" as const, content: "Hi" }] };

/** The official client, to which the server always says the same. */
function client(wire: WireResponse): OpenAI {
  const body = wire.writes.map(({ text }) => text).join("");
  return new OpenAI({
    apiKey: "test",
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(body, { status: wire.status, headers: wire.headers })),
  });
}

async function read(scripted: ScriptedResponse, transport: Transport): Promise<OpenAI.ChatCompletion> {
  const { chat } = client(codec.renderResponse(scripted, transport));
  return transport === "json" ? chat.completions.create(params) : chat.completions.stream(params).finalChatCompletion();
}

describe.each(["json", "sse"] as const)("a response as %s", (transport) => {
  it("is read by the official SDK as it was scripted", async () => {
    const completion = await read(
      response([{ text: "I will look — 😀😀." }, call("c1"), call("c2", {})], { stop_reason: "tool_use" }),
      transport,
    );
    expect(completion).toMatchObject({ id: "chatcmpl-r1", model: "replay" });
    expect(completion.choices).toHaveLength(1);
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: "I will look — 😀😀.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
          { id: "c2", type: "function", function: { name: "get_weather", arguments: "{}" } },
        ],
      },
    });
  });

  it("has no content beside calls alone", async () => {
    const completion = await read(response([call("c1")], { stop_reason: "tool_use" }), transport);
    expect(completion.choices[0]?.message.content).toBeNull();
  });

  it("counts all input, and leaves out what was not counted", async () => {
    const counted = (await read(response([{ text: "Ho" }]), transport)).usage;
    expect(counted).toEqual({
      prompt_tokens: 100,
      completion_tokens: 40,
      total_tokens: 140,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 7 },
    });
    const none = {
      input_tokens: null,
      output_tokens: null,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
    };
    expect((await read(response([{ text: "Ho" }], { usage: none }), transport)).usage ?? undefined).toBeUndefined();
  });

  it.each([
    ["end_turn", "stop"],
    ["tool_use", "tool_calls"],
    ["max_tokens", "length"],
    ["content_filter", "content_filter"],
  ] as const)("says why it stopped: %s", async (stop_reason, word) => {
    const scripted = response([{ text: "Ho" }], { stop_reason });
    expect(codec.canExpress(scripted, transport)).toBe(true);
    const wire = codec.renderResponse(scripted, transport);
    expect(wire.writes.map(({ text }) => text).join("")).toContain(`"finish_reason":"${word}"`);
  });

  it("says an unknown stop reason, and nothing at all", async () => {
    const odd = response([], { stop_reason: "other", raw_stop_reason: "bored" });
    expect(codec.canExpress(odd, transport)).toBe(true);
    expect((await read(odd, transport)).choices[0]).toMatchObject({
      finish_reason: "bored",
      message: { content: null },
    });
  });

  it("refuses in the field that is for it", async () => {
    const refused = await read(response([{ text: "I cannot." }], { stop_reason: "refusal" }), transport);
    expect(refused.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: null, refusal: "I cannot." },
    });
  });

  it("says thinking as compatible servers do, and calls as the model wrote them", () => {
    const scripted = response([
      { thinking: "hm" },
      { tool_call: { id: "c1", name: "get_weather", raw_input: '{"city": "Par' } },
    ]);
    expect(codec.canExpress(scripted, transport)).toBe(true);
    const text = codec
      .renderResponse(scripted, transport)
      .writes.map((write) => write.text)
      .join("");
    if (transport === "json")
      expect(JSON.parse(text).choices[0].message).toMatchObject({
        reasoning_content: "hm",
        tool_calls: [{ function: { arguments: '{"city": "Par' } }],
      });
    else expect(text).toMatch(/"reasoning_content":"h".*"reasoning_content":"m"/s);
  });

  it("leaves an id out, or empty", () => {
    const text = (id?: string) =>
      codec
        .renderResponse(response([call(id)]), transport)
        .writes.map((write) => write.text)
        .join("");
    expect(text("")).toContain('"id":"","type":"function"');
    expect(text()).not.toMatch(/"id":"[^c]/);
  });

  it.each([
    [fault("invalid_request"), 400, null],
    [fault("authentication"), 401, "invalid_api_key"],
    [fault("permission"), 403, null],
    [fault("not_found"), 404, "model_not_found"],
    [fault("timeout"), 408, null],
    [fault("request_too_large"), 413, "request_too_large"],
    [fault("rate_limit", { retry_after_ms: 2500 }), 429, "rate_limit_exceeded"],
    [fault("server_error"), 500, null],
    [fault("overloaded"), 503, "engine_overloaded"],
  ])("fails before it begins: $kind", async (scripted, status, code) => {
    expect(codec.canExpress(scripted, transport)).toBe(true);
    const wire = codec.renderFault(scripted, transport);
    expect([wire.headers["retry-after-ms"], wire.headers["retry-after"]]).toEqual(
      scripted.retry_after_ms === undefined ? [undefined, undefined] : ["2500", "3"],
    );
    const error = await client(wire)
      .chat.completions.create(params)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status, code });
    expect(String(error)).toContain("as scripted");
  });
});

describe("the stream", () => {
  const chunks = (wire: WireResponse) =>
    wire.writes.slice(0, -1).map(({ text }) => JSON.parse(text.replace(/^data: /, "")));

  it("is cut as the real one: role, pieces, finish, usage, [DONE]", () => {
    const wire = codec.renderResponse(
      response([{ text: "Hello there" }, call("c1"), call("c2")], { stop_reason: "tool_use" }),
      "sse",
    );
    expect(wire.writes.at(-1)?.text).toBe("data: [DONE]\n\n");
    const all = chunks(wire);
    expect(all[0].choices[0].delta).toEqual({ role: "assistant", content: "", refusal: null });
    expect(all.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 100 } });
    expect(all.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: "tool_calls" }], usage: null });
    const calls = all.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(calls.filter((piece) => "id" in piece)).toEqual(
      [0, 1].map((index) => ({
        index,
        id: `c${index + 1}`,
        type: "function",
        function: { name: "get_weather", arguments: "" },
      })),
    );
    expect(all.filter((chunk) => chunk.choices[0]?.delta.content).length).toBeGreaterThan(1);
    expect(wire.writes.flatMap(({ completes_part }) => completes_part ?? [])).toEqual([1, 2, 3]);
  });

  it("has usage only where the request asks for it", () => {
    const asked = codec.renderResponse(response([{ text: "Ho" }]), "sse", {
      stream: true,
      stream_options: { include_usage: true },
    });
    const silent = codec.renderResponse(response([{ text: "Ho" }]), "sse", { stream: true });
    expect(chunks(asked).at(-1)).toMatchObject({ usage: { total_tokens: 140 } });
    expect(chunks(silent).every((chunk) => !("usage" in chunk))).toBe(true);
  });

  it("breaks off, or fails with an error, after what was said", async () => {
    const after: ScriptedPart[] = [{ text: "Half a" }];
    const cut = codec
      .renderFault(fault("stream_interrupted", { after }), "sse")
      .writes.map(({ text }) => text)
      .join("");
    expect(cut).toContain('"content"');
    expect(cut).not.toMatch(/"finish_reason":"|DONE/);
    const failed = codec.renderFault(fault("server_error", { after }), "sse");
    await expect(client(failed).chat.completions.stream(params).finalChatCompletion()).rejects.toThrow("as scripted");
  });
});

describe("what the format cannot say", () => {
  it.each<[string, ScriptedResponse | ScriptedFault, Transport]>([
    ["a text after a call", response([call("c1"), { text: "Ho" }]), "json"],
    ["two texts", response([{ text: "Ho" }, { text: "Ho" }]), "json"],
    ["thinking after a text", response([{ text: "Ho" }, { thinking: "hm" }]), "json"],
    ["redacted thinking", response([{ thinking: "", redacted: true }]), "json"],
    ["a signature", response([{ thinking: "hm", signature: "c2ln" }]), "json"],
    ["a provider item", response([{ provider_item: { type: "odd" } }]), "json"],
    ["a stop sequence", response([{ text: "Ho" }], { stop_reason: "stop_sequence" }), "json"],
    ["a pause", response([{ text: "Ho" }], { stop_reason: "pause" }), "json"],
    ["a full context window", response([{ text: "Ho" }], { stop_reason: "context_window_exceeded" }), "json"],
    ["a refusal without a word", response([], { stop_reason: "refusal" }), "json"],
    ["an unknown stop reason that is known", response([], { stop_reason: "other", raw_stop_reason: "stop" }), "json"],
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

const session: Message[] = [
  { role: "system", content: "Be brief." },
  { role: "system", content: "Be kind." },
  { role: "user", content: "Weather?" },
  { type: "thinking", content: "hm", opaque: { ...from, field: "reasoning_content" } },
  { role: "assistant", content: "I will " },
  { type: "tool_call", id: "c1", name: "get_weather", input: { city: "Paris" } },
  { role: "assistant", content: "look." },
  { type: "tool_call", id: "c2", name: "get_weather", input: null, raw_input: "{" },
  {
    type: "tool_result",
    id: "c1",
    output: [
      { type: "text", text: "18 °C" },
      { type: "image", media_type: "image/png", data: "iVBO" },
      { type: "text", text: "sunny" },
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
      { type: "document", url: "https://example.com/a.pdf" },
    ],
  },
];

const rendered = {
  model: "replay",
  stream: true,
  tools: [
    {
      type: "function",
      function: { name: "get_weather", description: "Tells.", parameters: { type: "object", properties: {} } },
    },
  ],
  messages: [
    { role: "system", content: "Be brief.\n\nBe kind." },
    { role: "user", content: [{ type: "text", text: "Weather?" }] },
    {
      role: "assistant",
      content: "I will look.",
      reasoning_content: "hm",
      tool_calls: [
        { id: "c1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
        { id: "c2", type: "function", function: { name: "get_weather", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "18 °C\nsunny" },
    { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "not an object" }] },
    { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } }] },
    { role: "system", content: "Be quick." },
    {
      role: "user",
      content: [
        { type: "text", text: "And?" },
        { type: "file", file: { filename: "A.pdf", file_data: "data:application/pdf;base64,JVBE" } },
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

  it("lets an adapter shorten an id that is too long", () => {
    const id = "x".repeat(41);
    const expected = codec.normalize(
      [
        { type: "tool_call", id, name: "get_weather", input: {} },
        { type: "tool_result", id, output: "ok" },
      ],
      from,
    ).messages;
    const request = (first: string, second: string) =>
      codec.readRequest({
        messages: [
          {
            role: "assistant",
            tool_calls: [{ id: first, type: "function", function: { name: "get_weather", arguments: "{}" } }],
          },
          { role: "tool", tool_call_id: second, content: "ok" },
        ],
      }).messages;
    expect(alignIds(expected, request("x1", "x1"))).toEqual(expected);
    expect(alignIds(expected, request("x1", "x2"))).not.toEqual(expected);
  });

  it("lets an adapter say whose an image is, and nothing else", () => {
    const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
    const output = [{ type: "image" as const, url: "https://example.com/a.png" }];
    const messages: Message[] = [
      { type: "tool_call", id: "c1", name: "draw", input: {} },
      { type: "tool_result", id: "c1", output },
      { role: "user", content: "And?" },
    ];
    const expected = codec.normalize(messages, from).messages;
    const request = (...parts: unknown[]) =>
      codec.readRequest({
        messages: [
          {
            role: "assistant",
            tool_calls: [{ id: "c1", type: "function", function: { name: "draw", arguments: "{}" } }],
          },
          { role: "tool", tool_call_id: "c1", content: "" },
          { role: "user", content: parts },
          { role: "user", content: "And?" },
        ],
      }).messages;
    const label = { type: "text", text: "Output of c1:" };
    expect(alignIds(expected, request(image))).toEqual(expected);
    expect(alignIds(expected, request(label, image))).toEqual(expected);
    expect(alignIds(expected, request(label))).not.toEqual(expected);
    expect(alignIds(expected, request(label, label, image))).not.toEqual(expected);
    expect(alignIds(expected, request(image, label))).not.toEqual(expected);
  });

  it("shows arguments that are not what an adapter has to send", () => {
    const [message] = codec.readRequest({
      messages: [
        { role: "assistant", tool_calls: [{ id: "c1", type: "function", function: { name: "t", arguments: "[1]" } }] },
      ],
    }).messages;
    expect(message).toEqual({ type: "tool_call", id: "c1", name: "t", input: null, raw_input: "[1]" });
  });

  it("reads the messages of a response", () => {
    expect(codec.readResponse(response([{ thinking: "hm" }, { text: "Ho" }, call(undefined)]))).toEqual([
      { type: "thinking", content: "hm", opaque: from },
      { role: "assistant", content: "Ho" },
      { type: "tool_call", id: "", name: "get_weather", input: { city: "Paris" } },
    ]);
  });
});
