// What the anthropic-messages adapter sends.

import { describe, expect, test } from "vitest";
import { renderRequest } from "./anthropic-messages.ts";
import type { Message, Part } from "../types.ts";

const model = "claude-x";
const user: Message = { role: "user", content: "Hello" };
const call = (id: string, input: Record<string, unknown> | null = {}): Message => {
  return { type: "tool_call", id, name: "look", input, ...(input === null && { raw_input: "{" }) };
};
const result = (id: string, output: string | Part[] = "ok"): Message => ({ type: "tool_result", id, output });

function render(messages: Message[]) {
  return renderRequest({ messages, tools: [] }, { model });
}

function sent(messages: Message[]) {
  return render(messages).body.messages as { role: string; content: Record<string, unknown>[] }[];
}

describe("a request", () => {
  test("groups a response into one message, and its results with what the user says into the next", () => {
    const own = { provider: "anthropic-messages", model };
    const messages = sent([
      user,
      { type: "thinking", content: "hm", opaque: { ...own, signature: "s" } },
      { type: "thinking", content: "", opaque: { ...own, redacted: "r" } },
      { role: "assistant", content: "I look." },
      call("a"),
      call("b", null),
      result("a"),
      { type: "tool_result", id: "b", output: "no", is_error: true },
      { role: "user", content: "And now?" },
      { role: "user", content: "Quick." },
    ]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[1]?.content).toEqual([
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "redacted_thinking", data: "r" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "a", name: "look", input: {} },
      { type: "tool_use", id: "b", name: "look", input: {} },
    ]);
    expect(messages[2]?.content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "ok" },
      { type: "tool_result", tool_use_id: "b", content: "no", is_error: true },
      { type: "text", text: "And now?" },
      { type: "text", text: "Quick." },
    ]);
  });

  test("has what the API demands, and nothing that says nothing", () => {
    expect(render([{ role: "system", content: "A" }, { role: "system", content: "B" }, user]).body).toEqual({
      model,
      max_tokens: 4096,
      system: "A\n\nB",
      messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      stream: true,
    });
  });

  test("begins with the same bytes when the session is longer", () => {
    const short = [user, call("a"), result("a")];
    const long = [...short, { role: "assistant", content: "Done." } as Message, user];
    const [before, after] = [JSON.stringify(sent(short)), JSON.stringify(sent(long))];
    expect(after.startsWith(before.slice(0, -1))).toBe(true);
  });

  test("leaves out thinking and items of others, with a warning", () => {
    const { body, warnings } = render([
      user,
      { type: "thinking", content: "hm", opaque: { provider: "anthropic-messages", model: "other", signature: "s" } },
      { type: "thinking", content: "hm" },
      { type: "provider_item", provider: "openai-chat", item: { type: "x" } },
      { type: "provider_item", provider: "anthropic-messages", model, item: { type: "y" } },
      { role: "assistant", content: " \n" },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual([
      "thinking_dropped",
      "thinking_dropped",
      "provider_item_dropped",
      "empty_message_dropped",
    ]);
    expect((body.messages as unknown[])[1]).toEqual({ role: "assistant", content: [{ type: "y" }] });
  });

  test("sends a later system message where the API takes it", () => {
    const later: Message = { role: "system", content: "Be brief." };
    const messages = sent([user, later, later, { role: "assistant", content: "Yes." }, user, later]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "system", "assistant", "user", "system"]);
    expect(messages[1]?.content).toEqual([{ type: "text", text: "Be brief.\n\nBe brief." }]);
  });

  test.each([
    ["after the model", [user, { role: "assistant", content: "Yes." }, { role: "system", content: "No." }]],
    ["before the user", [user, { role: "system", content: "No." }, user]],
  ])("cannot send a system message %s", (_where, messages) => {
    expect(render(messages as Message[]).unsupported).toContain("system message");
  });

  test("maps ids that the API refuses, alike in call and result", () => {
    const { body, warnings } = render([user, call("a b"), call("a_b"), result("a b"), result("a_b")]);
    const [, assistant, results] = body.messages as { content: Record<string, string>[] }[];
    const ids = assistant?.content.map((block) => block.id);
    expect(results?.content.map((block) => block.tool_use_id)).toEqual(ids);
    expect(ids?.[0]).toMatch(/^a_b_[a-z0-9]+$/);
    expect(ids?.[1]).toBe("a_b");
    expect(warnings[0]?.code).toBe("id_mapped");
  });

  test("carries images and documents, in results too", () => {
    const parts: Part[] = [
      { type: "text", text: "Look" },
      { type: "image", media_type: "image/png", data: "AA==" },
      { type: "image", url: "https://example.com/a.png" },
      { type: "document", media_type: "application/pdf", data: "AA==", title: "T" },
      { type: "document", media_type: "text/plain", data: btoa("hi") },
      { type: "document", media_type: "text/csv", data: "AA==" },
    ];
    const blocks = [
      { type: "text", text: "Look" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
      { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AA==" }, title: "T" },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "hi" } },
    ];
    const messages = sent([{ role: "user", content: parts }, call("a"), result("a", parts)]);
    expect(messages[0]?.content).toEqual(blocks);
    expect(messages[2]?.content[0]?.content).toEqual(blocks);
    expect(render([{ role: "user", content: parts }]).warnings.map(({ code }) => code)).toEqual(["part_dropped"]);
  });
});
