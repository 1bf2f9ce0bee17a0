// What the kit reads of settings, a choice of tools and a form of the output from requests to OpenAI's APIs.

import { describe, expect, it } from "vitest";
import { codecs } from "../codecs.ts";

const chat = { model: "replay", messages: [{ role: "user", content: "Hi" }] };
const responses = { model: "replay", input: "Hi" };
const schema = { type: "object" };

function read(name: "openai-chat" | "openai-responses", more: object) {
  const { settings, tool_choice, output_format } = codecs[name].readRequest({
    ...(name === "openai-chat" ? chat : responses),
    ...more,
  });
  return { settings, tool_choice, output_format };
}

const nothing = { settings: undefined, tool_choice: undefined, output_format: undefined };

/** Fields, and the settings read from them. */
const ofChat: [object, object][] = [
  [{}, {}],
  [{ max_completion_tokens: 100 }, { settings: { max_output_tokens: 100 } }],
  [{ max_tokens: 100 }, { settings: { max_output_tokens: 100 } }],
  [{ stop: "END" }, { settings: { stop_sequences: ["END"] } }],
  [{ stop: ["a", "b"] }, { settings: { stop_sequences: ["a", "b"] } }],
  [{ reasoning_effort: "high" }, { settings: { effort: "high" } }],
  [{ reasoning_effort: "none" }, { settings: { effort: "none", thinking: { mode: "off" } } }],
  [{ tool_choice: { type: "function", function: { name: "look" } } }, { tool_choice: { name: "look" } }],
  [{ tool_choice: { type: "custom", custom: { name: "look" } } }, { tool_choice: { name: "look" } }],
  [
    { response_format: { type: "json_schema", json_schema: { name: "a", schema, strict: false } } },
    { output_format: { name: "a", schema } },
  ],
  [{ response_format: { type: "json_object" } }, {}],
];
const ofResponses: [object, object][] = [
  [{}, {}],
  [{ max_output_tokens: 100 }, { settings: { max_output_tokens: 100 } }],
  [{ reasoning: { effort: "high" } }, { settings: { effort: "high" } }],
  [{ reasoning: { effort: "none" } }, { settings: { effort: "none", thinking: { mode: "off" } } }],
  [{ reasoning: { summary: "auto" } }, { settings: { thinking: { mode: "adaptive", display: "summarized" } } }],
  [{ tool_choice: { type: "function", name: "look" } }, { tool_choice: { name: "look" } }],
  [{ text: { format: { type: "json_schema", name: "a", schema } } }, { output_format: { name: "a", schema } }],
  [{ text: { verbosity: "low" } }, {}],
];
const ofBoth: [object, object][] = [
  [{ temperature: 0, top_p: 0.5 }, { settings: { temperature: 0, top_p: 0.5 } }],
  [{ parallel_tool_calls: false }, { settings: { parallel_tool_calls: false } }],
  [{ prompt_cache_key: "k" }, { settings: { cache: "prefix" } }],
  [{ prompt_cache_options: { mode: "explicit" } }, { settings: { cache: "off" } }],
  [{ tool_choice: "required" }, { tool_choice: "required" }],
];

describe("openai-chat", () => {
  it.each([...ofChat, ...ofBoth])("reads %j", (fields, expected) => {
    expect(read("openai-chat", fields)).toEqual({ ...nothing, ...expected });
  });
});

describe("openai-responses", () => {
  it.each([...ofResponses, ...ofBoth])("reads %j", (fields, expected) => {
    expect(read("openai-responses", fields)).toEqual({ ...nothing, ...expected });
  });
});
