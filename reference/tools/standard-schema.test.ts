// Schemas of other libraries: their refinements, defaults and transforms count, of tools and of outputs.

import { describe, expect, expectTypeOf, it } from "vitest";
import { agentLoop, resume } from "../run/run.ts";
import type { Message, ModelResponse } from "../../schemas/types.ts";
import type { Provider } from "../core/ports.ts";
import { defineTool } from "./define-tool.ts";
import { outputFormat } from "./output-format.ts";
import type { StandardSchema } from "./standard-schema.ts";

interface Mail {
  to: string;
  copies?: number;
}

/** What a library would make: an address that is refined, a number with a default, a text that is made a number. */
const mail: StandardSchema<Mail, { to: string; copies: number }> = {
  "~standard": {
    async validate(value) {
      const { to, copies = 5 } = value as Mail;
      if (to.includes("@")) return { value: { to: to.toUpperCase(), copies } };
      return { issues: [{ message: "is no address", path: [{ key: "to" }, "a/b~c"] }] };
    },
    jsonSchema: {
      input: () => ({ type: "object", properties: { to: { type: "string" }, copies: { type: "number" } } }),
    },
  },
};

const call = (id: string, input: object): Message => ({ type: "tool_call", id, name: "send", input: { ...input } });
const calls = (...messages: Message[]): ModelResponse => ({ messages, stop_reason: "tool_use" });
const says = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});
const scripted = (...responses: ModelResponse[]): Provider => ({
  name: "scripted",
  invokeModel: async () => responses.shift()!,
});

function sendTool() {
  const sent: { to: string; copies: number }[] = [];
  const tool = defineTool({
    name: "send",
    input_schema: mail,
    execute(input) {
      expectTypeOf(input).toEqualTypeOf<{ to: string; copies: number }>();
      sent.push(input);
    },
  });
  return { sent, tool };
}

describe("a tool with a standard schema", () => {
  it("is given what the schema makes of the arguments; the session has what the model wrote", async () => {
    const { sent, tool } = sendTool();
    const received: unknown[] = [];
    const run = agentLoop({
      provider: scripted(calls(call("a", { to: "a@b" })), says("Sent.")),
      tools: [tool],
      input: "Send it.",
      hooks: [{ point: "before_tool", run: ({ call: { input } }) => void received.push(input) }],
    });
    const events: unknown[] = [];
    for await (const event of run) if (event.type === "tool_start") events.push(event.input);
    expect(sent).toEqual([{ to: "A@B", copies: 5 }]);
    expect([received, events]).toEqual([[{ to: "a@b" }], [{ to: "a@b" }]]);
    expect((await run.session).messages[1]).toMatchObject({ input: { to: "a@b" } });
  });

  it("is not executed where a refinement fails, and the place is named", async () => {
    const { sent, tool } = sendTool();
    const provider = scripted(calls(call("a", { to: "nobody" })), says("No."));
    const { messages } = await agentLoop({ provider, tools: [tool], input: "Send it." }).session;
    expect(sent).toEqual([]);
    expect(messages[2]).toMatchObject({
      outcome: "invalid_arguments",
      output: expect.stringContaining("/to/a~1b~0c: is no address"),
    });
  });

  it("is given a value that is made anew when a suspended run goes on", async () => {
    const { sent, tool } = sendTool();
    const setup = { tools: [tool], options: { permissions: { rules: [{ effect: "ask" as const, match: "send" }] } } };
    const provider = scripted(calls(call("a", { to: "a@b" })), says("Sent."));
    const { snapshot, pending } = await agentLoop({ provider, ...setup, input: "Send it." }).result;
    const stored = JSON.parse(JSON.stringify(snapshot)) as NonNullable<typeof snapshot>;
    const decisions = pending!.map(({ id, input_hash }) => ({
      id,
      action: "approve" as const,
      input_hash: input_hash!,
    }));
    await resume({ provider, tools: setup.tools, snapshot: stored, decisions }).result;
    expect(sent).toEqual([{ to: "A@B", copies: 5 }]);
  });

  it("may have its JSON Schema beside a schema that cannot write one", async () => {
    const { jsonSchema: _none, ...rest } = mail["~standard"];
    const given: number[] = [];
    const tool = defineTool({
      name: "send",
      input_schema: { type: "object", properties: { to: { type: "string" } } },
      validate: { "~standard": rest } as typeof mail,
      execute: ({ copies }) => void given.push(copies),
    });
    const provider = scripted(calls(call("a", { to: "a@b" })), says("Sent."));
    await agentLoop({ provider, tools: [tool], input: "Send it." }).result;
    expect(given).toEqual([5]);
    expect(tool).not.toHaveProperty("validate");
  });
});

describe("an output with a standard schema", () => {
  const options = { output_format: outputFormat({ name: "mail", schema: mail }) };

  it("is what the schema makes of the last text, and has its type", async () => {
    const provider = scripted(says('{"to":"nobody"}'), says('{"to":"a@b"}'));
    const run = agentLoop({ provider, options, input: "Where to?" });
    const { status, output, final_text, turns } = await run.result;
    expectTypeOf(output).toEqualTypeOf<{ to: string; copies: number } | undefined>();
    expect({ status, output, final_text, turns }).toEqual({
      status: "completed",
      output: { to: "A@B", copies: 5 },
      final_text: '{"to":"a@b"}',
      turns: 2,
    });
    expect((await run.session).messages.at(-2)).toMatchObject({ content: expect.stringContaining("is no address") });
  });

  it("with a JSON Schema has the type that this says", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;
    const output_format = outputFormat({ name: "count", schema });
    const run = agentLoop({ provider: scripted(says('{"n":3}')), options: { output_format }, input: "How many?" });
    const { output } = await run.result;
    expectTypeOf(output).toEqualTypeOf<{ n: number } | undefined>();
    expect(output?.n).toBe(3);
  });

  it("without a form has no type", async () => {
    const { output } = await agentLoop({ provider: scripted(says("Hi.")), input: "Hi." }).result;
    expectTypeOf(output).toEqualTypeOf<unknown>();
    expect(output).toBeUndefined();
  });
});

it("one wrong field of a tool is one error, at the field", () => {
  const input_schema = { type: "object" } as const;
  // @ts-expect-error annotations have no `destructive`
  defineTool({ name: "a", input_schema, annotations: { destructive: true }, execute: () => "" });
  // @ts-expect-error there is no `descripton`
  defineTool({ name: "a", input_schema, descripton: "", execute: () => "" });
  const typed = defineTool({
    name: "a",
    input_schema: { type: "object", properties: { n: { type: "integer" } } },
    execute({ n }) {
      expectTypeOf(n).toEqualTypeOf<number | undefined>();
    },
  });
  expect(typed.input_schema.type).toBe("object");
});
