// What the anthropic-messages adapter makes of settings, choices and forms.

import { describe, expect, test } from "vitest";
import { renderRequest } from "./index.ts";
import type { RenderSettings } from "./index.ts";
import type { Message, ModelRequest, ModelSettings, Tool } from "../../../schemas/types.ts";

const model = "claude-x";
const user: Message = { role: "user", content: "Hello" };
const look: Tool = { name: "look", input_schema: { type: "object" } };

function render(asked: Partial<ModelRequest>, settings: Partial<RenderSettings> = {}) {
  return renderRequest({ messages: [user], tools: [], ...asked }, { model, ...settings });
}

const fields = (settings: ModelSettings, more: Partial<ModelRequest> = {}) => render({ settings, ...more }).body;

describe("settings", () => {
  test.each<[ModelSettings, object]>([
    [{ max_output_tokens: 7 }, { max_tokens: 7 }],
    [
      { temperature: 0, top_p: 0.5 },
      { temperature: 0, top_p: 0.5 },
    ],
    [{ stop_sequences: ["a", "b"] }, { stop_sequences: ["a", "b"] }],
    [{ effort: "xhigh" }, { output_config: { effort: "xhigh" } }],
    [{ thinking: { mode: "off" } }, { thinking: { type: "disabled" } }],
    [{ thinking: { mode: "adaptive", display: "omitted" } }, { thinking: { type: "adaptive", display: "omitted" } }],
    [{ cache: "prefix" }, { cache_control: { type: "ephemeral" } }],
  ])("%j", (settings, sent) => {
    const rendered = render({ settings });
    expect(rendered.body).toMatchObject(sent);
    expect(rendered.warnings).toEqual([]);
  });

  test("leave a budget of thinking room beneath the limit, unless somebody says the limit", () => {
    const thinking = { mode: "budget", budget_tokens: 9000 } as const;
    expect(fields({ thinking })).toMatchObject({
      max_tokens: 13096,
      thinking: { type: "enabled", budget_tokens: 9000 },
    });
    expect(render({ settings: { thinking } }, { max_tokens: 10_000 }).body).toMatchObject({ max_tokens: 10_000 });
    expect(fields({ thinking, max_output_tokens: 9500 })).toMatchObject({ max_tokens: 9500 });
  });

  test("send nothing that nobody asked for", () => {
    expect(Object.keys(fields({ cache: "off", parallel_tool_calls: false }))).toEqual([
      "model",
      "messages",
      "max_tokens",
      "stream",
    ]);
  });

  test.each<[ModelSettings]>([
    [{ effort: "none" }],
    [{ effort: "minimal" }],
    [{ thinking: { mode: "off", display: "omitted" } }],
  ])("warn of %j", (settings) => {
    const { body, warnings } = render({ settings });
    expect(warnings.map(({ code }) => code)).toEqual(["setting_dropped"]);
    expect(JSON.stringify(body)).not.toMatch(/none|minimal|omitted/);
  });

  test("give way to the fields that the adapter was given", () => {
    const request = { temperature: 1, output_config: { effort: "max" } };
    const asked = {
      settings: { temperature: 0, effort: "low" },
      output_format: { name: "output", schema: {} },
    } as const;
    expect(render(asked, { request }).body).toMatchObject({
      temperature: 1,
      output_config: { effort: "max", format: { type: "json_schema", schema: {} } },
    });
  });
});

describe("the cached prefix", () => {
  const system: Message = { role: "system", content: "Be brief." };
  const turn: Message[] = [
    { type: "tool_call", id: "a", name: "look", input: {} },
    { type: "tool_result", id: "a", output: "ok" },
  ];

  test("is the same bytes in a longer request, with the marks", () => {
    const sent = (messages: Message[]) => {
      const { messages: list, ...rest } = fields(
        { cache: "prefix" },
        { messages: [system, user, ...messages], tools: [look] },
      );
      return [JSON.stringify(rest), JSON.stringify(list)] as const;
    };
    const [before, short] = sent([]);
    const [after, long] = sent(turn);
    expect(after).toBe(before);
    expect(long.startsWith(short.slice(0, -1))).toBe(true);
    expect(before).toContain('"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}]');
  });

  test("is not marked in the messages", () => {
    const { body } = render({ messages: [system, user, ...turn], settings: { cache: "prefix" } });
    expect(JSON.stringify(body.messages)).not.toContain("cache_control");
  });
});

describe("the choice of a tool", () => {
  const chosen = (asked: Partial<ModelRequest>) => {
    const { body, warnings } = render({ tools: [look], ...asked });
    return [body.tool_choice, warnings.map(({ code }) => code)];
  };

  test.each([
    ["auto", { type: "auto" }],
    ["none", { type: "none" }],
    ["required", { type: "any" }],
    [{ name: "look" }, { type: "tool", name: "look" }],
  ] as const)("%j", (tool_choice, sent) => {
    expect(chosen({ tool_choice })).toEqual([sent, []]);
  });

  test("says that calls come alone, also where nothing was chosen", () => {
    const settings = { parallel_tool_calls: false };
    expect(chosen({ settings })).toEqual([{ type: "auto", disable_parallel_tool_use: true }, []]);
    expect(chosen({ settings, tool_choice: "required" })).toEqual([
      { type: "any", disable_parallel_tool_use: true },
      [],
    ]);
    expect(chosen({ settings, tool_choice: "none" })).toEqual([{ type: "none" }, []]);
    expect(chosen({ settings: { parallel_tool_calls: true } })).toEqual([
      { type: "auto", disable_parallel_tool_use: false },
      [],
    ]);
  });

  test("names a tool as it is declared", () => {
    const tools = [{ ...look, name: "look around!" }];
    const { body } = render({ tools, tool_choice: { name: "look around!" } });
    const [declared] = body.tools as { name: string }[];
    expect(declared!.name).not.toBe("look around!");
    expect(body.tool_choice).toEqual({ type: "tool", name: declared!.name });
  });

  test("is left out where there is no such tool", () => {
    expect(chosen({ tools: [], tool_choice: "auto" })).toEqual([undefined, []]);
    expect(chosen({ tools: [], tool_choice: "required" })).toEqual([undefined, ["setting_dropped"]]);
    expect(chosen({ tool_choice: { name: "listen" }, settings: { parallel_tool_calls: false } })).toEqual([
      { type: "auto", disable_parallel_tool_use: true },
      ["setting_dropped"],
    ]);
  });
});

describe("the form of the output", () => {
  const sent = (schema: Record<string, unknown>) => {
    const { body, warnings } = render({ output_format: { name: "output", schema } });
    const { format } = body.output_config as { format: { type: string; schema: unknown } };
    return [format.schema, warnings.map(({ message }) => message)];
  };

  test("is sent as it is where the API takes it", () => {
    const schema = {
      type: "object",
      properties: { minimum: { type: "string", format: "date" }, list: { type: "array", minItems: 1, items: {} } },
      required: ["minimum"],
      additionalProperties: false,
    };
    expect(sent(schema)).toEqual([schema, []]);
  });

  test("closes every object", () => {
    const properties = { b: { type: "string" } };
    const open = {
      type: "object",
      properties: { a: { anyOf: [{ type: ["object", "null"], properties }, { $ref: "#/$defs/b" }] } },
    };
    expect(sent({ $schema: "x", ...open, $defs: { b: { properties, additionalProperties: true } } })).toEqual([
      {
        type: "object",
        properties: {
          a: { anyOf: [{ type: ["object", "null"], properties, additionalProperties: false }, { $ref: "#/$defs/b" }] },
        },
        $defs: { b: { properties, additionalProperties: false } },
        additionalProperties: false,
      },
      [],
    ]);
  });

  test.each<Record<string, unknown>>([
    { type: "object" },
    { type: "object", properties: { a: {} }, additionalProperties: { type: "number" } },
    { type: "array", items: { type: "object", properties: {} } },
  ])("is not sent where closed objects would be empty: %j", (schema) => {
    const { body, warnings } = render({ output_format: { name: "output", schema } });
    expect(body).not.toHaveProperty("output_config");
    expect(warnings.map(({ code }) => code)).toEqual(["setting_dropped"]);
  });

  test("loses what the API refuses, and says what", () => {
    const [schema, warnings] = sent({
      type: "array",
      minItems: 2,
      items: {
        oneOf: [
          { type: "integer", minimum: 1 },
          { type: "string", format: "color" },
        ],
      },
    });
    expect(schema).toEqual({ type: "array", items: { anyOf: [{ type: "integer" }, { type: "string" }] } });
    expect(warnings).toEqual([expect.stringMatching(/minItems, minimum, format/)]);
  });
});
