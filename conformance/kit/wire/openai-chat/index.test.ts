// The kit's OpenAI Chat codec: the official SDK reads what it renders, and its reading and its normal form are equal.

import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../../schemas/types.ts";
import type { ScriptedPart, ScriptedResponse, Transport, WireResponse } from "../codec.ts";
import { alignIds } from "../shared/normal-form.ts";
import { describeCodec, exactly, type CodecSamples } from "../testing/codec-contract.ts";
import {
  openaiClient,
  openaiHeaders,
  openaiInexpressible,
  openaiReads,
  openaiWait,
} from "../testing/openai-samples.ts";
import { call, fault, rawCall, response, toolTurn, uncounted, usage as counted } from "../testing/scripted.ts";
import { openaiChat as codec } from "./index.ts";

const from = { provider: "openai-chat", model: "replay" };
const params = { model: "replay", messages: [{ role: "user" as const, content: "Hi" }] };
/** Some servers leave the id out. */
const callWithoutId: ScriptedPart = { tool_call: { name: "get_weather", input: { city: "Paris" } } };
const usage = { ...counted, cache_write_tokens: null };

async function readWire(wire: WireResponse, transport: Transport): Promise<OpenAI.ChatCompletion> {
  const { completions } = openaiClient(wire).chat;
  return transport === "json" ? completions.create(params) : completions.stream(params).finalChatCompletion();
}

const stops = [
  ["end_turn", "stop"],
  ["tool_use", "tool_calls"],
  ["max_tokens", "length"],
  ["content_filter", "content_filter"],
] as const;

const responses: CodecSamples["responses"] = [
  [
    "a text and calls",
    toolTurn([{ text: "I will look — 😀😀." }, call("c1"), call("c2", {})]),
    {
      id: "chatcmpl-r1",
      model: "replay",
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: "I will look — 😀😀.",
            tool_calls: [
              { id: "c1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
              { id: "c2", type: "function", function: { name: "get_weather", arguments: "{}" } },
            ],
          },
        },
      ],
    },
  ],
  [
    "calls alone, which have no content beside them",
    toolTurn([call("c1")]),
    { choices: [{ message: { content: null } }] },
  ],
  [
    "the usage, with cached input counted as input",
    response([{ text: "Ho" }], { usage }),
    {
      usage: exactly({
        prompt_tokens: 100,
        completion_tokens: 40,
        total_tokens: 140,
        prompt_tokens_details: { cached_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 7 },
      }),
    },
  ],
  ...stops.map(([stop_reason, finish_reason]): CodecSamples["responses"][number] => [
    `the stop reason ${stop_reason}`,
    response([{ text: "Ho" }], { stop_reason }),
    { choices: [{ finish_reason }] },
  ]),
  [
    "an unknown stop reason, and nothing at all",
    response([], { stop_reason: "other", raw_stop_reason: "bored" }),
    { choices: [{ finish_reason: "bored", message: { content: null } }] },
  ],
  [
    "a refusal, in the field that is for it",
    response([{ text: "I cannot." }], { stop_reason: "refusal" }),
    { choices: [{ finish_reason: "stop", message: { content: null, refusal: "I cannot." } }] },
  ],
];

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

describeCodec(codec, {
  read: readWire,
  responses,
  failures: {
    invalid_request: { status: 400, code: null },
    authentication: { status: 401, code: "invalid_api_key" },
    permission: { status: 403, code: null },
    not_found: { status: 404, code: "model_not_found" },
    timeout: { status: 408, code: null },
    request_too_large: { status: 413, code: "request_too_large" },
    rate_limit: { status: 429, code: "rate_limit_exceeded" },
    quota: { status: 429, code: "insufficient_quota" },
    server_error: { status: 500, code: null },
    overloaded: { status: 503, code: "engine_overloaded" },
  },
  wait: openaiWait,
  streamEnd: /"finish_reason":"|DONE/,
  knownStopReason: "stop",
  inexpressible: [
    ["a text after a call", response([call("c1"), { text: "Ho" }]), "json"],
    ["two texts", response([{ text: "Ho" }, { text: "Ho" }]), "json"],
    ["thinking after a text", response([{ text: "Ho" }, { thinking: "hm" }]), "json"],
    ["redacted thinking", response([{ thinking: "", redacted: true }]), "json"],
    ["a signature", response([{ thinking: "hm", signature: "c2ln" }]), "json"],
    ["a provider item", response([{ provider_item: { type: "odd" } }]), "json"],
    ...openaiInexpressible,
  ],
  messages: [
    [{ thinking: "hm" }, { text: "Ho" }, callWithoutId],
    [
      { type: "thinking", content: "hm", opaque: from },
      { role: "assistant", content: "Ho" },
      { type: "tool_call", id: "", name: "get_weather", input: { city: "Paris" } },
    ],
  ],
  session,
  request: rendered,
  headers: openaiHeaders,
  transport: "sse",
  readRequest: openaiReads,
  illegalId: "x".repeat(41),
  requestOf: (callId, resultId) => ({
    messages: [
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        tool_calls: [{ id: callId, type: "function", function: { name: "get_weather", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: resultId, content: "ok" },
    ],
  }),
});

describe.each(["json", "sse"] as const)("a response as %s", (transport) => {
  const textOf = (scripted: ScriptedResponse) =>
    codec
      .renderResponse(scripted, transport)
      .writes.map(({ text }) => text)
      .join("");

  it("has no usage where nothing was counted", async () => {
    const wire = codec.renderResponse(response([{ text: "Ho" }], { usage: uncounted }), transport);
    expect((await readWire(wire, transport)).usage ?? undefined).toBeUndefined();
  });

  it("says thinking as compatible servers do, and calls as the model wrote them", () => {
    const scripted = response([{ thinking: "hm" }, rawCall('{"city": "Par')]);
    expect(codec.canExpress(scripted, transport)).toBe(true);
    const text = textOf(scripted);
    if (transport === "json")
      expect(JSON.parse(text).choices[0].message).toMatchObject({
        reasoning_content: "hm",
        tool_calls: [{ function: { arguments: '{"city": "Par' } }],
      });
    else expect(text).toMatch(/"reasoning_content":"h".*"reasoning_content":"m"/s);
  });

  it("leaves an id out, or empty", () => {
    expect(textOf(response([call("")]))).toContain('"id":"","type":"function"');
    expect(textOf(response([callWithoutId]))).not.toMatch(/"id":"[^c]/);
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
  });

  it("has usage only where the request asks for it", () => {
    const answer = codec.renderResponse(response([{ text: "Ho" }]), "sse", {
      stream: true,
      stream_options: { include_usage: true },
    });
    const silent = codec.renderResponse(response([{ text: "Ho" }]), "sse", { stream: true });
    expect(chunks(answer).at(-1)).toMatchObject({ usage: { total_tokens: 140 } });
    expect(chunks(silent).every((chunk) => !("usage" in chunk))).toBe(true);
  });

  it("breaks off with the last piece that was sent", () => {
    const cut = codec.renderFault(fault("stream_interrupted", { after: [{ text: "Half a" }] }), "sse");
    expect(cut.writes.at(-1)?.text).toContain('"content"');
  });
});

describe("the normal form", () => {
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
});
