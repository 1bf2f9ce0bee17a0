// What both OpenAI adapters send for settings, a choice of tools and a form of the output.

import { describe, expect, test } from "vitest";
import { losses as openaiChatLosses } from "../openai-chat/losses.ts";
import { losses as openaiResponsesLosses } from "../openai-responses/losses.ts";
import * as chat from "../openai-chat/index.ts";
import * as responses from "../openai-responses/index.ts";
import { isStrictSchema } from "./strict-schema.ts";
import type { Message, ModelRequest, ModelSettings } from "../../../schemas/types.ts";

const model = "gpt-x";
const user: Message = { role: "user", content: "Hello" };
const look = { name: "look", input_schema: { type: "object" as const, properties: {} } };
const closed = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const adapters = { chat, responses };

type Fields = Record<string, unknown>;

function send(name: keyof typeof adapters, asked: Partial<ModelRequest>, request: Fields = {}, max_tokens?: number) {
  const settings = { model, transport: "json" as const, request, max_tokens };
  const { body, warnings } = adapters[name].renderRequest({ messages: [user], tools: [], ...asked }, settings);
  const {
    model: _model,
    messages: _messages,
    input: _input,
    tools: _tools,
    store: _store,
    include: _include,
    ...rest
  } = body;
  return { sent: rest as Fields, warned: warnings };
}

const both = { chat: openaiChatLosses, responses: openaiResponsesLosses };

/** Settings, and the fields that they become. */
const mapped: [ModelSettings, chat: Fields, responses: Fields][] = [
  [{ max_output_tokens: 100 }, { max_completion_tokens: 100 }, { max_output_tokens: 100 }],
  [{ temperature: 0 }, { temperature: 0 }, { temperature: 0 }],
  [{ top_p: 0.5 }, { top_p: 0.5 }, { top_p: 0.5 }],
  [{ effort: "xhigh" }, { reasoning_effort: "xhigh" }, { reasoning: { effort: "xhigh" } }],
  [{ effort: "none" }, { reasoning_effort: "none" }, { reasoning: { effort: "none" } }],
  [{ thinking: { mode: "off" } }, { reasoning_effort: "none" }, { reasoning: { effort: "none" } }],
  [{ thinking: { mode: "adaptive" } }, {}, {}],
  [{ effort: "low", thinking: { mode: "adaptive" } }, { reasoning_effort: "low" }, { reasoning: { effort: "low" } }],
  [{ cache: "off" }, { prompt_cache_options: { mode: "explicit" } }, { prompt_cache_options: { mode: "explicit" } }],
];

describe.each(["chat", "responses"] as const)("%s", (name) => {
  test.each(mapped)("sends the setting %o", (settings, forChat, forResponses) => {
    const { sent, warned } = send(name, { settings });
    expect(sent).toStrictEqual(name === "chat" ? forChat : forResponses);
    expect(warned).toEqual([]);
  });

  test("says nothing of what nobody set", () => {
    expect(send(name, {}).sent).toStrictEqual({});
    expect(send(name, { settings: {} }).sent).toStrictEqual({});
  });

  test("keeps its own limit for requests that have none", () => {
    const field = name === "chat" ? "max_completion_tokens" : "max_output_tokens";
    expect(send(name, {}, {}, 50).sent).toStrictEqual({ [field]: 50 });
    expect(send(name, { settings: { max_output_tokens: 100 } }, {}, 50).sent).toStrictEqual({ [field]: 100 });
  });

  test("has the fields that it was given win", () => {
    const settings = { temperature: 0.5, effort: "low" as const };
    expect(send(name, { settings }, { temperature: 1 }).sent.temperature).toBe(1);
  });

  test("warns of an effort where the model is not to think, and of a budget", () => {
    const off = send(name, { settings: { effort: "high", thinking: { mode: "off" } } });
    expect(JSON.stringify(off.sent)).toContain('"none"');
    expect(off.warned).toMatchObject([{ code: both[name].effort.code }]);
    const budget = send(name, { settings: { thinking: { mode: "budget", budget_tokens: 2000 } } });
    expect(budget.sent).toStrictEqual({});
    expect(budget.warned).toMatchObject([{ code: "setting_dropped", message: expect.stringContaining("2000") }]);
  });

  test("caches a conversation under the same key while it grows, and another under another", () => {
    const keyOf = (...messages: Message[]) =>
      send(name, { messages, settings: { cache: "prefix" } }).sent.prompt_cache_key;
    const system: Message = { role: "system", content: "Be brief." };
    const key = keyOf(system, user);
    expect(key).toMatch(/^[0-9a-z]{14}$/);
    expect(keyOf(system, user, { role: "assistant", content: "Hi" }, user)).toBe(key);
    expect(keyOf(system, { role: "user", content: "Ho" })).not.toBe(key);
    expect(keyOf(user)).not.toBe(key);
  });

  test("says how tools are to be called only where there are some", () => {
    const settings = { parallel_tool_calls: false };
    expect(send(name, { settings }).sent).toStrictEqual({});
    expect(send(name, { settings, tools: [look] }).sent).toStrictEqual({ parallel_tool_calls: false });
    for (const tool_choice of ["auto", "none", "required"] as const) {
      expect(send(name, { tools: [look], tool_choice }).sent).toStrictEqual({ tool_choice });
      const { sent, warned } = send(name, { tool_choice });
      expect(sent).toStrictEqual({});
      expect(warned.map(({ code }) => code)).toEqual(tool_choice === "required" ? ["setting_dropped"] : []);
    }
  });

  test("names the tool that is chosen as it is declared", () => {
    const chosen = (tool: string, other?: string) => {
      const { sent, warned } = send(name, { tools: [{ ...look, name: tool }], tool_choice: { name: other ?? tool } });
      return { choice: sent.tool_choice, codes: warned.map(({ code }) => code) };
    };
    const form = (called: unknown) =>
      name === "chat" ? { type: "function", function: { name: called } } : { type: "function", name: called };
    expect(chosen("look")).toEqual({ choice: form("look"), codes: [] });
    expect(chosen("look up")).toEqual({ choice: form(expect.stringMatching(/^look_up_\w+$/)), codes: ["id_mapped"] });
    expect(chosen("look", "listen")).toEqual({ choice: undefined, codes: ["setting_dropped"] });
  });

  test("asks for a form, strictly where the schema is strict", () => {
    const formOf = (schema: Fields) => {
      const { sent } = send(name, { output_format: { name: "answer", schema } });
      const { response_format: ofChat, text: ofResponses } = sent as Record<
        string,
        { json_schema?: Fields; format?: Fields }
      >;
      return name === "chat" ? { type: "json_schema", ...ofChat?.json_schema } : ofResponses?.format;
    };
    expect(formOf(closed)).toStrictEqual({ type: "json_schema", name: "answer", schema: closed, strict: true });
    const open = { type: "object", properties: {} };
    expect(formOf(open)).toStrictEqual({ type: "json_schema", name: "answer", schema: open, strict: false });
  });
});

test("chat sends four stop sequences, and warns of more", () => {
  expect(send("chat", { settings: { stop_sequences: ["a"] } })).toEqual({ sent: { stop: ["a"] }, warned: [] });
  const { sent, warned } = send("chat", { settings: { stop_sequences: ["a", "b", "c", "d", "e"] } });
  expect(sent).toStrictEqual({ stop: ["a", "b", "c", "d"] });
  expect(warned).toMatchObject([{ code: "setting_dropped" }]);
});

test("chat sends the limit under its old name where it was given that", () => {
  const { sent } = send("chat", { settings: { max_output_tokens: 100 } }, { max_tokens: 80 });
  expect(sent).toStrictEqual({ max_tokens: 80 });
});

test("responses asks for a summary of the thinking, and keeps what else it was given of a group", () => {
  const settings: ModelSettings = { effort: "low", thinking: { mode: "adaptive", display: "summarized" } };
  expect(send("responses", { settings }).sent).toStrictEqual({ reasoning: { effort: "low", summary: "auto" } });
  const extra = { reasoning: { summary: "detailed" }, text: { verbosity: "low" } };
  expect(send("responses", { settings, output_format: { name: "a", schema: closed } }, extra).sent).toMatchObject({
    reasoning: { effort: "low", summary: "detailed" },
    text: { verbosity: "low", format: { name: "a" } },
  });
  const omitted = send("responses", { settings: { thinking: { mode: "adaptive", display: "omitted" } } });
  expect(omitted).toEqual({ sent: {}, warned: [] });
});

describe("a schema is strict", () => {
  const string = { type: "string" };
  const object = (properties: Fields, more: Fields = {}) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  });
  const strict: Fields[] = [
    closed,
    object({}),
    object({ a: { type: ["string", "null"] }, b: { type: "array", items: object({ c: { enum: [1, 2] } }) } }),
    object({ a: { anyOf: [string, object({})] } }),
    object({ a: { $ref: "#/$defs/a" } }, { $defs: { a: object({}) } }),
    object({ a: { type: "string", pattern: "^a", format: "date" }, b: { type: "integer", minimum: 1 } }),
  ];
  const loose: Fields[] = [
    {},
    string,
    object({ a: string }, { required: [] }),
    object({ a: string }, { additionalProperties: true }),
    { type: "object", additionalProperties: false },
    object({ a: {} }),
    object({ a: { type: "array" } }),
    object({ a: { type: "string", minLength: 1 } }),
    object({ a: { type: "string", format: "color" } }),
    object({ a: { type: "object", properties: { b: string } } }),
    object({ a: { type: "array", items: { type: "object" } } }),
    object({ a: { allOf: [string] } }),
    object({ a: { type: ["object", "null"] } }),
    object({}, { anyOf: [object({})] }),
    object({ a: { $ref: "#/$defs/a" } }, { $defs: { a: { type: "object" } } }),
  ];

  test.each(strict)("%j", (schema) => expect(isStrictSchema(schema)).toBe(true));
  test.each(loose)("or not: %j", (schema) => expect(isStrictSchema(schema)).toBe(false));
});
