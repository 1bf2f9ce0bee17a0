// What the openai-responses adapter sends.

import { describe, expect, test } from "vitest";
import { losses } from "./losses.ts";
import { renderRequest } from "./index.ts";
import type { RenderSettings } from "./index.ts";
import type { Message, ModelRequest, Part } from "../../../schemas/types.ts";

const model = "gpt-x";
const own = { provider: "openai-responses", model };
const user: Message = { role: "user", content: "Hello" };
const call = (id: string, opaque = {}): Message => {
  return { type: "tool_call", id, name: "look", input: {}, opaque: { ...own, ...opaque } };
};
const result = (id: string, output: string | Part[] = "ok"): Message => ({ type: "tool_result", id, output });
const thinking = (opaque = {}): Message => {
  return { type: "thinking", content: "Hm.", opaque: { ...own, id: "rs_1", summary: [], ...opaque } };
};
const encrypted = { encrypted_content: "e" };
const text = (content: string, opaque = {}): Message => ({ role: "assistant", content, opaque: { ...own, ...opaque } });

function render(messages: Message[], settings: Partial<RenderSettings> = {}, asked: Partial<ModelRequest> = {}) {
  const request = { tools: [], ...asked, messages };
  const { body, warnings, renamed } = renderRequest(request, { model, ...settings });
  const input = body.input as Record<string, unknown>[];
  return { body, input, warned: warnings.map(({ code }) => code), renamed };
}

describe("a request", () => {
  test("has leading instructions apart, and later ones in their place", () => {
    const { body, input } = render([
      { role: "system", content: "A" },
      { role: "system", content: "B" },
      user,
      { role: "system", content: "Later" },
    ]);
    expect(body).toMatchObject({ instructions: "A\n\nB", store: false, include: ["reasoning.encrypted_content"] });
    expect(input).toEqual([user, { role: "system", content: "Later" }]);
    expect(render([{ role: "system", content: "A" }]).body).toMatchObject({ instructions: "A", input: [] });
  });

  test("leaves messages out that say nothing, and says which", () => {
    const empty: Message = { role: "system", content: "" };
    const messages: Message[] = [empty, user, empty, { role: "user", content: [] }];
    const { body, warnings } = renderRequest({ messages, tools: [] }, { model });
    expect(body).not.toHaveProperty("instructions");
    expect(body.input).toEqual([user]);
    const code = "empty_message_dropped";
    expect(warnings).toEqual([
      { code, message: "a system message without text was left out" },
      { code, message: "a system message without text was left out" },
      { code, message: "a user message without content was left out" },
    ]);
  });

  test("sends what the model made as the items that it made", () => {
    const search = { type: "web_search_call", id: "ws_1", status: "completed" };
    const { input, warned } = render([
      user,
      thinking(encrypted),
      { type: "provider_item", ...own, item: search },
      text("One. ", { id: "msg_1", phase: "commentary", annotations: [{ type: "url_citation" }] }),
      text("No.", { id: "msg_1", phase: "commentary", type: "refusal" }),
      call("a", { id: "fc_1", namespace: "n", response_id: "resp_1" }),
      result("a"),
    ]);
    expect(warned).toEqual([]);
    expect(input.slice(1)).toEqual([
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" },
      search,
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        status: "completed",
        phase: "commentary",
        content: [
          { type: "output_text", text: "One. ", annotations: [{ type: "url_citation" }] },
          { type: "refusal", refusal: "No." },
        ],
      },
      { type: "function_call", id: "fc_1", call_id: "a", name: "look", arguments: "{}", namespace: "n" },
      { type: "function_call_output", call_id: "a", output: "ok" },
    ]);
  });

  test("sends what another made without what only its maker can read", () => {
    const other = { provider: "openai-responses", model: "gpt-y", id: "x" };
    const { input, warned } = render([
      user,
      { type: "thinking", content: "Hm.", opaque: { ...other, ...encrypted } },
      { role: "assistant", content: "Yes.", opaque: other },
      { type: "tool_call", id: "a", name: "look", input: null, raw_input: "[", opaque: other },
      result("a"),
    ]);
    expect(warned).toEqual(["thinking_dropped"]);
    expect(input.slice(1, 3)).toEqual([
      { role: "assistant", content: "Yes." },
      { type: "function_call", call_id: "a", name: "look", arguments: "{}" },
    ]);
  });

  test("leaves reasoning out that is only a reference, and the ids of what follows it", () => {
    const messages = [user, text("First.", { id: "msg_1" }), thinking(), call("a", { id: "fc_1" }), result("a")];
    const { input, warned } = render(messages);
    expect(warned).toEqual(["thinking_dropped"]);
    expect(input.slice(1, 3)).toMatchObject([{ id: "msg_1" }, { type: "function_call", call_id: "a" }]);
    expect(input[2]).not.toHaveProperty("id");
    const stored = render(messages, { request: { store: true } });
    expect(stored.warned).toEqual([]);
    expect(stored.input[2]).toEqual({ type: "reasoning", id: "rs_1", summary: [] });
    const open = render([
      user,
      thinking({ content: [{ type: "reasoning_text", text: "Hm." }] }),
      call("a"),
      result("a"),
    ]);
    expect(open.input[1]).toMatchObject({ type: "reasoning", content: [{ text: "Hm." }] });
  });

  test("does not say of a text or a call without its id that it is complete", () => {
    const { input } = render([
      user,
      thinking(),
      text("Yes.", { id: "msg_1" }),
      call("a", { id: "fc_1", status: "incomplete" }),
      call("b", { id: "ctc_1", status: "incomplete", type: "custom_tool_call" }),
    ]);
    expect(input.slice(1)).toStrictEqual([
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes.", annotations: [] }] },
      { type: "function_call", call_id: "a", name: "look", arguments: "{}" },
      { type: "custom_tool_call", call_id: "b", name: "look", input: "" },
    ]);
  });

  test("leaves reasoning out that nothing follows", () => {
    const { input, warned } = render([user, thinking(encrypted), user]);
    expect(input).toEqual([user, user]);
    expect(warned).toEqual(["thinking_dropped"]);
  });

  test("answers custom tools in their own form", () => {
    const custom = { type: "custom_tool_call", id: "ctc_1" };
    const asked: Message = { ...call("a", custom), input: { input: "print()" } } as Message;
    expect(render([user, asked, result("a", "4")]).input.slice(1)).toEqual([
      { type: "custom_tool_call", id: "ctc_1", call_id: "a", name: "look", input: "print()" },
      { type: "custom_tool_call_output", call_id: "a", output: "4" },
    ]);
  });

  test("answers a program of the provider, and under the id that the server knows", () => {
    const caller = { type: "program", caller_id: "prog_1" };
    const { input } = render([user, call("a", { call_id: "known", caller }), result("a")]);
    expect(input.slice(1)).toMatchObject([
      { call_id: "known", caller },
      { type: "function_call_output", call_id: "known", caller },
    ]);
  });

  test("sends images and documents, also in results", () => {
    const parts: Part[] = [
      { type: "text", text: "Look" },
      { type: "image", media_type: "image/png", data: "AA==" },
      { type: "document", media_type: "application/pdf", data: "AA==", title: "a.pdf" },
      { type: "document", url: "https://example.com/b.pdf" },
      { type: "document", media_type: "text/plain", data: btoa("Hi") },
    ];
    const expected = [
      { type: "input_text", text: "Look" },
      { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "auto" },
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" },
      { type: "input_file", file_url: "https://example.com/b.pdf" },
      { type: "input_text", text: "Hi" },
    ];
    const { input } = render([{ role: "user", content: parts }, call("a"), result("a", parts)]);
    expect(input[0]).toEqual({ role: "user", content: expected });
    expect(input[2]).toMatchObject({ output: expected });
    expect(render([user, call("a"), result("a", [])]).input[2]).toMatchObject({ output: "" });
  });

  test("maps ids and names that the API refuses, and declares tools loosely", () => {
    const long = "x".repeat(65);
    const tools = [{ name: "a b", description: "d", input_schema: { type: "object" as const } }];
    const { body, warnings, renamed } = renderRequest({ messages: [user, call(long), result(long)], tools }, { model });
    const [, asked, answered] = body.input as { call_id: string }[];
    expect(asked?.call_id).toHaveLength(64);
    expect(answered?.call_id).toBe(asked?.call_id);
    expect(warnings.map(({ code }) => code)).toEqual(["id_mapped", "id_mapped", "id_mapped"]);
    const [declared] = body.tools as { name: string }[];
    expect(declared).toEqual({
      type: "function",
      name: expect.stringMatching(/^[\w-]{1,64}$/),
      description: "d",
      parameters: { type: "object", properties: {} },
      strict: false,
    });
    expect(renamed.get(declared!.name)).toBe("a b");
  });
});

test.each(["stateless", "server", "whole"] as const)(
  "%s: a custom call of the server goes back only with its output",
  (conversation) => {
    const ofServer = (item: Record<string, unknown>): Message => ({ type: "provider_item", ...own, item });
    const searched = (call_id?: unknown) => ofServer({ type: "custom_tool_call", call_id, name: "search", input: "" });
    const found = ofServer({ type: "custom_tool_call_output", call_id: "b", output: "Found." });
    const { input, warned } = render([user, searched("a"), searched(), searched("b"), found, call("c"), result("c")], {
      conversation,
    });
    expect(input.map(({ type, call_id }) => [type, call_id])).toEqual([
      [undefined, undefined],
      ["custom_tool_call", "b"],
      ["custom_tool_call_output", "b"],
      ["function_call", "c"],
      ["function_call_output", "c"],
    ]);
    expect(warned).toEqual(["provider_item_dropped", "provider_item_dropped"]);
  },
);

test("what the application gives for the body wins, of a group field by field", () => {
  const request = { truncation: "auto", reasoning: { context: "all" }, text: { verbosity: "low" } };
  const { body } = render(
    [user],
    { request },
    { settings: { effort: "low" }, output_format: { name: "a", schema: {} } },
  );
  expect(body).toMatchObject({
    truncation: "auto",
    reasoning: { effort: "low", context: "all" },
    text: { format: { name: "a" }, verbosity: "low" },
  });
});

test("every loss that is warned of is warned of with its code", () => {
  const tool = { name: "look", input_schema: { type: "object" as const } };
  const asked = (more: Partial<ModelRequest>) => ({ messages: [user], tools: [tool], ...more });
  const shown: Record<keyof typeof losses, Message[] | ModelRequest> = {
    isError: [user, call("a"), { ...result("a"), is_error: true } as Message],
    thinking: [user, { type: "thinking", content: "Hm." }],
    reference: [user, thinking(), text("Yes.")],
    itemIds: [],
    item: [user, { type: "provider_item", provider: "telepathy", item: {} }],
    unanswered: [
      { type: "provider_item", provider: "openai-responses", item: { type: "shell_call", call_id: "s" } },
      user,
    ],
    unknown: [{ role: "user", content: [{ type: "smell" } as unknown as Part, { type: "text", text: "x" }] }],
    emptyPart: [
      {
        role: "user",
        content: [
          { type: "text", text: "" },
          { type: "text", text: "x" },
        ],
      },
    ],
    emptyMessage: [user, { role: "assistant", content: "" }],
    name: [user, call("x".repeat(65))],
    logprobs: [user, text("Yes.", { logprobs: [1] })],
    surrogate: [{ role: "user", content: "a\ud83d" }],
    stop: asked({ settings: { stop_sequences: ["."] } }),
    budget: asked({ settings: { thinking: { mode: "budget", budget_tokens: 1000 } } }),
    effort: asked({ settings: { effort: "low", thinking: { mode: "off" } } }),
    choice: asked({ tool_choice: { name: "listen" } }),
  };
  for (const [name, { code }] of Object.entries(losses)) {
    const given = shown[name as keyof typeof losses];
    const { warned, body } = Array.isArray(given) ? render(given) : render(given.messages, {}, given);
    expect([name, warned]).toEqual([name, code === null ? [] : [code]]);
    expect(JSON.stringify(body)).not.toMatch(/logprobs|\\ud83d/);
  }
});
