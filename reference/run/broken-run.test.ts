// A run that breaks after its last step is given back as it stood then, not as it began.

import { describe, expect, it } from "vitest";

import { initSession } from "../core/session.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { checkSession } from "../state/check-session.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { LoopEvent, ModelResponse } from "../../schemas/types.ts";
import { agentLoop } from "./run.ts";
import type { RunSetup } from "./setup.ts";

const input_schema = { type: "object" } as const;
const call = (id: string, name: string) => ({ type: "tool_call" as const, id, name, input: {} });
const use = (...messages: ReturnType<typeof call>[]): ModelResponse => ({ messages, stop_reason: "tool_use" });
const text: ModelResponse = { messages: [{ role: "assistant", content: "Paid." }], stop_reason: "end_turn" };
const breaks: Plugin = {
  name: "breaks",
  attach: () => ({
    end() {
      throw new Error("the archive is full");
    },
  }),
};

async function broken(responses: ModelResponse[], setup: Partial<RunSetup> = {}) {
  const pay = defineTool({ name: "pay", input_schema, execute: () => "receipt 77" });
  const ask = defineTool({ name: "ask", input_schema });
  const provider = { name: "scripted", invokeModel: async () => responses.shift()! };
  const session = initSession({ id: "s", user: "Pay." });
  const run = agentLoop({ provider, tools: [pay, ask], session, use: [breaks], ...setup });
  const events: LoopEvent[] = [];
  for await (const event of run) events.push(event);
  const emitted = events.flatMap((event) => (event.type === "message" ? [event.message] : []));
  const [result, left] = await Promise.all([run.result, run.session]);
  expect(result).toMatchObject({
    status: "error",
    error: { kind: "internal", message: expect.stringContaining("archive") },
  });
  expect(checkSession(left)).toEqual([]);
  expect([...session.messages, ...emitted]).toEqual(left.messages);
  return { result, left };
}

describe("a run that breaks after its last step [LOOP-27]", () => {
  it("keeps its turns, its usage and what its tools did", async () => {
    const { result, left } = await broken([use(call("a", "pay")), text]);
    expect(result).toMatchObject({ turns: 2, tool_calls: 1 });
    expect(left.messages).toMatchObject([{}, { id: "a" }, { id: "a", output: "receipt 77" }, { content: "Paid." }]);
  });

  it("says of calls that waited that nothing was executed", async () => {
    const { result, left } = await broken([use(call("a", "pay"), call("b", "ask"))]);
    expect(result).toMatchObject({ turns: 1, steps: [{ outcomes: ["interrupted", "interrupted"] }] });
    const output = expect.stringContaining("Nothing was executed");
    expect(left.messages.slice(-2)).toMatchObject([
      { id: "a", output },
      { id: "b", output },
    ]);
  });

  it("keeps the results of calls that did not wait", async () => {
    const options = { approval_batch: "eager" as const };
    const { left } = await broken([use(call("a", "pay"), call("b", "ask"))], { options });
    expect(left.messages.slice(-2)).toMatchObject([
      { id: "a", output: "receipt 77", outcome: "ok" },
      { id: "b", outcome: "interrupted" },
    ]);
  });
});
