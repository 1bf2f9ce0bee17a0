// Each rule of OpenAI's Responses API: a request that it accepts, and one that it refuses.

import { describe, expect, it } from "vitest";
import type { AnsweredRequest, ScriptedResponse } from "../../codec.ts";
import { openaiRefusal } from "../../testing/openai-samples.ts";
import { checkOf, describeRules, plain, type Example } from "../../testing/rules-contract.ts";
import { call as scriptedCall, toolTurn } from "../../testing/scripted.ts";
import { openaiResponses } from "../index.ts";

const key = { "content-type": "application/json", authorization: "Bearer test-key" };
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ type: "message", role: "assistant", content });
const call = (call_id: unknown, more = {}) => ({
  type: "function_call",
  call_id,
  name: "get_weather",
  arguments: '{"city":"Paris"}',
  ...more,
});
const result = (call_id: unknown, output: unknown = "18 °C") => ({ type: "function_call_output", call_id, output });
const custom = (call_id: unknown) => ({ type: "custom_tool_call", call_id, name: "note", input: "Paris" });
const reasoning = (more = {}) => ({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2ln", ...more });
const tool = (more = {}) => ({
  type: "function",
  name: "get_weather",
  parameters: { type: "object", properties: {} },
  strict: false,
  ...more,
});
const request = (more = {}) => ({ model: "replay", input: [user("Hi")], ...more });
const turns = (...items: unknown[]) => request({ input: [user("Hi"), ...items] });

const sent = toolTurn([{ thinking: "hm", signature: "c2ln" }, scriptedCall("c1")], { id: "1" });
/** The call that `sent` has after its reasoning. */
const led = call("c1", { id: "fc_1_1" });
/** The server state after it answered the request with `sent`. */
const stateAfter = (body: unknown = request()): AnsweredRequest[] => [
  { request: body, wire: openaiResponses.renderResponse(sent, "json", body) },
];

const format = (more: object) => request({ text: { format: { type: "json_schema", ...more } } });
const closed = { type: "object", properties: {}, additionalProperties: false };
const later = (body: unknown, earlier = stateAfter()): Example => ({ body, sent: [sent], earlier });

/** By rule: accepted, then refused. */
const shell = { type: "shell_call", call_id: "c1", action: { commands: ["ls"] } };

const examples: Record<string, [accepted: Example, refused: Example]> = {
  authentication: [plain(request()), { body: request(), headers: { "content-type": "application/json" } }],
  "content-type": [plain(request()), { body: request(), headers: { authorization: "Bearer test-key" } }],
  body: [plain(request()), plain("Hi")],
  model: [plain(request({ model: undefined, prompt: { id: "pmpt_1" } })), plain(request({ model: undefined }))],
  "unknown-fields": [plain(request({ max_output_tokens: 50 })), plain(request({ messages: [user("Hi")] }))],
  "field-types": [plain(request({ stream: true, store: null })), plain(request({ stream: "true" }))],
  unicode: [plain(request({ input: "a 😀" })), plain(request({ input: "half of one: \udc00" }))],
  "stream-options": [
    plain(request({ stream: true, stream_options: { include_obfuscation: false } })),
    plain(request({ stream_options: { include_obfuscation: false } })),
  ],
  "max-output-tokens": [plain(request({ max_output_tokens: 16 })), plain(request({ max_output_tokens: 15 }))],
  sampling: [plain(request({ temperature: 2, top_p: 0 })), plain(request({ top_p: 1.5 }))],
  "sampling-of-reasoning-models": [
    plain(request({ model: "gpt-5.6", temperature: 0 })),
    plain(request({ model: "gpt-5", temperature: 0 })),
  ],
  "prompt-cache": [
    plain(request({ prompt_cache_key: "x".repeat(64) })),
    plain(request({ prompt_cache_options: { mode: "never" } })),
  ],
  "reasoning-settings": [
    plain(request({ reasoning: { effort: "minimal", summary: "auto" } })),
    plain(request({ reasoning: { effort: "minimal", summary: "summarized" } })),
  ],
  "text-format": [
    plain(format({ name: "answer", schema: {} })),
    plain(format({ json_schema: { name: "answer", schema: {} } })),
  ],
  "strict-format": [
    plain(format({ name: "answer", schema: closed, strict: true })),
    plain(format({ name: "answer", schema: { ...closed, allOf: [] }, strict: true })),
  ],
  include: [plain(request({ include: ["reasoning.encrypted_content"] })), plain(request({ include: ["reasoning"] }))],
  "input-given": [
    plain(request({ input: [], previous_response_id: "resp_1" })),
    plain(request({ input: [], instructions: "Be brief." })),
  ],
  "previous-response": [
    later(request({ previous_response_id: "resp_1", input: [result("c1")] })),
    later(request({ previous_response_id: "resp_1", input: [user("Go on.")] }), stateAfter(request({ store: false }))),
  ],
  "tool-type": [
    plain(request({ tools: [tool(), { type: "web_search" }] })),
    plain(request({ tools: [{ name: "get_weather", input_schema: {} }] })),
  ],
  "tool-name": [
    plain(request({ tools: [tool({ name: "x".repeat(64) })] })),
    plain(request({ tools: [{ type: "function", function: { name: "get_weather" } }] })),
  ],
  "tool-parameters": [
    plain(request({ tools: [tool({ parameters: null })] })),
    plain(request({ tools: [tool({ parameters: { type: "object" } })] })),
  ],
  "strict-parameters": [
    plain(
      request({
        tools: [
          tool({
            strict: true,
            parameters: {
              type: "object",
              properties: { city: { type: "string" } },
              required: ["city"],
              additionalProperties: false,
            },
          }),
        ],
      }),
    ),
    plain(
      request({
        tools: [
          tool({
            strict: true,
            parameters: {
              type: "object",
              properties: { at: { anyOf: [{ type: "object", properties: { x: {} } }] } },
              required: ["at"],
              additionalProperties: false,
            },
          }),
        ],
      }),
    ),
  ],
  "tool-choice": [
    plain(request({ tools: [tool()], tool_choice: { type: "function", name: "get_weather" } })),
    plain(request({ tool_choice: "required" })),
  ],
  input: [plain(request({ input: "Hi" })), plain(request({ input: ["Hi"] }))],
  "item-type": [plain(turns({ type: "compaction", encrypted_content: "x" })), plain(turns({ type: "tool_use" }))],
  "item-fields": [
    plain(turns(call("c1", { status: "completed" }), result("c1"))),
    plain(turns(reasoning({ status: null }), call("c1"), result("c1"))),
  ],
  "item-id": [
    plain(turns(call("c1", { id: "fc_1" }), result("c1"))),
    plain(turns(call("call_1", { id: "call_1" }), result("call_1"))),
  ],
  "item-ids-unique": [
    later(request({ previous_response_id: "resp_1", input: [result("c1")] })),
    plain(turns(call("c1", { id: "fc_1" }), call("c2", { id: "fc_1" }), result("c1"), result("c2"))),
  ],
  "item-known": [
    later(turns({ type: "item_reference", id: "rs_1_0" }, { id: "fc_1_1" }, result("c1"))),
    later(turns({ type: "item_reference", id: "rs_1" })),
  ],
  roles: [plain(turns({ role: "developer", content: "Be brief." })), plain(turns({ role: "tool", content: "18 °C" }))],
  content: [plain(turns(assistant("Ho"))), plain(turns(assistant(null)))],
  parts: [
    plain(
      turns(
        assistant([
          { type: "output_text", text: "Ho" },
          { type: "refusal", refusal: "No." },
        ]),
      ),
    ),
    plain(turns(assistant([{ type: "input_text", text: "Ho" }]))),
  ],
  "output-parts": [
    plain(turns(call("c1"), result("c1", [{ type: "input_image", image_url: "data:image/png;base64,iVBO" }]))),
    plain(turns(call("c1"), result("c1", { celsius: 18 }))),
  ],
  "call-id": [
    plain(turns(call("x".repeat(64)), result("x".repeat(64)))),
    plain(turns(call("x".repeat(65)), result("x".repeat(65)))),
  ],
  "call-ids-unique": [
    plain(turns(call("c1"), call("c2"), result("c1"), result("c2"))),
    plain(turns(call("c1"), call("c1"), result("c1"))),
  ],
  "call-name": [
    plain(turns(call("c1"), result("c1"))),
    plain(turns(call("c1", { name: "get.weather" }), result("c1"))),
  ],
  "call-arguments": [
    plain(turns(call("c1", { arguments: "" }), result("c1"))),
    plain(turns(call("c1", { arguments: {} }), result("c1"))),
  ],
  "calls-answered": [
    plain(turns(call("c1"), assistant("I look."), result("c1"))),
    later(request({ previous_response_id: "resp_1", input: [user("Go on.")] })),
  ],
  "shell-calls-answered": [
    plain(turns(shell, { type: "shell_call_output", call_id: "c1", output: [] }, user("Go on."))),
    plain(turns(shell, user("Go on."))),
  ],
  "output-known": [
    plain(request({ previous_response_id: "resp_1", input: [result("c1")] })),
    plain(turns(result("c1"))),
  ],
  "output-type": [
    plain(turns(custom("c1"), { ...result("c1"), type: "custom_tool_call_output" })),
    plain(turns(custom("c1"), result("c1"))),
  ],
  "output-single": [plain(turns(call("c1"), result("c1"))), plain(turns(call("c1"), result("c1"), result("c1")))],
  "reasoning-shape": [
    plain(turns(reasoning({ summary: [{ type: "summary_text", text: "hm" }] }), assistant("Ho"))),
    plain(turns(reasoning({ summary: undefined }), assistant("Ho"))),
  ],
  "reasoning-followed": [
    plain(turns(reasoning(), reasoning({ id: "rs_2" }), { type: "web_search_call", id: "ws_1", status: "completed" })),
    plain(turns(reasoning(), user("Go on."))),
  ],
  "reasoning-pair": [
    later(turns(reasoning({ id: "rs_1_0" }), call("c1"), result("c1")), stateAfter(request({ store: false }))),
    later(turns(reasoning({ id: "rs_1_0" }), call("c1"), result("c1"))),
  ],
  "reasoning-known": [
    later(turns(reasoning({ id: "rs_1_0", encrypted_content: null }), led, result("c1"))),
    plain(request({ store: false, input: [user("Hi"), reasoning({ encrypted_content: null }), assistant("Ho")] })),
  ],
  "reasoning-unaltered": [
    later(turns(reasoning({ id: "rs_1_0" }), led, result("c1"))),
    later(turns(reasoning({ id: "rs_1_0", encrypted_content: "c2l" }), led, result("c1"))),
  ],
  "reasoning-kept": [later(turns(call("c1"), result("c1"))), later(turns(call("c1", { id: "fc_1_1" }), result("c1")))],
};

const check = checkOf(openaiResponses, key);

describeRules(openaiResponses, {
  headers: key,
  examples,
  refusal: openaiRefusal,
  bodyBreaks: ["body", "model", "input-given"],
  strange: [
    { input: {} },
    { input: [null, 1, []] },
    {
      input: [{ type: "reasoning" }, { type: "function_call" }, { type: "message" }],
      tools: [null, 1],
      tool_choice: {},
    },
  ],
  sent,
  earlier: stateAfter,
});

describe("openai-responses rules", () => {
  it("answer as the API does: with its status, and with null where it has no code", () => {
    const [unknown] = check(examples["item-known"]![1]);
    expect(unknown).toMatchObject({ status: 404, body: { error: { param: "input", code: null } } });
    const [open] = check(plain(turns(call("c1"))));
    expect(open).toMatchObject({ status: 400, body: { error: { param: "input", code: null } } });
    const [lost] = check(examples["previous-response"]![1]);
    expect(lost?.body).toMatchObject({ error: { param: "previous_response_id", code: "previous_response_not_found" } });
  });

  it("see the whole of a conversation that the server keeps, also over several responses", () => {
    const second = request({ previous_response_id: "resp_1", input: [result("c1")] });
    const answer: ScriptedResponse = { ...sent, parts: [{ text: "18 °C." }], stop_reason: "end_turn", id: "2" };
    const earlier = [...stateAfter(), { request: second, wire: openaiResponses.renderResponse(answer, "sse", second) }];
    const third = (...input: unknown[]) => later(request({ previous_response_id: "resp_2", input }), earlier);
    expect(check(third(user("And Rome?")))).toEqual([]);
    expect(check(third(result("c1"))).map(({ rule }) => rule)).toEqual(["openai-responses/output-single"]);
    expect(check(third(call("c1", { id: "fc_1_1" }), result("c1"))).map(({ rule }) => rule)).toContain(
      "openai-responses/item-ids-unique",
    );
  });
});
