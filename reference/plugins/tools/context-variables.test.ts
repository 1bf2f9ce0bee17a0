// Context variables: whose they are, and that nobody but an update changes them.

import { expect, it } from "vitest";

import { agentLoop } from "../../run/run.ts";
import type { Provider } from "../../core/ports.ts";
import { initSession } from "../../core/session.ts";
import { defineTool } from "../../tools/define-tool.ts";
import type { ModelResponse } from "../../../schemas/types.ts";

const calls: ModelResponse = {
  messages: ["c1", "c2"].map((id) => ({ type: "tool_call", id, name: "work", input: {} })),
  stop_reason: "tool_use",
};
const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };

it("a run changes neither the caller's variables nor an update that a tool still holds [TOOL-35]", async () => {
  const answers = [calls, done];
  const provider: Provider = { name: "scripted", invokeModel: async () => answers.shift()! };
  const context = { user: { name: "Ann" } };
  const held = { basket: ["tea"] };
  const work = defineTool({
    name: "work",
    input_schema: { type: "object" },
    execute: async (_, { context: copy }) => {
      (copy.user as { name: string }).name = "Bob";
      return { output: "done", context_updates: held };
    },
  });
  const session = initSession({ id: "context", user: "Go." });
  const result = await agentLoop({ provider, tools: [work], session, context }).result;
  held.basket.push("milk");
  expect(context).toEqual({ user: { name: "Ann" } });
  expect(result.context).toEqual({ user: { name: "Ann" }, basket: ["tea"] });
});

it("a name that every object has is a name like any other", async () => {
  const answers = [calls, done];
  const provider: Provider = { name: "scripted", invokeModel: async () => answers.shift()! };
  const context_updates = JSON.parse('{"__proto__": {"admin": true}}') as Record<string, unknown>;
  const work = defineTool({
    name: "work",
    input_schema: { type: "object" },
    execute: async () => ({ output: "done", context_updates }),
  });
  const session = initSession({ id: "context-proto", user: "Go." });
  const { context } = await agentLoop({ provider, tools: [work], session, context: {} }).result;
  expect(Object.keys(context!)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(context)).toBe(Object.prototype);
});
