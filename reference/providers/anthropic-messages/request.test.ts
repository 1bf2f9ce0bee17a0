// What the anthropic-messages adapter sends.

import { describe, expect, test } from "vitest";
import { renderRequest } from "./index.ts";
import type { Message, Part, Tool } from "../../../schemas/types.ts";

const model = "claude-x";
const own = { provider: "anthropic-messages", model };
const user: Message = { role: "user", content: "Hello" };
const thought: Message = { type: "thinking", content: "hm", opaque: { ...own, signature: "s" } };
const redacted: Message = { type: "thinking", content: "", opaque: { ...own, redacted: "r" } };
const item = (type: string): Message => ({ type: "provider_item", ...own, item: { type } });
const call = (id: string, input: Record<string, unknown> | null = {}): Message => {
  return { type: "tool_call", id, name: "look", input, ...(input === null && { raw_input: "{" }) };
};
const result = (id: string, output: string | Part[] = "ok"): Message => ({ type: "tool_result", id, output });

function render(messages: Message[], tools: Tool[] = []) {
  return renderRequest({ messages, tools }, { model });
}

function sent(messages: Message[]) {
  return render(messages).body.messages as { role: string; content: Record<string, unknown>[] }[];
}

describe("a request", () => {
  test("groups a response into one message, and its results with what the user says into the next", () => {
    const messages = sent([
      user,
      thought,
      redacted,
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

  const later: Message = { role: "system", content: "No." };
  const said: Message = { role: "assistant", content: "Yes." };
  const blank: Message = { role: "user", content: " " };
  test.each<[string, Message[], string]>([
    ["after the model", [user, said, later], "it follows a message of the model"],
    ["after a call of a server tool", [user, item("server_tool_use"), later], "it follows a message of the model"],
    ["before the user", [user, later, user], "a user message or a tool result follows it"],
    ["before a user and thinking that is not sent", [user, later, thought, user], "a user message or a tool result"],
    ["before what is sent", [blank, later, user], "nothing precedes it"],
  ])("cannot send a system message %s, and says why and what to do", (_where, messages, why) => {
    const { unsupported } = render(messages);
    expect(unsupported).toMatch(/^a system message after the beginning must follow /);
    expect(unsupported).toContain(`here ${why}`);
    expect(unsupported).toContain("Put it elsewhere, or into the instructions");
  });

  test("sends a system message behind the result of a server tool", () => {
    const messages = sent([user, item("server_tool_use"), item("web_search_tool_result"), later, said, user]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "system", "assistant", "user"]);
  });

  test("leaves out a system message without text, wherever it stands, with a warning", () => {
    const { body, warnings } = render([
      { role: "system", content: " \n" },
      user,
      { role: "system", content: " " },
      user,
    ]);
    const hello = { type: "text", text: "Hello" };
    expect(body).toMatchObject({ messages: [{ role: "user", content: [hello, hello] }] });
    expect(body).not.toHaveProperty("system");
    const warning = { code: "empty_message_dropped", message: "a system message without text was left out" };
    expect(warnings).toEqual([warning, warning]);
  });

  test("leaves out thinking that nothing follows in its response, with a warning", () => {
    const { body, warnings } = render([user, said, thought, user, thought, redacted, user]);
    const hello = { type: "text", text: "Hello" };
    expect(body.messages).toEqual([
      { role: "user", content: [hello] },
      { role: "assistant", content: [{ type: "text", text: "Yes." }] },
      { role: "user", content: [hello, hello] },
    ]);
    const message = "thinking was left out: nothing follows it in its response";
    expect(warnings).toEqual(Array.from({ length: 3 }, () => ({ code: "thinking_dropped", message })));
  });

  test("tells of the tools that it declares under other names, and of no others", () => {
    const input_schema = { type: "object" } as const;
    const { body, renamed } = render(
      [user],
      [
        { name: "look", input_schema },
        { name: "look around!", input_schema },
      ],
    );
    const [, other] = body.tools as { name: string }[];
    expect([...renamed]).toEqual([[other!.name, "look around!"]]);
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
