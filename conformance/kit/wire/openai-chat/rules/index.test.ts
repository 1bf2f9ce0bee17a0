// Each rule of OpenAI's Chat Completions API: a request that it accepts, and one that it refuses.

import { describe, expect, it } from "vitest";
import { openaiRefusal } from "../../testing/openai-samples.ts";
import { describeRules, plain, type Example } from "../../testing/rules-contract.ts";
import { call as scriptedCall, toolTurn } from "../../testing/scripted.ts";
import { openaiChat } from "../index.ts";

const key = { "content-type": "application/json", authorization: "Bearer test-key" };
const user = (content: unknown) => ({ role: "user", content });
const call = (id: unknown, more = {}) => ({
  id,
  type: "function",
  function: { name: "get_weather", arguments: '{"city":"Paris"}', ...more },
});
const asks = (...calls: unknown[]) => ({ role: "assistant", content: null, tool_calls: calls });
const answers = (id: unknown, content: unknown = "18 °C") => ({ role: "tool", tool_call_id: id, content });
const tool = (more = {}) => ({
  type: "function",
  function: { name: "get_weather", parameters: { type: "object", properties: {} }, ...more },
});
const defined = (more = {}) => ({ type: "object", properties: { city: { $ref: "#/$defs/city" } }, ...more });
const request = (more = {}) => ({ model: "replay", messages: [user("Hi")], ...more });
const turns = (...messages: unknown[]) => request({ messages: [user("Hi"), ...messages] });

const format = (json_schema: unknown) => request({ response_format: { type: "json_schema", json_schema } });
/** Strict but for what is required. */
const closed = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };

const sent = toolTurn([{ thinking: "hm" }, scriptedCall("c1")], { id: "1" });
const gemini = "google/gemini-3-flash-preview";
const ofGemini = (message: unknown) => ({ ...turns(message, answers("c1")), model: gemini });
const detailed = toolTurn([{ thinking: "hm", field: "reasoning_details" }, scriptedCall("c1")], { model: gemini });

/** By rule: accepted, then refused. */
const examples: Record<string, [accepted: Example, refused: Example]> = {
  authentication: [plain(request()), { body: request(), headers: { "content-type": "application/json" } }],
  "content-type": [plain(request()), { body: request(), headers: { authorization: "Bearer test-key" } }],
  body: [plain(request()), plain("Hi")],
  model: [plain(request()), plain(request({ model: undefined }))],
  "unknown-fields": [plain(request({ max_completion_tokens: 5 })), plain(request({ system: "Be brief." }))],
  unicode: [plain(request({ messages: [user("a 😀")] })), plain(request({ messages: [user("half of one: \udc00")] }))],
  "stream-options": [
    plain(request({ stream: true, stream_options: { include_usage: true } })),
    plain(request({ stream_options: { include_usage: true } })),
  ],
  "tools-non-empty": [plain(request()), plain(request({ tools: [] }))],
  "tool-choice": [plain(request({ tools: [tool()], tool_choice: "auto" })), plain(request({ tool_choice: "auto" }))],
  "tool-name": [plain(request({ tools: [tool()] })), plain(request({ tools: [tool({ name: "get.weather" })] }))],
  "tool-type": [
    plain(request({ tools: [tool()] })),
    plain(request({ tools: [{ name: "get_weather", parameters: {} }] })),
  ],
  "schema-refs": [
    plain(request({ tools: [tool({ parameters: defined({ $defs: { city: { type: "string" } } }) })] })),
    plain(request({ tools: [tool({ parameters: defined() })] })),
  ],
  "tool-parameters": [
    plain(request({ tools: [tool({ parameters: undefined })] })),
    plain(request({ tools: [tool({ parameters: { type: "object" } })] })),
  ],
  "token-limit": [plain(request({ max_tokens: 100 })), plain(request({ max_tokens: 100, max_completion_tokens: 100 }))],
  sampling: [plain(request({ temperature: 2, top_p: 0 })), plain(request({ temperature: 2.5 }))],
  "sampling-of-reasoning-models": [
    plain(request({ model: "gpt-5-mini-2025-08-07", temperature: 1 })),
    plain(request({ model: "o3", stop: ["END"] })),
  ],
  "prompt-cache": [
    plain(request({ prompt_cache_key: "x".repeat(64), prompt_cache_options: { mode: "explicit" } })),
    plain(request({ prompt_cache_key: "x".repeat(65) })),
  ],
  stop: [plain(request({ stop: ["a", "b", "c", "d"] })), plain(request({ stop: ["a", "b", "c", "d", "e"] }))],
  effort: [plain(request({ reasoning_effort: "xhigh" })), plain(request({ reasoning_effort: "extreme" }))],
  "tool-choice-form": [
    plain(request({ tools: [tool()], tool_choice: { type: "function", function: { name: "get_weather" } } })),
    plain(request({ tools: [tool()], tool_choice: { type: "function", name: "get_weather" } })),
  ],
  "response-format": [plain(format({ name: "answer", schema: {} })), plain(format({ name: "my answer", schema: {} }))],
  "strict-format": [
    plain(format({ name: "answer", schema: { ...closed, required: ["a"] }, strict: true })),
    plain(format({ name: "answer", schema: closed, strict: true })),
  ],
  messages: [plain(request()), plain(request({ messages: [] }))],
  roles: [plain(turns({ role: "developer", content: "Be brief." })), plain(turns({ role: "model", content: "Ho" }))],
  content: [plain(turns(asks(call("c1")), answers("c1"))), plain(turns({ role: "assistant", content: null }))],
  parts: [
    plain(request({ messages: [user([{ type: "image_url", image_url: { url: "https://example.com/a.png" } }])] })),
    plain(
      turns(asks(call("c1")), answers("c1", [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }])),
    ),
  ],
  "unknown-message-fields": [
    plain(turns({ role: "assistant", content: "Ho", reasoning_content: "hm" })),
    plain(turns({ role: "assistant", content: "Ho", meta: {} })),
  ],
  calls: [
    plain(turns(asks(call("c1")), answers("c1"))),
    plain(turns({ role: "assistant", content: "Ho", tool_calls: [] })),
  ],
  "call-id": [
    plain(turns(asks(call("x".repeat(40))), answers("x".repeat(40)))),
    plain(turns(asks(call("x".repeat(41))), answers("x".repeat(41)))),
  ],
  "call-ids-unique": [
    plain(turns(asks(call("c1"), call("c2")), answers("c1"), answers("c2"))),
    plain(turns(asks(call("c1"), call("c1")), answers("c1"))),
  ],
  "call-name": [
    plain(turns(asks(call("c1")), answers("c1"))),
    plain(turns(asks(call("c1", { name: "" })), answers("c1"))),
  ],
  "call-arguments": [
    plain(turns(asks(call("c1", { arguments: "" })), answers("c1"))),
    plain(turns(asks(call("c1", { arguments: {} })), answers("c1"))),
  ],
  "calls-answered": [
    plain(turns(asks(call("c1"), call("c2")), answers("c1"), answers("c2"))),
    plain(turns(asks(call("c1"), call("c2")), answers("c1"))),
  ],
  "results-together": [
    plain(turns(asks(call("c1"), call("c2")), answers("c1"), answers("c2"), user("Look."))),
    plain(turns(asks(call("c1"), call("c2")), answers("c1"), user("Look."), answers("c2"))),
  ],
  "result-known": [plain(turns(asks(call("c1")), answers("c1"))), plain(turns(answers("c1")))],
  "result-single": [
    plain(turns(asks(call("c1")), answers("c1"))),
    plain(turns(asks(call("c1")), answers("c1"), answers("c1"))),
  ],
  "reasoning-kept": [
    { body: turns({ ...asks(call("c1")), reasoning_content: "hm" }, answers("c1")), sent: [sent] },
    { body: turns(asks(call("c1")), answers("c1")), sent: [sent] },
  ],
  "reasoning-details-kept": [
    { body: ofGemini({ ...asks(call("c1")), reasoning_details: [{ type: "reasoning.encrypted" }] }), sent: [detailed] },
    { body: ofGemini(asks(call("c1"))), sent: [detailed] },
  ],
};

describeRules(openaiChat, {
  headers: key,
  examples,
  refusal: openaiRefusal,
  bodyBreaks: ["body", "model", "messages"],
  strange: [
    { messages: {} },
    { messages: [null, 1, []] },
    { messages: [{ role: "assistant", tool_calls: [null, {}] }], tools: [null, 1] },
  ],
  sent,
});

describe("openai-chat rules", () => {
  it("let an empty list stand beside calls, as the server does", () => {
    const body = turns({ ...asks(call("c1")), content: [] }, answers("c1"));
    expect(openaiChat.checkRequest(body, key)).toEqual([]);
    const silent = turns({ role: "assistant", content: [] });
    expect(openaiChat.checkRequest(silent, key)).toMatchObject([{ rule: "openai-chat/content" }]);
  });

  it("let a request end without an answer to its instructions", () => {
    expect(openaiChat.checkRequest(request({ messages: [{ role: "system", content: "Be brief." }] }), key)).toEqual([]);
  });
});
