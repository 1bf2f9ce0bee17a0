// Each rule of the Anthropic Messages API: a request that it accepts, and one that it refuses.

import { describe, expect, it } from "vitest";
import type { ScriptedResponse } from "../../codec.ts";
import { describeRules, plain, type Example } from "../../testing/rules-contract.ts";
import { call as scriptedCall, toolTurn } from "../../testing/scripted.ts";
import { anthropicMessages } from "../index.ts";

const key = { "content-type": "application/json", "x-api-key": "test-key", "anthropic-version": "2023-06-01" };
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const text = (value: unknown) => ({ type: "text", text: value });
const call = (id: unknown, more = {}) => ({
  type: "tool_use",
  id,
  name: "get_weather",
  input: { city: "Paris" },
  ...more,
});
const result = (id: string, more = {}) => ({ type: "tool_result", tool_use_id: id, content: "18 °C", ...more });
const thinking = (signature: unknown = "c2ln", words = "hm") => ({ type: "thinking", thinking: words, signature });
const tool = (more = {}) => ({ name: "get_weather", input_schema: { type: "object" }, ...more });
const defined = (more = {}) => ({ type: "object", properties: { city: { $ref: "#/$defs/city" } }, ...more });
const request = (more = {}) => ({ model: "replay", max_tokens: 1000, messages: [user("Hi")], ...more });
const turns = (...messages: unknown[]) => request({ messages });
const loop = (calls: unknown[], results: unknown[], ...more: unknown[]) =>
  turns(user("Hi"), assistant(calls), user(results), ...more);

const sent = toolTurn([{ thinking: "hm", signature: "c2ln" }, scriptedCall("t1")], { id: "1" });
const paused: ScriptedResponse = { ...sent, parts: [{ text: "Searching. " }], stop_reason: "pause" };

const budget = (budget_tokens: unknown) => ({ thinking: { type: "enabled", budget_tokens } });
const form = (schema: unknown) => ({ output_config: { format: { type: "json_schema", schema } } });
const marked = (value: string, mark: unknown = { type: "ephemeral" }) => ({ ...text(value), cache_control: mark });

const threads = { ...key, "anthropic-beta": "a, message-threads-2026-08-12" };
const begun = request({ thread: { type: "create" }, system: "Be brief.", tools: [tool()] });
const answered: ScriptedResponse = { ...sent, parts: [{ text: "Hello." }], stop_reason: "end_turn" };
const goOn = (more = {}, previous_message_id = "msg_1") =>
  request({ thread: { type: "continue", previous_message_id }, messages: [user("And?")], ...more });
/** A request on a thread that was begun, and perhaps gone on with. */
const onThread = (body: unknown, ...since: unknown[]): Example => ({
  body,
  headers: threads,
  earlier: [begun, ...since].map((earlier, at) => {
    return { request: earlier, wire: anthropicMessages.renderResponse({ ...answered, id: `${at + 1}` }, "sse") };
  }),
});

/** By rule: accepted, then refused. */
/** A call of a tool that the server runs. */
const searches = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "otters" } };

const examples: Record<string, [accepted: Example, refused: Example]> = {
  authentication: [
    { body: request(), headers: { ...key, "x-api-key": "", authorization: "Bearer test" } },
    { body: request(), headers: { ...key, "x-api-key": "" } },
  ],
  "version-header": [plain(request()), { body: request(), headers: { ...key, "anthropic-version": "" } }],
  "content-type": [
    { body: request(), headers: { ...key, "content-type": "application/json; charset=utf-8" } },
    { body: request(), headers: { ...key, "content-type": "text/plain" } },
  ],
  body: [plain(request()), plain([request()])],
  model: [plain(request()), plain(request({ model: "" }))],
  "max-tokens": [plain(request({ max_tokens: 1 })), plain(request({ max_tokens: undefined }))],
  messages: [plain(turns(user("Hi"))), plain(turns())],
  roles: [
    plain(turns(user("Hi"), assistant("Ho"), user("Hi"))),
    plain(turns(user("Hi"), { role: "tool", content: "18 °C" })),
  ],
  "unknown-fields": [plain(request({ temperature: 0 })), plain(request({ limits: {} }))],
  unicode: [plain(turns(user("a 😀"))), plain(turns(user("half of one: \ud83d")))],
  system: [plain(request({ system: [text("Be brief.")] })), plain(request({ system: [text(" ")] }))],
  "system-turn": [
    plain(turns(user("Hi"), { role: "system", content: "Be brief." })),
    plain(turns(user("Hi"), { role: "system", content: "Be brief." }, user("Now?"))),
  ],
  prefill: [
    { body: turns(user("Hi"), assistant("Searching. ")), sent: [paused] },
    { body: turns(user("Hi"), assistant("The answer is")), sent: [] },
  ],
  "thinking-kept": [
    { body: loop([thinking(), call("t1")], [result("t1")]), sent: [sent] },
    { body: loop([call("t1")], [result("t1")]), sent: [sent] },
  ],
  "content-non-empty": [plain(turns(user("Hi"), assistant([]))), plain(turns(user([])))],
  "text-non-blank": [plain(turns(user([text("Hi")]))), plain(turns(user([text(" \n")])))],
  "trailing-space": [
    plain(turns(user("Hi"), assistant("The answer is"))),
    plain(turns(user("Hi"), assistant("The answer is "))),
  ],
  "block-role": [plain(loop([call("t1")], [result("t1")])), plain(turns(user([thinking(), text("Hi")])))],
  "unknown-block-fields": [
    plain(turns(user([{ ...text("Hi"), cache_control: { type: "ephemeral" } }]))),
    plain(turns(user([{ ...text("Hi"), meta: { turn: 1 } }]))),
  ],
  "media-source": [
    plain(turns(user([{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }]))),
    plain(turns(user([{ type: "image", source: { type: "base64", media_type: "image/svg+xml", data: "PHN2Zy8+" } }]))),
  ],
  "thinking-shape": [
    plain(loop([thinking(), call("t1")], [result("t1")])),
    plain(loop([thinking(""), call("t1")], [result("t1")])),
  ],
  "thinking-unaltered": [
    { body: turns(user("Hi"), assistant([thinking(), text("Ho")]), user("So?")), sent: [sent] },
    { body: turns(user("Hi"), assistant([thinking("c2ln", "other words"), text("Ho")]), user("So?")), sent: [sent] },
  ],
  "thinking-last": [
    plain(turns(user("Hi"), assistant([thinking(), text("Ho")]), user("So?"))),
    plain(turns(user("Hi"), assistant([text("Ho"), thinking()]), user("So?"))),
  ],
  "thinking-first": [
    plain({ ...loop([thinking(), call("t1")], [result("t1")]), ...budget(1024), max_tokens: 2000 }),
    plain({ ...loop([call("t1")], [result("t1")]), ...budget(1024), max_tokens: 2000 }),
  ],
  "tool-name": [plain(request({ tools: [tool()] })), plain(request({ tools: [tool({ name: "get weather" })] }))],
  "tool-names-unique": [
    plain(request({ tools: [tool(), tool({ name: "get_time" })] })),
    plain(request({ tools: [tool(), tool()] })),
  ],
  "input-schema": [
    plain(request({ tools: [tool()] })),
    plain(request({ tools: [tool({ input_schema: { properties: {} } })] })),
  ],
  "schema-refs": [
    plain(request({ tools: [tool({ input_schema: defined({ $defs: { city: { type: "string" } } }) })] })),
    plain(request({ tools: [tool({ input_schema: defined() })] })),
  ],
  "tool-shape": [
    plain(request({ tools: [tool({ description: "Tells the weather." })] })),
    plain(request({ tools: [tool({ annotations: { read_only: true } })] })),
  ],
  "tool-choice": [
    plain(request({ tools: [tool()], tool_choice: { type: "tool", name: "get_weather" } })),
    plain(request({ tools: [tool()], tool_choice: { type: "tool", name: "get_time" } })),
  ],
  "call-id": [plain(loop([call("t-1_a")], [result("t-1_a")])), plain(loop([call("t:1")], [result("t:1")]))],
  "call-name": [
    plain(loop([call("t1")], [result("t1")])),
    plain(loop([call("t1", { name: "get.weather" })], [result("t1")])),
  ],
  "call-input": [
    plain(loop([call("t1", { input: {} })], [result("t1")])),
    plain(loop([call("t1", { input: '{"city":"Paris"}' })], [result("t1")])),
  ],
  "call-ids-unique": [
    plain(loop([call("t1")], [result("t1")], assistant([call("t2")]), user([result("t2")]))),
    plain(loop([call("t1"), call("t1")], [result("t1")])),
  ],
  "call-answered": [
    plain(loop([call("t1"), call("t2")], [result("t1"), result("t2")])),
    plain(loop([call("t1"), call("t2")], [result("t1")])),
  ],
  "server-call-answered": [
    plain(loop([searches, call("t1")], [result("t1")])),
    plain(turns(user("Hi"), assistant([searches]), user("Go on."))),
  ],
  "results-together": [
    plain(loop([call("t1"), call("t2")], [result("t1"), result("t2"), text("Go on.")])),
    plain(loop([call("t1"), call("t2")], [result("t1")], user([result("t2")]))),
  ],
  "result-known": [
    plain(loop([call("t1")], [result("t1")])),
    plain(turns(user("Hi"), assistant("Ho"), user([result("t1")]))),
  ],
  "result-single": [plain(loop([call("t1")], [result("t1")])), plain(loop([call("t1")], [result("t1"), result("t1")]))],
  "result-first": [
    plain(loop([call("t1")], [result("t1"), text("Here.")])),
    plain(loop([call("t1")], [text("Here."), result("t1")])),
  ],
  "result-shape": [
    plain(loop([call("t1")], [result("t1", { content: [text("18 °C")] })])),
    plain(loop([call("t1")], [result("t1", { content: { celsius: 18 } })])),
  ],
  "error-result-non-empty": [
    plain(loop([call("t1")], [result("t1", { content: "" })])),
    plain(loop([call("t1")], [result("t1", { content: "", is_error: true })])),
  ],
  "error-result-text-only": [
    plain(loop([call("t1")], [result("t1", { content: [{ type: "text", text: "no" }], is_error: true })])),
    plain(
      loop(
        [call("t1")],
        [
          result("t1", {
            content: [{ type: "image", source: { type: "url", url: "https://example.com/a.png" } }],
            is_error: true,
          }),
        ],
      ),
    ),
  ],
  "thinking-config": [
    plain(request({ thinking: { type: "adaptive", display: "omitted" } })),
    plain(request({ thinking: { type: "disabled", display: "omitted" } })),
  ],
  "thinking-budget": [
    plain(request({ max_tokens: 2000, ...budget(1024) })),
    plain(request({ max_tokens: 1024, ...budget(1024) })),
  ],
  "thinking-of-model": [
    plain(request({ model: "claude-sonnet-4-6", thinking: { type: "disabled" } })),
    plain(request({ model: "claude-opus-5-5", thinking: { type: "disabled" } })),
  ],
  "sampling-range": [plain(request({ temperature: 0, top_p: 1 })), plain(request({ temperature: 1.5 }))],
  "sampling-with-thinking": [
    plain(request({ thinking: { type: "adaptive" }, temperature: 1, top_p: 0.95 })),
    plain(request({ thinking: { type: "adaptive" }, temperature: 0.5 })),
  ],
  "sampling-of-model": [
    plain(request({ model: "claude-sonnet-4-6", temperature: 0 })),
    plain(request({ model: "claude-opus-4-7", temperature: 0 })),
  ],
  "stop-sequences": [plain(request({ stop_sequences: ["\n\nEnd"] })), plain(request({ stop_sequences: ["\n"] }))],
  "effort-of-model": [
    plain(request({ model: "claude-opus-4-6", output_config: { effort: "max" } })),
    plain(request({ model: "claude-opus-4-6", output_config: { effort: "xhigh" } })),
  ],
  "output-config": [
    plain(request({ output_config: { effort: "low", format: { type: "json_schema", schema: { type: "string" } } } })),
    plain(request({ output_config: { effort: "minimal" } })),
  ],
  "output-schema": [
    plain(request(form({ type: "object", additionalProperties: false, properties: { minimum: { type: "null" } } }))),
    plain(request(form({ type: "array", items: { type: "object" } }))),
  ],
  "tool-choice-fields": [
    plain(request({ tools: [tool()], tool_choice: { type: "auto", disable_parallel_tool_use: true } })),
    plain(request({ tools: [tool()], tool_choice: { type: "none", disable_parallel_tool_use: true } })),
  ],
  "tool-choice-without-tools": [
    plain(request({ tool_choice: { type: "auto" } })),
    plain(request({ tool_choice: { type: "any" } })),
  ],
  "tool-choice-with-thinking": [
    plain(request({ tools: [tool()], tool_choice: { type: "auto" }, thinking: { type: "adaptive" } })),
    plain(request({ tools: [tool()], tool_choice: { type: "any" }, thinking: { type: "adaptive" } })),
  ],
  "tool-choice-of-model": [
    plain(request({ model: "claude-opus-5", tools: [tool()], tool_choice: { type: "any" } })),
    plain(request({ model: "claude-opus-5-5", tools: [tool()], tool_choice: { type: "any" } })),
  ],
  "cache-control": [
    plain(request({ cache_control: { type: "ephemeral", ttl: "1h" }, system: [marked("Be brief.")] })),
    plain(request({ cache_control: { type: "ephemeral", ttl: "2h" } })),
  ],
  "cache-breakpoints": [
    plain(request({ cache_control: { type: "ephemeral" }, messages: [user(["a", "b", "c"].map((t) => marked(t)))] })),
    plain(request({ cache_control: { type: "ephemeral" }, messages: [user("abcd".split("").map((t) => marked(t)))] })),
  ],
  thread: [
    { body: request({ thread: { type: "create" } }), headers: threads },
    { body: request({ thread: { type: "continue" } }), headers: threads },
  ],
  "thread-beta": [
    { body: request({ thread: { type: "create" } }), headers: threads },
    plain(request({ thread: { type: "create" } })),
  ],
  "thread-known": [onThread(goOn()), onThread(goOn({}, "msg_2"))],
  "thread-continued-once": [onThread(goOn()), onThread(goOn(), goOn())],
  "thread-create-only": [onThread(goOn()), onThread(goOn({ system: "Be brief." }))],
  "thread-same-fields": [onThread(goOn({ temperature: 0 })), onThread(goOn({ output_config: { effort: "low" } }))],
};

describeRules(anthropicMessages, {
  headers: key,
  examples,
  refusal: (message) => ({ type: "error", error: { message } }),
  bodyBreaks: ["body", "model", "max-tokens", "messages"],
  strange: [
    { messages: {} },
    { messages: [null, 1, []] },
    { messages: [{}] },
    { messages: [{ role: 1, content: [null, {}] }], tools: [null, 1] },
  ],
  sent,
});

describe("anthropic-messages rules", () => {
  it("let pass what the server was seen to take", () => {
    const blankBeside = turns(user([text("Hi"), text(" \n")]));
    const blankCall = loop([text(" "), call("t1")], [result("t1")]);
    expect([blankBeside, blankCall].flatMap((body) => anthropicMessages.checkRequest(body, key))).toEqual([]);
    const emptyBeside = turns(user([text("Hi"), text("")]));
    expect(anthropicMessages.checkRequest(emptyBeside, key)).toMatchObject([
      { rule: "anthropic-messages/text-non-blank" },
    ]);
    const continued = { ...turns(user("Hi"), assistant("The answer is")), model: "claude-haiku-4-5" };
    expect(anthropicMessages.checkRequest(continued, key, [])).toEqual([]);
    const older = { ...request({ top_p: -1 }), model: "claude-3-5-sonnet-20241022" };
    expect(anthropicMessages.checkRequest(older, key)).toEqual([]);
  });

  it("refuse a cache breakpoint on thinking", () => {
    const thought = { ...thinking(), cache_control: { type: "ephemeral" } };
    const body = turns(user("Hi"), assistant([thought, text("Yes.")]), user("And?"));
    expect(anthropicMessages.checkRequest(body, key).map(({ rule }) => rule)).toEqual([
      "anthropic-messages/unknown-block-fields",
    ]);
  });

  it("ask for no thinking where the server itself had begun without", () => {
    const body = { ...loop([call("t1")], [result("t1")]), ...budget(1024), max_tokens: 2000 };
    const rulesFor = (answer: ScriptedResponse) =>
      anthropicMessages.checkRequest(body, key, [answer]).map(({ rule }) => rule);
    expect(rulesFor({ ...sent, parts: [scriptedCall("t1")] })).toEqual([]);
    expect(rulesFor(sent)).toContain("anthropic-messages/thinking-first");
  });

  it("ask for no thinking where the bytes of the last answer had none, whatever its calls are called now", () => {
    const body = { ...loop([call("t1_2")], [result("t1_2")]), ...budget(1024), max_tokens: 2000 };
    const rulesFor = (...types: string[]) => {
      const wire = { status: 200, headers: {}, writes: types.map((type) => ({ text: JSON.stringify({ type }) })) };
      return anthropicMessages.checkRequest(body, key, [], [{ request: {}, wire }]).map(({ rule }) => rule);
    };
    expect(rulesFor("tool_use")).toEqual([]);
    expect(rulesFor("thinking", "tool_use")).toEqual(["anthropic-messages/thinking-first"]);
    expect(rulesFor("text")).toEqual(["anthropic-messages/thinking-first"]);
  });

  it("report by its code that a thread is not known", () => {
    const { body, headers, earlier } = onThread(goOn({}, "msg_2"));
    const [breach] = anthropicMessages.checkRequest(body, headers!, [], earlier);
    expect(breach).toMatchObject({
      status: 404,
      body: { error: { type: "not_found_error", details: { error_code: "thread_not_found" } } },
    });
  });

  it("accept what an older model refuses only there", () => {
    const body = turns(user("Hi"), { role: "system", content: "Be brief." });
    const rulesFor = (model: string) => anthropicMessages.checkRequest({ ...body, model }, key).map(({ rule }) => rule);
    for (const model of ["claude-opus-4-8", "claude-sonnet-5", "some-model"]) expect(rulesFor(model)).toEqual([]);
    for (const model of ["claude-3-5-haiku-latest", "claude-sonnet-4-5-20250929", "claude-opus-4-1"]) {
      expect(rulesFor(model)).toEqual(["anthropic-messages/system-turn"]);
    }
  });
});
