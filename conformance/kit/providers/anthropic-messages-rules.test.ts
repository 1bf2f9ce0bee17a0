// Each rule of the Anthropic Messages API: a request that it accepts, and one that it refuses.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ScriptedResponse } from "../codec.ts";
import { anthropicMessages } from "./anthropic-messages.ts";

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
const request = (more = {}) => ({ model: "replay", max_tokens: 1000, messages: [user("Hi")], ...more });
const turns = (...messages: unknown[]) => request({ messages });
const loop = (calls: unknown[], results: unknown[], ...more: unknown[]) =>
  turns(user("Hi"), assistant(calls), user(results), ...more);

const usage = {
  input_tokens: 1,
  output_tokens: 1,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};
const sent: ScriptedResponse = {
  parts: [
    { thinking: "hm", signature: "c2ln" },
    { tool_call: { id: "t1", name: "get_weather", input: { city: "Paris" } } },
  ],
  stop_reason: "tool_use",
  usage,
  model: "replay",
  id: "1",
};
const paused: ScriptedResponse = { ...sent, parts: [{ text: "Searching. " }], stop_reason: "pause" };

interface Example {
  body: unknown;
  headers?: Record<string, string>;
  sent?: ScriptedResponse[];
}
const plain = (body: unknown): Example => ({ body });

/** By rule: accepted, then refused. */
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
  "text-non-blank": [plain(turns(user([text("Hi")]))), plain(turns(user([text("Hi"), text(" \n")])))],
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
    plain({ ...loop([thinking(), call("t1")], [result("t1")]), thinking: { type: "enabled", budget_tokens: 1024 } }),
    plain({ ...loop([call("t1")], [result("t1")]), thinking: { type: "enabled", budget_tokens: 1024 } }),
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
};

describe("anthropic-messages rules", () => {
  it("each has an example", () => {
    expect(
      Object.keys(examples)
        .map((name) => `anthropic-messages/${name}`)
        .sort(),
    ).toEqual(anthropicMessages.rules.map(({ id }) => id).sort());
  });

  it.each(Object.entries(examples))("%s", (name, [accepted, refused]) => {
    const rules = (example: Example) =>
      anthropicMessages.checkRequest(example.body, example.headers ?? key, example.sent);
    expect(rules(accepted)).toEqual([]);
    const breaches = rules(refused);
    expect(breaches.map(({ rule }) => rule)).toContain(`anthropic-messages/${name}`);
    for (const { body, message, status } of breaches) {
      expect(body).toMatchObject({ type: "error", error: { message } });
      expect(status).toBeGreaterThanOrEqual(400);
    }
  });

  it("each names a requirement of the spec", () => {
    const spec = readFileSync(new URL("../../../spec/requirements.json", import.meta.url), "utf8");
    expect(anthropicMessages.rules.filter(({ requirement }) => !spec.includes(`"${requirement}"`))).toEqual([]);
  });

  it("say one thing about one mistake", () => {
    const several = Object.entries(examples).flatMap(([name, [, refused]]) => {
      const rules = new Set(
        anthropicMessages.checkRequest(refused.body, refused.headers ?? key, refused.sent).map(({ rule }) => rule),
      );
      return rules.size > 1 ? [[name, ...rules]] : [];
    });
    expect(several).toEqual([
      // A body that is no object has none of the fields either.
      [
        "body",
        "anthropic-messages/body",
        "anthropic-messages/model",
        "anthropic-messages/max-tokens",
        "anthropic-messages/messages",
      ],
    ]);
  });

  it("bear any JSON", () => {
    const nothings = [
      null,
      1,
      "x",
      [],
      {},
      { messages: {} },
      { messages: [null, 1, []] },
      { messages: [{}] },
      { messages: [{ role: 1, content: [null, {}] }], tools: [null, 1] },
    ];
    for (const body of nothings) expect(anthropicMessages.checkRequest(body, {}, [sent]).length).toBeGreaterThan(0);
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
