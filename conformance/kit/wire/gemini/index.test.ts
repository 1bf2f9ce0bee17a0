// The kit's Gemini codec: the official SDK reads what it renders, and its reading and its normal form are equal.

import { describe, expect, it } from "vitest";
import type { Message } from "../../../../schemas/types.ts";
import { format } from "../../../dev/recordings/formats/gemini/index.ts";
import type { ScriptedResponse, Transport, WireResponse } from "../codec.ts";
import { alignIds } from "../shared/normal-form.ts";
import { describeCodec, type CodecSamples } from "../testing/codec-contract.ts";
import { call, rawCall, response, toolTurn, usage as counted } from "../testing/scripted.ts";
import { gemini as codec } from "./index.ts";
import { signatureOf } from "./render.ts";

const from = { provider: "gemini", model: "replay" };
const usage = { ...counted, cache_write_tokens: null };

function counting(parts: ScriptedResponse["parts"], more: Partial<ScriptedResponse> = {}): ScriptedResponse {
  return response(parts, { usage, ...more });
}

function calling(parts: ScriptedResponse["parts"]): ScriptedResponse {
  return toolTurn(parts, { usage });
}

function readWire({ status, headers, writes }: WireResponse, transport: Transport): Promise<object> {
  const text = writes.map((write) => write.text).join("");
  return format.readWithSdk(transport === "sse", async () => new Response(text, { status, headers }));
}

const stops = [
  ["end_turn", "STOP"],
  ["max_tokens", "MAX_TOKENS"],
  ["content_filter", "SAFETY"],
] as const;

const responses: CodecSamples["responses"] = [
  [
    "a text and calls, the first with a signature",
    calling([{ text: "I will look well — 😀😀😀." }, call("c1"), call("c2", {})]),
    {
      stop: "STOP",
      content: [
        { text: "I will look well — 😀😀😀." },
        {
          functionCall: { id: "c1", name: "get_weather", args: { city: "Paris" } },
          thoughtSignature: signatureOf({ id: "r1" }),
        },
        { functionCall: { id: "c2", name: "get_weather", args: {} } },
      ],
    },
  ],
  [
    "a thought with its signature",
    counting([{ thinking: "Hm, hm, hm.", signature: "c2ln" }, { text: "Ho" }]),
    { content: [{ text: "Hm, hm, hm.", thought: true, thoughtSignature: "c2ln" }, { text: "Ho" }] },
  ],
  [
    "a part of its own",
    counting([{ provider_item: { executableCode: { language: "PYTHON", code: "1" } } }]),
    {
      content: [{ executableCode: { language: "PYTHON", code: "1" } }],
    },
  ],
  ["the usage, with thoughts counted apart", counting([{ text: "Ho" }]), { usage: { input: 100, output: 40 } }],
  ...stops.map(([stop_reason, stop]): CodecSamples["responses"][number] => [
    `the stop reason ${stop_reason}`,
    counting([{ text: "Ho" }], { stop_reason }),
    { stop },
  ]),
  [
    "an unknown stop reason, and nothing at all",
    counting([], { stop_reason: "other", raw_stop_reason: "BORED" }),
    { stop: "BORED", content: [] },
  ],
];

const session: Message[] = [
  { role: "system", content: "Be brief." },
  { role: "system", content: "Be kind." },
  { role: "user", content: "Weather?" },
  { type: "thinking", content: "hm", opaque: { ...from, signature: "c2ln" } },
  { role: "assistant", content: "I will look." },
  { type: "tool_call", id: "c1", name: "get_weather", input: { city: "Paris" } },
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
  {
    role: "user",
    content: [
      { type: "text", text: "And?" },
      { type: "document", media_type: "application/pdf", data: "JVBE", title: "A" },
      { type: "image", url: "https://example.com/a.png" },
    ],
  },
];

const asks = (id: string, args: object, more = {}) => ({ functionCall: { id, name: "get_weather", args }, ...more });
const answers = (id: string, more: object) => ({ functionResponse: { id, name: "get_weather", ...more } });

const rendered = {
  model: "replay",
  stream: true,
  systemInstruction: { parts: [{ text: "Be brief.\n\nBe kind." }] },
  tools: [
    {
      functionDeclarations: [{ name: "get_weather", description: "Tells.", parametersJsonSchema: { type: "object" } }],
    },
  ],
  contents: [
    { role: "user", parts: [{ text: "Weather?" }] },
    {
      role: "model",
      parts: [
        { text: "hm", thought: true, thoughtSignature: "c2ln" },
        { text: "I will look." },
        asks("c1", { city: "Paris" }, { thoughtSignature: "skip_thought_signature_validator" }),
        asks("c2", {}),
      ],
    },
    {
      role: "user",
      parts: [
        answers("c1", {
          response: { output: "18 °C\nsunny" },
          parts: [{ inlineData: { mimeType: "image/png", data: "iVBO" } }],
        }),
        answers("c2", { response: { error: "not an object" } }),
      ],
    },
    {
      role: "user",
      parts: [
        { text: "And?" },
        { inlineData: { mimeType: "application/pdf", data: "JVBE" } },
        { fileData: { fileUri: "https://example.com/a.png" } },
      ],
    },
  ],
};

const google = (status: number) => ({ status });

describeCodec(codec, {
  read: readWire,
  responses,
  failures: {
    invalid_request: google(400),
    authentication: google(401),
    permission: google(403),
    not_found: google(404),
    rate_limit: google(429),
    server_error: google(500),
    overloaded: google(503),
    timeout: google(504),
  },
  wait: { ms: 2500, headers: {} },
  streamEnd: /"finishReason"/,
  knownStopReason: "STOP",
  inexpressible: [
    ["a refusal", counting([{ text: "No." }], { stop_reason: "refusal" }), "json"],
    ["calls at an end", counting([call("c1")]), "sse"],
    ["a tool turn without calls", toolTurn([], { usage }), "json"],
    ["tokens written to a cache", response([{ text: "Ho" }]), "json"],
    ["only input counted", counting([], { usage: { ...usage, output_tokens: null } }), "json"],
    [
      "details of what is not counted",
      counting([], { usage: { ...usage, input_tokens: null, output_tokens: null } }),
      "sse",
    ],
    ["two texts", counting([{ text: "a" }, { text: "b" }]), "sse"],
    ["two thoughts", counting([{ thinking: "a" }, { thinking: "b" }]), "json"],
    ["redacted thinking", counting([{ thinking: "", redacted: true }]), "json"],
    ["an item of another provider", counting([{ provider_item: { type: "reasoning" } }]), "json"],
    ["arguments that are no object", calling([rawCall("[1]")]), "json"],
    ["cut arguments", calling([rawCall('{"city":')]), "sse"],
  ],
  messages: [
    [{ thinking: "hm" }, { text: "" }, { text: "Ho" }, call("c1"), rawCall(" ")],
    [
      { type: "thinking", content: "hm", opaque: from },
      { role: "assistant", content: "Ho" },
      { type: "tool_call", id: "c1", name: "get_weather", input: { city: "Paris" } },
      { type: "tool_call", id: "c1", name: "get_weather", input: {} },
    ],
  ],
  session,
  request: rendered,
  headers: { "content-type": "application/json", "x-goog-api-key": "k" },
  transport: "sse",
  readRequest: {
    tools: [{ name: "get_weather", description: "Tells.", input_schema: { type: "object" } }],
  },
  illegalId: "",
  requestOf: (callId, resultId) => ({
    contents: [
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "model", parts: [{ functionCall: { id: callId, name: "get.weather", args: {} } }] },
      {
        role: "user",
        parts: [{ functionResponse: { id: resultId, name: "get.weather", response: { output: "ok" } } }],
      },
    ],
  }),
});

describe("the path", () => {
  it.each([
    ["/v1beta/models/gemini-2.5-pro:generateContent", { model: "gemini-2.5-pro", stream: false }],
    ["/v1/models/m:streamGenerateContent?alt=sse", { model: "m", stream: true }],
    ["/v1/models/m:streamGenerateContent", { model: "m", stream: false }],
    ["/v1beta1/projects/p/locations/l/publishers/google/models/m:generateContent", { model: "m", stream: false }],
  ])("says which model is asked, and how: %s", (target, fields) => {
    expect(codec.readTarget!(target)).toEqual(fields);
  });

  it.each(["/v1beta/models/m:countTokens", "/v1beta/models", "/v1/messages"])(
    "is none of a model call: %s",
    (target) => {
      expect(codec.readTarget!(target)).toBeUndefined();
    },
  );
});

describe("what is written", () => {
  it("has the digits of arguments as they were scripted", () => {
    const text = codec.renderResponse(calling([rawCall('{"n":12345678901234567890}')]), "json").writes[0]!.text;
    expect(text).toContain('"args":{"n":12345678901234567890}');
  });

  it("has the wait of an error in its details", () => {
    const { writes } = codec.renderFault(
      { kind: "rate_limit", message: "slow", retry_after_ms: 1500, after: [] },
      "json",
    );
    expect(JSON.parse(writes[0]!.text)).toMatchObject({
      error: { status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "1.5s" }] },
    });
  });
});

describe("what is read", () => {
  it("finds the call of a result without id by its place, in one content or in several", () => {
    const made = (name: string) => ({ functionCall: { name, args: {} } });
    const answer = (name: string) => ({ functionResponse: { name, response: { output: name } } });
    const apart = codec.readRequest({
      contents: [
        { role: "user", parts: [{ text: "Hi" }] },
        { role: "model", parts: [made("a"), made("b")] },
        { role: "user", parts: [answer("a")] },
        { role: "user", parts: [answer("b")] },
      ],
    }).messages;
    const [, first, second] = apart as { id: string }[];
    expect(alignIds([], apart).slice(3)).toEqual([
      { type: "tool_result", id: first!.id, output: "a" },
      { type: "tool_result", id: second!.id, output: "b" },
    ]);
  });
});

describe("a request of another client", () => {
  const snake = {
    system_instruction: { parts: [{ text: "Be brief." }] },
    contents: [
      { role: "user", parts: [{ text: "Look." }, { inline_data: { mime_type: "image/png", data: "AAAA" } }] },
      {
        role: "model",
        parts: [{ function_call: { name: "look_up", args: { max_depth: 1 } }, thought_signature: "c2ln" }],
      },
      { role: "user", parts: [{ function_response: { name: "look_up", response: { exit_code: 0 } } }] },
    ],
    tools: [
      {
        function_declarations: [
          {
            name: "look_up",
            parameters: {
              type: "OBJECT",
              properties: {
                max_depth: { type: "INTEGER", nullable: true },
                paths: { type: "ARRAY", items: { type: "STRING", minLength: "1" }, max_items: "3" },
              },
              required: ["max_depth"],
            },
          },
        ],
      },
    ],
    generation_config: { max_output_tokens: 10, thinking_config: { include_thoughts: true } },
    tool_config: { function_calling_config: { mode: "ANY", allowed_function_names: ["look_up"] } },
  };

  it("has its fields in snake case, and breaks no rule by it", () => {
    expect(codec.checkRequest(snake, { "content-type": "application/json", "x-goog-api-key": "k" })).toEqual([]);
    expect(codec.readRequest(snake)).toMatchObject({
      system: "Be brief.",
      messages: [
        { role: "user", content: [{ type: "text" }, { type: "image", media_type: "image/png", data: "AAAA" }] },
        { type: "tool_call", name: "look_up", input: { max_depth: 1 } },
        { type: "tool_result", output: JSON.stringify({ exit_code: 0 }) },
      ],
      settings: { max_output_tokens: 10 },
      tool_choice: { name: "look_up" },
    });
  });

  it("has its schemas in the provider's own form", () => {
    expect(codec.readRequest(snake).tools[0]!.input_schema).toEqual({
      type: "object",
      properties: {
        max_depth: { type: ["integer", "null"] },
        paths: { type: "array", items: { type: "string", minLength: 1 }, maxItems: 3 },
      },
      required: ["max_depth"],
    });
  });

  it("has calls, results and the wish for thoughts where other requests have them", () => {
    const { leeway } = codec;
    expect(leeway.callsOf({ function_call: { id: "a" } })).toEqual(["a"]);
    expect(leeway.answeredBy({ function_response: { id: "a" } })).toBe("a");
    expect(leeway.asksToThink(snake)).toBe(true);
  });

  it("may have its key in the query", () => {
    const body = { contents: snake.contents };
    const headers = { "content-type": "application/json" };
    const at = (query: string) => ({
      ...codec.readTarget!(`/v1beta/models/gemini-2.5-flash:generateContent${query}`),
      ...body,
    });
    expect(codec.checkRequest(at("?key=k"), headers)).toEqual([]);
    expect(codec.checkRequest(at(""), headers).map(({ rule }) => rule)).toEqual(["gemini/key"]);
  });

  it("may have the empty text with which a stream ended: without a signature it is nothing", () => {
    const signed = { text: "", thoughtSignature: "c2ln" };
    const parts = [{ functionCall: { id: "a", name: "look", args: {} } }, { text: "" }, signed];
    const { messages } = codec.readRequest({ contents: [{ role: "model", parts }] });
    expect(messages).toEqual([
      { type: "tool_call", id: "a", name: "look", input: {} },
      { type: "provider_item", provider: "gemini", model: "", item: signed },
    ]);
  });

  it("is read to a depth that the API has", () => {
    const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => [inner], "x");
    expect(codec.checkRequest({ contents: deep }, {}).length).toBeGreaterThan(0);
  });
});
