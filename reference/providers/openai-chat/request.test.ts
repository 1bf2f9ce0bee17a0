// What the openai-chat adapter sends.

import { describe, expect, test } from "vitest";
import { renderRequest } from "./index.ts";
import type { Message, Part } from "../../../schemas/types.ts";

const model = "gpt-x";
const own = { provider: "openai-chat", model };
const user: Message = { role: "user", content: "Hello" };
const call = (id: string, input: Record<string, unknown> | null = {}): Message => {
  return { type: "tool_call", id, name: "look", input, ...(input === null && { raw_input: "{" }) };
};
const result = (id: string, output: string | Part[] = "ok"): Message => ({ type: "tool_result", id, output });
const wireCall = (id: string, written = "{}") => ({
  id,
  type: "function",
  function: { name: "look", arguments: written },
});

function sent(messages: Message[]) {
  return renderRequest({ messages, tools: [] }, { model }).body.messages as Record<string, unknown>[];
}

describe("a request", () => {
  test("groups a response into one message, and its results into one each", () => {
    const messages = sent([
      { role: "system", content: "A" },
      { role: "system", content: "B" },
      user,
      { role: "assistant", content: "I " },
      { role: "assistant", content: "look." },
      call("a", { at: 1 }),
      call("b", null),
      result("a"),
      result("b", [
        { type: "text", text: "x" },
        { type: "text", text: "y" },
      ]),
      { role: "system", content: "Later" },
      user,
    ]);
    expect(messages).toEqual([
      { role: "system", content: "A\n\nB" },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "I look.", tool_calls: [wireCall("a", '{"at":1}'), wireCall("b")] },
      { role: "tool", tool_call_id: "a", content: "ok" },
      { role: "tool", tool_call_id: "b", content: "x\ny" },
      { role: "system", content: "Later" },
      { role: "user", content: "Hello" },
    ]);
  });

  test("has one system message where nothing else is said", () => {
    const messages: Message[] = ["A", "B"].map((content) => ({ role: "system", content }));
    expect(sent(messages)).toEqual([{ role: "system", content: "A\n\nB" }]);
  });

  test("moves images of results behind the last result", () => {
    const image: Part = { type: "image", media_type: "image/png", data: "AA==" };
    const messages = sent([user, call("a"), call("b"), result("a", [image]), result("b"), user]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "user", "user"]);
    expect(messages[1]).toMatchObject({ content: null });
    expect(messages[2]).toMatchObject({ content: "The output is in the next user message." });
    const [one, two] = ["x", "y"].map((text): Part => ({ type: "text", text }));
    expect(sent([user, call("a"), result("a", [one!, image, two!])])[2]).toMatchObject({ content: "x\ny" });
    expect(messages[4]?.content).toEqual([
      { type: "text", text: "Output of the call a:" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
    ]);
  });

  test("asks for usage when it streams, and gives every tool properties", () => {
    const tools = [{ name: "ping", input_schema: { type: "object" as const } }];
    expect(renderRequest({ messages: [user], tools }, { model }).body).toStrictEqual({
      model,
      messages: [{ role: "user", content: "Hello" }],
      tools: [{ type: "function", function: { name: "ping", parameters: { type: "object", properties: {} } } }],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(renderRequest({ messages: [user], tools: [] }, { model, transport: "json" }).body).not.toHaveProperty(
      "stream",
    );
  });

  test("has what its own settings say beside what it asks for itself", () => {
    const extra = { max_tokens: 9, stream_options: { include_obfuscation: false } };
    const request = { messages: [user], tools: [], settings: { max_output_tokens: 5 } };
    const { body } = renderRequest(request, { model, request: extra });
    expect(body).toMatchObject({ max_tokens: 9, stream_options: { include_usage: true, include_obfuscation: false } });
    expect(body).not.toHaveProperty("max_completion_tokens");
  });

  test("sends thinking back in its field, and to nobody else", () => {
    const thinking: Message = { type: "thinking", content: "hm", opaque: { ...own, field: "reasoning_content" } };
    const foreign: Message = {
      type: "thinking",
      content: "no",
      opaque: { ...own, model: "other", field: "reasoning" },
    };
    const { body, warnings } = renderRequest(
      { messages: [user, foreign, thinking, call("a"), result("a")], tools: [] },
      { model },
    );
    expect((body.messages as unknown[])[1]).toEqual({
      role: "assistant",
      content: null,
      reasoning_content: "hm",
      tool_calls: [wireCall("a")],
    });
    expect(warnings.map(({ code }) => code)).toEqual(["thinking_dropped"]);
  });

  test("shortens ids, alike in call and result", () => {
    const id = "x".repeat(41);
    const [, assistant, tool] = sent([user, call(id), result(id)]);
    const short = (assistant!.tool_calls as { id: string }[])[0]?.id;
    expect(short).toHaveLength(40);
    expect(tool?.tool_call_id).toBe(short);
  });

  test("tells which tools have another name there, and no others", () => {
    const tools = ["look", "look up"].map((name) => ({ name, input_schema: { type: "object" as const } }));
    const { body, renamed } = renderRequest({ messages: [user], tools }, { model });
    const names = (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name);
    expect(names[0]).toBe("look");
    expect([...renamed]).toEqual([[names[1], "look up"]]);
  });

  test("carries documents as files, and plain text as text", () => {
    const parts: Part[] = [
      { type: "document", media_type: "application/pdf", data: "AA==", title: "a.pdf" },
      { type: "document", media_type: "text/plain", data: btoa("hi") },
      { type: "document", url: "https://example.com/a.pdf" },
    ];
    expect(sent([{ role: "user", content: parts }])[0]?.content).toEqual([
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" } },
      { type: "text", text: "hi" },
    ]);
  });
});

describe("of messages of which little is left", () => {
  test("sends a text of the user that is empty as it is, and not as null [LOOP-1]", () => {
    const nothing: Message = { role: "user", content: "" };
    const sentBack = sent([nothing, { role: "assistant", content: "You said nothing." }, user]);
    expect(sentBack).toEqual([nothing, { role: "assistant", content: "You said nothing." }, user]);
  });

  const rendered = (messages: Message[]) => {
    const { body, warnings } = renderRequest({ messages, tools: [] }, { model });
    return { sent: (body.messages as unknown[]).slice(1, -1), warned: warnings.map(({ message }) => message) };
  };
  const between = (message: Message) => rendered([user, message, user]);
  const thinking = (field: string): Message => ({ type: "thinking", content: "hm", opaque: { ...own, field } });

  test("an empty one is not sent, wherever it stands", () => {
    const system: Message = { role: "system", content: "" };
    const empty = "a system message without text was left out";
    expect(sent([system, user])).toEqual([{ role: "user", content: "Hello" }]);
    expect(between(system)).toEqual({ sent: [], warned: [empty] });
    expect(rendered([system, user, system, user])).toEqual({ sent: [], warned: [empty, empty] });
    expect(between({ role: "user", content: [] })).toEqual({
      sent: [],
      warned: ["a user message without content was left out"],
    });
    expect(between({ role: "assistant", content: "" })).toEqual({
      sent: [],
      warned: ["a text of the model that is empty was left out"],
    });
  });

  test("thinking alone is sent only where it is content", () => {
    expect(between(thinking("reasoning_content"))).toEqual({
      sent: [],
      warned: ["the fields reasoning_content of a message were left out: nothing is beside them"],
    });
    const content = [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }];
    expect(between(thinking("content"))).toEqual({ sent: [{ role: "assistant", content }], warned: [] });
  });

  test("several fields that are left out are named in one warning", () => {
    const item = { type: "message", extra_content: { signature: "abc" } };
    const messages: Message[] = [user, thinking("reasoning"), { type: "provider_item", ...own, item }, user];
    expect(rendered(messages)).toEqual({
      sent: [],
      warned: ["the fields reasoning, extra_content of a message were left out: nothing is beside them"],
    });
  });
});
