// What the Anthropic Messages API refuses about the output: the form of the text, and the choice of a tool.

import type { AnthropicRequest } from "../request.ts";
import { thinks } from "./settings.ts";
import { isObject, kindOf, listOf, type JsonObject } from "../../shared/json.ts";
import { unknownKeys, when, type Finding, type Rule } from "../../shared/rules.ts";

const docs = "https://platform.claude.com/docs/en";
const effortGuide = `${docs}/build-with-claude/effort`;
const outputGuide = `${docs}/build-with-claude/structured-outputs`;
const toolGuide = `${docs}/agents-and-tools/tool-use/define-tools`;
const refused = { status: 400, code: "invalid_request_error", requirement: "PROVIDER-28" } as const;

const efforts = ["low", "medium", "high", "xhigh", "max"];

/** The models that cannot be forced to call a tool. All others are assumed to support it, including unknown ones. */
const withoutForcedChoice = /^claude-(?:opus-5-5|sonnet-5-5|fable-5-1)\b/;

export const outputRules: readonly Rule<AnthropicRequest>[] = [
  {
    ...refused,
    id: "anthropic-messages/output-config",
    statement: `output_config has an effort (${efforts.join(", ")}), a format of type json_schema, a task_budget, and nothing else.`,
    docs: effortGuide,
    check: ({ fields: { output_config: config } }) => {
      if (config === undefined || config === null) return [];
      if (!isObject(config)) return [{ message: `output_config: expected an object, got ${kindOf(config)}` }];
      const { effort, format } = config;
      const isFormat = isObject(format) && format["type"] === "json_schema" && isObject(format["schema"]);
      return [
        ...unknownKeys(config, new Set(["effort", "format", "task_budget"])).map((key) => ({
          message: `output_config.${key}: extra inputs are not permitted`,
        })),
        ...when(
          effort !== undefined && effort !== null && !efforts.includes(String(effort)),
          `output_config.effort: input should be one of ${efforts.join(", ")}, got ${String(effort)}`,
        ),
        ...when(
          format !== undefined && format !== null && !isFormat,
          "output_config.format: expected an object of type json_schema with a schema",
        ),
      ];
    },
  },
  {
    ...refused,
    id: "anthropic-messages/output-schema",
    statement:
      "The schema of an output format closes every object with additionalProperties: false, and has no limits for numbers, lengths or counts.",
    requirement: "PROVIDER-31",
    docs: `${outputGuide}#json-schema-limitations`,
    note: "What is refused is named here as far as documentation and reports agree; pattern is documented as supported and reported as not.",
    check: ({ fields: { output_config } }) => {
      const format = isObject(output_config) ? output_config["format"] : undefined;
      const schema = isObject(format) ? format["schema"] : undefined;
      return isObject(schema) ? schemaFindings(schema, "output_config.format.schema") : [];
    },
  },
  {
    ...refused,
    id: "anthropic-messages/tool-choice-fields",
    statement: "tool_choice has disable_parallel_tool_use, if at all, as a boolean, and not with type none.",
    requirement: "PROVIDER-30",
    docs: toolGuide,
    check: ({ fields: { tool_choice: choice } }) => {
      if (!isObject(choice)) return [];
      const known = new Set(
        { none: ["type"], tool: ["type", "name", "disable_parallel_tool_use"] }[String(choice["type"])] ?? [
          "type",
          "disable_parallel_tool_use",
        ],
      );
      const alone = choice["disable_parallel_tool_use"];
      return [
        ...unknownKeys(choice, known).map((key) => ({
          message: `tool_choice.${String(choice["type"])}.${key}: extra inputs are not permitted`,
        })),
        ...when(
          alone !== undefined && typeof alone !== "boolean",
          `tool_choice.disable_parallel_tool_use: expected a boolean, got ${kindOf(alone)}`,
        ),
      ];
    },
  },
  {
    ...refused,
    id: "anthropic-messages/tool-choice-without-tools",
    statement: "A request without tools does not demand that the model calls one.",
    requirement: "PROVIDER-30",
    docs: toolGuide,
    undocumented: true,
    seen: [{ where: "https://github.com/diegosouzapw/OmniRoute/pull/397", on: "2026-03-16" }],
    note: "auto and none were seen to be accepted without tools, by Claude Sonnet 5.5 on 2026-09-29; a tool that is named is the matter of another rule.",
    check: ({ fields: { tool_choice: choice }, tools }) =>
      when(
        isObject(choice) && choice["type"] === "any" && tools.length === 0,
        "tool_choice.any may only be specified while providing tools",
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/tool-choice-with-thinking",
    statement: "While the model thinks, no tool call is forced: tool_choice is auto or none.",
    requirement: "PROVIDER-30",
    docs: `${docs}/build-with-claude/extended-thinking#extended-thinking-with-tool-use`,
    check: ({ fields }) =>
      when(thinks(fields) && isForced(fields), "thinking may not be enabled when tool_choice forces tool use"),
  },
  {
    ...refused,
    id: "anthropic-messages/tool-choice-of-model",
    statement: "A model that cannot be forced to call a tool gets tool_choice auto or none.",
    requirement: "PROVIDER-30",
    docs: `${docs}/models/opus-5-5/whats-new-opus-5-5#forced-tool-use-is-not-supported`,
    check: ({ fields }) =>
      when(
        isForced(fields) && withoutForcedChoice.test(String(fields["model"])),
        'tool_choice: type "tool" and "any" are not supported for this model',
      ),
  },
];

function isForced({ tool_choice: choice }: JsonObject): boolean {
  return isObject(choice) && ["any", "tool"].includes(String(choice["type"]));
}

const limits = `minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems uniqueItems
  minProperties maxProperties patternProperties`.split(/\s+/);

function schemaFindings(schema: unknown, at: string): Finding[] {
  if (!isObject(schema)) return [];
  const isObjectSchema = [schema["type"]].flat().includes("object") || isObject(schema["properties"]);
  const below = ["properties", "$defs", "definitions"].flatMap((key) =>
    Object.entries(isObject(schema[key]) ? schema[key] : {}).flatMap(([name, inner]) =>
      schemaFindings(inner, `${at}.${key}.${name}`),
    ),
  );
  const lists = ["anyOf", "allOf"].flatMap((key) =>
    listOf(schema[key]).flatMap((inner, index) => schemaFindings(inner, `${at}.${key}.${index}`)),
  );
  return [
    ...when(
      isObjectSchema && schema["additionalProperties"] !== false,
      `${at}: for 'object' type, 'additionalProperties' must be explicitly set to false`,
    ),
    ...limits
      .filter((keyword) => keyword in schema)
      .map((keyword) => ({
        message: `${at}: for '${String(schema["type"])}' type, property '${keyword}' is not supported`,
      })),
    ...below,
    ...lists,
    ...schemaFindings(schema["items"], `${at}.items`),
  ];
}
