// Each requirement that an audit judges, with traffic that keeps it, and traffic with one fault that breaks it.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Exchange, Fixture } from "../../../schemas/types.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { readCatalogue } from "../../kit/suite/catalogue.ts";
import { judgeTraffic } from "./judge-traffic.ts";
import { occasions } from "./occasions.ts";

type Json = Record<string, unknown>;

const { requirements } = readCatalogue(packagePath());
const files = (name: string) =>
  (JSON.parse(readFileSync(packagePath(`fixtures/${name}.json`), "utf8")) as Fixture).exchanges;

const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const text = (said: string) => ({ type: "text", text: said });
const question = user(text("The weather?"));
const more = user(text("And now?"));
const call = (id: string, input: Json = { city: "Paris" }, name = "get_weather") => ({
  type: "tool_use",
  id,
  name,
  input,
});
const result = (id: string, is_error?: true, content = is_error ? "Not executed." : "18 °C") => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...(is_error && { is_error }),
});
const thought = { type: "thinking", thinking: "Hm.", signature: "c2VhbA==" };
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [{ name: "get_weather", input_schema: schema }];

/** An exchange with Anthropic; without an answer it ends with a text. */
function asking(
  messages: unknown[],
  answer: unknown[] = [text("18 °C.")],
  end: Json = {},
  settings: Json = {},
): Exchange {
  const request = { model: "one", max_tokens: 100, tools, messages, ...settings };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const {
    status = 200,
    stop_reason = answer.some((part) => (part as Json)["type"] === "tool_use") ? "tool_use" : "end_turn",
  } = end;
  const body = {
    id: "m",
    type: "message",
    role: "assistant",
    model: request.model,
    content: answer,
    stop_reason,
    usage,
  };
  return {
    provider: "anthropic-messages",
    request: { method: "POST", path: "/v1/messages", body: request },
    response: {
      status: status as number,
      body: status === 200 ? body : { type: "error", error: { type: "invalid_request_error", message: "no" } },
    },
  };
}

/** A stream of Anthropic with these blocks, whose arguments come in turn; without its end it was cut off. */
function streamed(messages: unknown[], blocks: [Json, ...string[]][], isWhole = true): Exchange {
  const data = (type: string, fields: Json = {}) => ({ event: type, data: { type, ...fields } });
  const pieces = Math.max(...blocks.map(([, ...json]) => json.length));
  const deltas = Array.from({ length: pieces }, (_, at) =>
    blocks.flatMap(([block, ...json], index) => {
      const delta =
        block["type"] === "text"
          ? { type: "text_delta", text: json[at] }
          : { type: "input_json_delta", partial_json: json[at] };
      return json[at] === undefined ? [] : [data("content_block_delta", { index, delta })];
    }),
  );
  const ends = blocks.map((_, index) => data("content_block_stop", { index }));
  const stop_reason = blocks.some(([block]) => block["type"] === "tool_use") ? "tool_use" : "end_turn";
  const last = [data("message_delta", { delta: { stop_reason }, usage: { output_tokens: 1 } }), data("message_stop")];
  const events = [
    data("message_start", {
      message: { id: "m", type: "message", role: "assistant", model: "one", content: [], usage: { input_tokens: 1 } },
    }),
    data("ping"),
    ...blocks.map(([block], index) => data("content_block_start", { index, content_block: block })),
    ...deltas.flat(),
    ...(isWhole ? [...ends, ...last] : []),
  ];
  const { request } = asking(messages, [], {}, { stream: true });
  return {
    provider: "anthropic-messages",
    request: request!,
    response: { status: 200, events, ...(!isWhole && { cut: "server" as const }) },
  };
}

/** An exchange with Chat Completions. */
function chatted(messages: Json[], message: Json): Exchange {
  const functions = [
    { type: "function", function: { name: "get_weather", parameters: { type: "object", properties: {} } } },
  ];
  const finish_reason = message["tool_calls"] === undefined ? "stop" : "tool_calls";
  const choices = [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason }];
  return {
    provider: "openai-chat",
    request: { method: "POST", path: "/v1/chat/completions", body: { model: "gpt-4.1", messages, tools: functions } },
    response: { status: 200, body: { id: "c", object: "chat.completion", created: 1, model: "gpt-4.1", choices } },
  };
}
const chatCall = (id: string, args: unknown) => ({
  id,
  type: "function",
  function: { name: "get_weather", arguments: args },
});
const chatUser = { role: "user", content: "The weather?" };
const chatTurn = (id: string, args: unknown, content: string | null = null) => [
  { role: "assistant", content, tool_calls: [chatCall(id, args)] },
  { role: "tool", tool_call_id: id, content: "18 °C" },
];

/** An exchange with Gemini; the n-th call of an answer has no id, and the first one a signature. */
function generated(contents: Json[], parts: Json[]): Exchange {
  const functionDeclarations = [{ name: "get_weather", parametersJsonSchema: schema }];
  const candidates = [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }];
  return {
    provider: "gemini",
    request: {
      method: "POST",
      path: "/v1beta/models/gemini-3-flash-preview:generateContent",
      body: { contents, tools: [{ functionDeclarations }] },
    },
    response: { status: 200, body: { candidates, modelVersion: "gemini-3-flash-preview" } },
  };
}
const geminiUser = { role: "user", parts: [{ text: "The weather?" }] };
const geminiCall = (city: string, id?: string, signature?: string) => ({
  functionCall: { name: "get_weather", args: { city }, ...(id !== undefined && { id }) },
  ...(signature !== undefined && { thoughtSignature: signature }),
});
/** Two calls, and the request that answers them under these ids. */
const geminiTurn = (
  ids: (string | undefined)[],
  given = [geminiCall("Paris", undefined, "c2VhbA=="), geminiCall("Rome")],
) => {
  const back = [geminiCall("Paris", ids[0], "c2VhbA=="), geminiCall("Rome", ids[1])];
  const results = ids.map((id) => ({
    functionResponse: { name: "get_weather", response: { output: "18 °C" }, ...(id !== undefined && { id }) },
  }));
  const answered = [
    { role: "model", parts: back },
    { role: "user", parts: results },
  ];
  return [generated([geminiUser], given), generated([geminiUser, ...answered], [{ text: "18 °C." }])];
};
const geminiWeather = geminiTurn(["mine-1", "mine-2"]);
const swappedSignatures = geminiTurn(["a", "b"], [geminiCall("Paris", "a"), geminiCall("Rome", "b", "c2VhbA==")]);

/** A question, an answer with calls, and the request that goes on from it. */
const goesOn = (answer: unknown[], messages: unknown[], stop_reason?: string, settings: Json = {}) => [
  asking([question], answer, stop_reason === undefined ? {} : { stop_reason }, settings),
  asking([question, ...messages], undefined, {}, settings),
];
/** The result of one call, with a further word of the user where nothing else may follow. */
const answered = (stop: string, isRight: boolean) =>
  goesOn(
    [call("a")],
    [assistant(call("a")), user(result("a", isRight ? true : undefined), ...(isRight ? [text("And now?")] : []))],
    stop,
  );
const twice = [call("a"), call("b", { city: "Rome" })];
const weather = files("anthropic-messages/weather-loop");
const chatWeather = files("openai-chat/weather-loop");
const responsesWeather = files("openai-responses/weather-loop");
const cut = streamed([question], [[text(""), "Once upon"]], false);
const cutCall = streamed([question], [[call("a", {}), '{"city":"Paris"}']], false);
const interleaved = streamed(
  [question],
  [
    [call("a", {}), '{"city":', '"Paris"}'],
    [call("b", {}), '{"city":', '"Rome"}'],
  ],
);
const both = user(result("a"), result("b"));
const malformed = streamed([question], [[call("a", {}), '{"city":"Par']]);
const big = "12345678901234567";
const bigCall = streamed([question], [[call("a", {}), `{"city":"Paris","n":${big}}`]]);
const withBody = (exchange: Exchange, body: string): Exchange => ({
  ...exchange,
  request: { ...exchange.request!, body },
});
const bigAnswer = (n: string) =>
  withBody(
    asking([]),
    JSON.stringify(
      asking([question, assistant(call("a", { city: "Paris", n: 0 })), user(result("a"))]).request!.body,
    ).replace('"n":0', `"n":${n}`),
  );
const thinking = { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 2000 };
const sealed = (model: string, ...back: unknown[]) => [
  asking([question], [thought, call("a")], {}, thinking),
  asking([question, assistant(...back, call("a")), user(result("a"))], undefined, {}, { ...thinking, model }),
];
const goodbye = [question, assistant(...twice), both, assistant(text("18 °C."))];
const finished = [...goesOn(twice, [assistant(...twice), both])];
const long = `call_${"x".repeat(50)}`;
const limited = (ms: number): Exchange[] => [
  { ...asking([question]), at_ms: 0, response: { status: 429, headers: { "retry-after": "2" }, body: {} } },
  { ...asking([question]), at_ms: ms },
];
const key = `sk-${"a1B2".repeat(10)}`;

const searched = [
  { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "weather" } },
  { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
];

/** A response with encrypted reasoning, and the request that sends it back. */
function encrypted(): Exchange[] {
  const [{ response }] = files("openai-responses/encrypted-reasoning") as [Exchange];
  const asks = { type: "message", role: "user", content: [{ type: "input_text", text: "The weather?" }] };
  const { output } = response.body as { output: Json[] };
  const outputs = output.flatMap(({ type, call_id }) =>
    type === "function_call" ? [{ type: "function_call_output", call_id, output: "18 °C" }] : [],
  );
  const request = (input: Json[]) => ({
    method: "POST",
    path: "/v1/responses",
    body: { model: "gpt-5", store: false, include: ["reasoning.encrypted_content"], input },
  });
  const last = files("openai-responses/text")[0]!.response;
  const provider = "openai-responses";
  return [
    { provider, request: request([asks]), response },
    { provider, request: request([asks, ...output, ...outputs]), response: last },
  ];
}
const responsesSealed = encrypted();

/** What keeps each requirement, and what breaks it where the traffic can prove that. */
const traffic: Record<string, [kept: Exchange[] | undefined, broken?: Exchange[]]> = {
  "LOOP-1": [weather, goesOn(twice, [assistant(call("a")), user(result("a"))])],
  "LOOP-5": [weather],
  "LOOP-6": [goesOn([call("a")], [assistant(call("a")), user(result("a"))], "end_turn")],
  "LOOP-9": [answered("max_tokens", true), answered("max_tokens", false)],
  "LOOP-13": [answered("stop_sequence", true), answered("stop_sequence", false)],
  "LOOP-15": [answered("refusal", true), answered("refusal", false)],
  "LOOP-16": [answered("refusal", true), answered("refusal", false)],
  "LOOP-17": [answered("strange", true), answered("strange", false)],
  "LOOP-19": [
    [cutCall, asking([question])],
    [cutCall, asking([question, assistant(call("a")), user(result("a"))])],
  ],
  "LOOP-21": [[asking([question], [])], [asking([question], []), asking([question])]],
  "PROVIDER-2": [weather],
  "PROVIDER-7": [sealed("one", thought)],
  "PROVIDER-8": [
    [
      sealed("one", thought)[0]!,
      asking([question, assistant(call("a")), user(result("a"))], undefined, {}, { model: "another" }),
    ],
    sealed("another", thought),
  ],
  "PROVIDER-9": [weather, goesOn([call("a")], [assistant(call("a")), user(result("a"), result("zzz"))])],
  "PROVIDER-11": [
    goesOn([call("a")], [assistant(call("a")), user(result("a", undefined, ""))]),
    goesOn([text("Hm.")], [assistant(text("Hm.")), user(), more]),
  ],
  "PROVIDER-12": [
    [
      chatted([chatUser], { content: "\ud83d", tool_calls: [chatCall("a", "{}")] }),
      chatted([chatUser, ...chatTurn("a", "{}", "\ufffd")], { content: "18 °C." }),
    ],
    goesOn([call("a")], [assistant(call("a")), user(result("a", undefined, "\ud83d"))]),
  ],
  "PROVIDER-13": [weather],
  "PROVIDER-15": [
    [interleaved, asking([question, assistant(...twice), both])],
    [interleaved, asking([question, assistant(call("a", { city: "Rome" }), call("b", { city: "Paris" })), both])],
  ],
  "PROVIDER-20": [sealed("one", thought), sealed("one", { ...thought, signature: "bWFkZQ==" })],
  "PROVIDER-22": [[cut, asking([question])]],
  "PROVIDER-26": [weather, [asking([question], undefined, {}, { penalty: 1 })]],
  "PROVIDER-35": [
    [bigCall, bigAnswer(big)],
    [bigCall, bigAnswer("12345678901234568")],
  ],
  "PROVIDER-45": [
    undefined,
    [
      {
        ...asking([question]),
        response: { status: 401, body: { error: { type: "authentication_error", message: `wrong key ${key}` } } },
      },
      asking([question, assistant(text(`It failed: wrong key ${key}`)), more]),
    ],
  ],
  "PROVIDER-46": [
    undefined,
    goesOn([call("a", { city: key })], [assistant(call("a", { city: "[redacted]" })), user(result("a"))]),
  ],
  "RETRY-2": [limited(2100), limited(500)],
  "SESSION-4": [
    goesOn([text("I look."), call("a")], [assistant(text("I look."), call("a")), user(result("a"))]),
    goesOn([text("I look."), call("a")], [assistant(call("a"), text("I look.")), user(result("a"))]),
  ],
  "SESSION-6": [weather, goesOn(twice, [assistant(...twice), user(result("a"))])],
  "SESSION-7": [weather, goesOn(twice, [assistant(...twice), user(result("b"), result("a"))])],
  "SESSION-9": [
    [
      asking([question, assistant(call("a")), user(result("a"))], [call("a")]),
      asking([question, assistant(call("a")), user(result("a")), assistant(call("a_2")), user(result("a_2"))]),
    ],
    [asking([question, assistant(call("a")), user(result("a")), assistant(call("a")), user(result("a"))])],
  ],
  "SESSION-13": [
    [cut, asking([question])],
    [cut, asking([question, assistant(text("Once upon")), more])],
  ],
  "SESSION-26": [[...finished, asking([...goodbye, more])]],
  "SESSION-27": [[...finished, asking([...goodbye, more])]],
  "SESSION-28": [
    [...finished, asking([...goodbye, more])],
    [
      asking([question], [call("a")], { stop_reason: "max_tokens" }),
      asking([question, assistant(call("a")), more], [], { status: 400 }),
    ],
  ],
  "SESSION-30": [[...finished, asking([...goodbye, more])]],
  "SESSION-31": [
    [
      asking([question], [thought, text("18 °C.")], {}, thinking),
      asking([question, assistant(thought, text("18 °C.")), more], undefined, {}, thinking),
    ],
  ],
  "TOOL-1": [
    [
      chatted([chatUser], { tool_calls: [chatCall("a", "")] }),
      chatted([chatUser, ...chatTurn("a", "{}")], { content: "18 °C." }),
    ],
  ],
  "TOOL-3": [
    [malformed, asking([question, assistant(call("a", {})), user(result("a", true))])],
    [malformed, asking([question, assistant(call("a", {})), user(result("a"))])],
  ],
  "TOOL-5": [
    goesOn([call("a", {})], [assistant(call("a", {})), user(result("a", true))]),
    goesOn([call("a", {})], [assistant(call("a", {})), user(result("a"))]),
  ],
  "TOOL-9": [goesOn([call("a", {}, "look")], [assistant(call("a", {}, "look")), user(result("a", true))])],
  "TOOL-11": [
    goesOn([call("a", {}), call("b")], [assistant(call("a", {}), call("b")), user(result("a", true), result("b"))]),
  ],
  "TOOL-14": [goesOn([call("a")], [assistant(call("a")), user(result("a", true))])],
  "TOOL-16": [goesOn(twice, [assistant(...twice), user(result("a", true), result("b"))])],
  "ANTHROPIC-1": [weather],
  "ANTHROPIC-4": [weather, goesOn(twice, [assistant(...twice), user(result("a")), user(result("b"))])],
  "ANTHROPIC-8": [
    goesOn([text(" "), call("a")], [assistant(call("a")), user(result("a"))]),
    goesOn([text(""), call("a")], [assistant(text(""), call("a")), user(result("a"))]),
  ],
  "ANTHROPIC-9": [sealed("one", thought), sealed("one", { ...thought, thinking: "Hm!" })],
  "ANTHROPIC-10": [[malformed, asking([question, assistant(call("a", {})), user(result("a", true))])]],
  "ANTHROPIC-14": [goesOn([...searched, call("a")], [assistant(...searched, call("a")), user(result("a"))])],
  "ANTHROPIC-15": [[interleaved, asking([question, assistant(...twice), both])]],
  "ANTHROPIC-17": [[interleaved, asking([question, assistant(...twice), both])]],
  "ANTHROPIC-21": [weather],
  "CHAT-3": [chatWeather],
  "CHAT-4": [chatWeather, [chatted([chatUser, ...chatTurn("a", {})], { content: "18 °C." })]],
  "CHAT-7": [
    [
      chatted([chatUser], { content: "I look.", tool_calls: [chatCall(long, "{}")] }),
      chatted([chatUser, ...chatTurn("a", "{}", "I look.")], { content: "18 °C." }),
    ],
    [chatted([chatUser, ...chatTurn(long, "{}")], { content: "18 °C." })],
  ],
  "CHAT-8": [chatWeather],
  "CHAT-11": [undefined],
  "CHAT-22": [chatWeather],
  "GEMINI-2": [
    geminiWeather,
    [generated([geminiUser, { role: "model", parts: [geminiCall("Paris", "a", "c2VhbA==")] }, geminiUser], [])],
  ],
  "GEMINI-6": [geminiWeather, swappedSignatures],
  "GEMINI-8": [geminiTurn([undefined, undefined])],
  "RESPONSES-4": [responsesSealed],
  "RESPONSES-6": [responsesSealed],
  "RESPONSES-7": [responsesWeather],
  "RESPONSES-9": [responsesWeather],
  "RESPONSES-14": [responsesWeather],
};

async function judged(exchanges: Exchange[]) {
  const { findings } = await judgeTraffic({ fixture: 1, origin: "crafted", why: "a test", exchanges }, requirements);
  return findings;
}

test("half of a surrogate pair is nothing to a provider that takes it [FIXTURE-9]", async () => {
  const cut = geminiTurn(["mine-1", "mine-2"], [geminiCall("Par\ud83d", undefined, "c2VhbA=="), geminiCall("Rome")]);
  const about = (findings: { requirement: string }[]) =>
    findings.filter(({ requirement }) => requirement === "PROVIDER-12");
  const reason = "gemini takes half of a surrogate pair";
  expect(about(await judged(cut))).toEqual([{ requirement: "PROVIDER-12", verdict: "not_applicable", reason }]);
  expect(about(await judged([...cut, ...weather]))).toEqual([
    { requirement: "PROVIDER-12", verdict: "not_seen", reason: "there was no occasion for it" },
  ]);
});

test("every requirement that an audit judges has its traffic here", () => {
  expect(Object.keys(occasions).filter((id) => traffic[id] === undefined)).toEqual([]);
});

const rows = Object.entries(traffic);
test.each(rows.flatMap(([id, [kept]]) => (kept ? [[id, kept] as const] : [])))(
  "%s is kept, and nothing is broken [FIXTURE-9]",
  async (id, kept) => {
    const findings = await judged(kept);
    expect(findings.filter(({ verdict }) => verdict === "broken")).toEqual([]);
    expect(findings).toContainEqual({ requirement: id, verdict: "kept" });
  },
);

test.each(rows.flatMap(([id, [, broken]]) => (broken ? [[id, broken] as const] : [])))(
  "%s is broken, and at most two others with it [FIXTURE-9]",
  async (id, exchanges) => {
    const broken = (await judged(exchanges)).filter(({ verdict }) => verdict === "broken");
    expect(broken.map(({ requirement }) => requirement)).toContain(id);
    expect(broken.length).toBeLessThanOrEqual(3);
    for (const one of broken) expect(one.message).toMatch(/^\S.{15,}/);
  },
);

const essential = [...requirements.values()].filter(({ level }) => level === "essential").map(({ id }) => id);

test.each([
  ["anthropic-messages", weather],
  ["openai-chat", chatWeather],
  ["openai-responses", responsesWeather],
] as const)(
  "of a recording of %s each essential requirement is found once, of whatever provider [FIXTURE-9]",
  async (provider, exchanges) => {
    const findings = await judged(exchanges);
    const ids = findings.map(({ requirement }) => requirement);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
    expect(ids).toEqual(expect.arrayContaining(essential));
    const verdictOf = (id: string) => findings.find(({ requirement }) => requirement === id)!.verdict;
    const own =
      provider === "anthropic-messages" ? "ANTHROPIC-4" : provider === "openai-chat" ? "CHAT-3" : "RESPONSES-7";
    for (const id of ["ANTHROPIC-4", "CHAT-3", "RESPONSES-7"])
      expect(verdictOf(id)).toBe(id === own ? "kept" : "not_applicable");
    expect(verdictOf("LOOP-9")).toBe("not_seen");
  },
);

test("of a request from which nothing goes on, nothing is kept that needs an answer [FIXTURE-10]", async () => {
  const findings = await judged([asking([question])]);
  const kept = findings.flatMap(({ requirement, verdict }) => (verdict === "kept" ? [requirement] : []));
  expect(kept).toEqual(["PROVIDER-26", "ANTHROPIC-1", "ANTHROPIC-21"]);
});
