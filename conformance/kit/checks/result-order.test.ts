// Shows which orders of results are taken for that of their calls, and that nothing is hidden by it.

import { describe, expect, it } from "vitest";
import type { Message } from "../../../schemas/types.ts";
import { bodyInOrderOfCalls, inOrderOfCalls } from "./result-order.ts";

const call = (id: string): Message => ({ type: "tool_call", id, name: "look", input: {} });
const result = (id: string, output = id): Message => ({ type: "tool_result", id, output });
const user: Message = { role: "user", content: "Go on." };

describe("results in the order of their calls", () => {
  it.each<[what: string, sent: Message[], ordered: Message[]]>([
    [
      "turned round",
      [call("a"), call("b"), result("b"), result("a")],
      [call("a"), call("b"), result("a"), result("b")],
    ],
    [
      "of two responses, each behind its own",
      [call("a"), result("a"), call("b"), call("a"), result("a", "new"), result("b")],
      [call("a"), result("a"), call("b"), call("a"), result("b"), result("a", "new")],
    ],
    [
      "under one id, in the order in which they came",
      [call("a"), call("b"), call("a"), result("a", "1"), result("a", "2"), result("b")],
      [call("a"), call("b"), call("a"), result("a", "1"), result("b"), result("a", "2")],
    ],
    [
      "that answer nothing, last",
      [call("a"), result("x"), result("a"), result("a", "twice"), user],
      [call("a"), result("a"), result("x"), result("a", "twice"), user],
    ],
    ["too late, where they are", [call("a"), user, result("a")], [call("a"), user, result("a")]],
  ])("%s", (_, sent, ordered) => {
    expect(inOrderOfCalls(sent)).toEqual(ordered);
  });
  it.each([
    [
      "openai-chat" as const,
      "messages",
      [{ role: "assistant", tool_calls: [{ id: "a" }, { id: "b" }] }],
      [
        { role: "tool", tool_call_id: "a" },
        { role: "tool", tool_call_id: "b" },
      ],
    ],
    [
      "openai-responses" as const,
      "input",
      [
        { type: "function_call", call_id: "a" },
        { type: "custom_tool_call", call_id: "b" },
      ],
      [
        { type: "function_call_output", call_id: "a" },
        { type: "custom_tool_call_output", call_id: "b" },
      ],
    ],
  ])("in a body of %s", (provider, key, calls, results) => {
    const turned = { model: "m", [key]: [...calls, ...results.toReversed()] };
    expect(bodyInOrderOfCalls(turned, provider)).toEqual({ model: "m", [key]: [...calls, ...results] });
  });
  it("among the blocks of anthropic-messages, where a text behind them stays", () => {
    const [one, other] = ["a", "b"].map((id) => ({ type: "tool_result", tool_use_id: id }));
    const turn = { role: "assistant", content: ["a", "b"].map((id) => ({ type: "tool_use", id })) };
    const text = { type: "text", text: "Go on." };
    const turned = { messages: [turn, { role: "user", content: [other, one, text] }] };
    expect(bodyInOrderOfCalls(turned, "anthropic-messages")).toEqual({
      messages: [turn, { role: "user", content: [one, other, text] }],
    });
  });
});
