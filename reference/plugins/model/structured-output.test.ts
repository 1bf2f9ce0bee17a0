// The form of the answer beyond what a case can show: values of every kind, suspended runs, other endings.

import type { RunSetup } from "../../run/setup.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, resume, type Run } from "../../run/run.ts";
import type { Provider } from "../../core/ports.ts";
import { initSession } from "../../core/session.ts";
import { defineTool } from "../../tools/define-tool.ts";
import type { ModelRequest, ModelResponse, RunOptions } from "../../../schemas/types.ts";

const session = initSession({ id: "s", user: "Go." });
const calls = (name: string, id = "c"): ModelResponse => ({
  messages: [{ type: "tool_call", id, name, input: {} }],
  stop_reason: "tool_use",
});
const text = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});

function scripted(...responses: ModelResponse[]): Provider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: "scripted",
    requests,
    invokeModel: async (request) => {
      requests.push(request);
      return responses.shift()!;
    },
  };
}

/** Without a handler: the caller answers. */
const ask = defineTool({ name: "ask", input_schema: { type: "object" } });
const look = defineTool({ name: "look", input_schema: { type: "object" }, execute: () => "ok" });
const formed = (schema: Record<string, unknown>, more: RunOptions = {}): RunOptions => ({
  output_format: { name: "form", schema },
  ...more,
});
const setup = (provider: Provider, options: RunOptions): RunSetup => ({ provider, tools: [ask, look], options });
const outcome = (schema: Record<string, unknown>, ...texts: string[]) =>
  agentLoop({ session, ...setup(scripted(...texts.map(text)), formed(schema)) }).result;

describe("the output", () => {
  it.each<[string, Record<string, unknown>, string, unknown]>([
    ["an object", { type: "object", required: ["a"] }, '{"a": [1, null]}', { a: [1, null] }],
    ["a list", { type: "array", items: { type: "integer" } }, "[1, 2]", [1, 2]],
    ["a text", { type: "string" }, '"seven"', "seven"],
    ["a number", { type: "number" }, "-1.5e3", -1500],
    ["false", { type: "boolean" }, "false", false],
    ["null", { type: "null" }, "null", null],
    ["anything that is JSON", {}, "{}", {}],
    ["a value with white space around it", { type: "object" }, "\n {} \n", {}],
  ])("can be %s [RESULT-13]", async (_, schema, said, output) => {
    const result = await outcome(schema, said);
    expect(result).toMatchObject({ status: "completed", turns: 1, output });
    expect(result).toHaveProperty("output");
  });

  it.each([
    ["nothing", ""],
    ["JSON in a fence", "```json\n7\n```"],
    ["JSON with words around it", "It is 7."],
    ["half of a value", '{"a": '],
    ["two values", "7 7"],
    ["a value of another type", '"7"'],
  ])("cannot be %s [LOOP-64]", async (_, said) => {
    const result = await outcome({ type: "integer" }, said, "7");
    expect(result).toMatchObject({ status: "completed", turns: 2, output: 7 });
  });
});

describe("a correction", () => {
  it("says where the value is wrong, and how [LOOP-64]", async () => {
    const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a", "b"] };
    const provider = scripted(text('{"a": "x"}'), text('{"a": 1, "b": 2}'));
    await agentLoop({ session, ...setup(provider, formed(schema)) }).result;
    expect(provider.requests[1]!.messages.at(-1)).toEqual({
      role: "user",
      content: expect.stringMatching(/\/a: .*\bb\b|\bb\b.*\/a: /),
      synthetic: true,
    });
  });

  it("is counted across a suspension [LOOP-65]", async () => {
    const provider = scripted(text("one"), calls("ask"), text("two"), text("7"));
    const options = formed({ type: "integer" }, { max_structured_retries: 1 });
    const { snapshot } = await agentLoop({ session, ...setup(provider, options) }).result;
    const kept = JSON.parse(JSON.stringify(snapshot)) as NonNullable<typeof snapshot>;
    const decisions = [{ id: "c", action: "respond" as const, output: "yes" }];
    const result = await resume({ ...setup(provider, {}), snapshot: kept, decisions }).result;
    expect(result).toMatchObject({ status: "structured_output_failed", final_text: "two", turns: 3 });
    expect(provider.requests.every(({ output_format }) => output_format?.name === "form")).toBe(true);
  });

  it("that nobody may make any more leaves a failed run [LOOP-65]", async () => {
    const options = formed({ type: "integer" }, { max_turns: 1 });
    const result = await agentLoop({ session, ...setup(scripted(text("It is 7.")), options) }).result;
    expect(result).toMatchObject({ status: "structured_output_failed", final_text: "It is 7.", turns: 1 });
    expect((await agentLoop({ session, ...setup(scripted(text("7")), options) }).result).output).toBe(7);
  });

  it("is not made in a run that was asked to stop [LOOP-65]", async () => {
    const invokeModel = async () => {
      run.stop();
      return text("It is 7.");
    };
    const run: Run = agentLoop({ session, provider: { name: "p", invokeModel }, options: formed({ type: "integer" }) });
    expect(await run.result).toMatchObject({ status: "structured_output_failed", turns: 1 });
  });

  it("is none of a text that was cut off, refused, or left by a stop condition [LOOP-64]", async () => {
    const options = formed({ type: "integer" }, { stop_when: [{ tool_called: "look" }] });
    const status = async (response: ModelResponse) => {
      const result = await agentLoop({ session, ...setup(scripted(response), options) }).result;
      expect(result).not.toHaveProperty("output");
      return result.status;
    };
    expect(await status({ ...text("{"), stop_reason: "max_tokens" })).toBe("max_tokens");
    expect(await status({ ...text("No."), stop_reason: "refusal" })).toBe("refused");
    expect(await status(calls("look"))).toBe("stopped");
  });
});
