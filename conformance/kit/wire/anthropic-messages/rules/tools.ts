// What the Anthropic Messages API refuses about the definitions of tools.

import { namePattern } from "../render.ts";
import type { AnthropicRequest } from "../request.ts";
import { isObject, isText, kindOf, listOf } from "../../shared/json.ts";
import { brokenRefs } from "../../shared/schema-refs.ts";
import { repeated, shapeRequirement, unknownKeys, when, type Rule } from "../../shared/rules.ts";

const toolGuide = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools";
const refused = {
  status: 400,
  code: "invalid_request_error",
  requirement: shapeRequirement,
} as const;
const namedPattern = "expected a string of 1 to 128 letters, digits, _ and -";

const toolFields = new Set(
  `type name description input_schema cache_control allowed_callers defer_loading eager_input_streaming input_examples
   strict`.split(/\s+/),
);

export const toolRules: readonly Rule<AnthropicRequest>[] = [
  {
    ...refused,
    id: "anthropic-messages/tool-name",
    statement: "The name of a tool has 1 to 128 letters, digits, _ and -.",
    docs: toolGuide,
    note: "The guide says up to 64; the API was seen to answer with 128.",
    check: (request) =>
      customTools(request).flatMap(({ at, tool }) =>
        when(!matches(tool["name"], namePattern), `${at}.custom.name: ${namedPattern}`),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/tool-names-unique",
    statement: "No two tools have the same name.",
    docs: toolGuide,
    seen: [{ where: "https://github.com/tailcallhq/forgecode/issues/892", on: "2025-06-03" }],
    check: ({ tools }) =>
      when(repeated(tools, ({ tool }) => tool["name"]).length > 0, "tools: tool names must be unique"),
  },
  {
    ...refused,
    id: "anthropic-messages/input-schema",
    statement: "The input_schema of a tool is a JSON Schema of type object.",
    docs: toolGuide,
    seen: [{ where: "https://github.com/anthropics/claude-code/issues/86664", on: "2026-08-14" }],
    check: (request) =>
      customTools(request).flatMap(({ at, tool }) => {
        const schema = tool["input_schema"];
        if (!isObject(schema)) return [{ message: `${at}.custom.input_schema: field required` }];
        return when(schema["type"] !== "object", `${at}.custom.input_schema.type: input should be 'object'`);
      }),
  },
  {
    ...refused,
    id: "anthropic-messages/schema-refs",
    statement: "A $ref in the input_schema of a tool leads to a place that the schema has.",
    docs: toolGuide,
    undocumented: true,
    seen: [{ where: "https://github.com/BerriAI/litellm/pull/28646", on: "2026-05-22" }],
    check: (request) =>
      customTools(request).flatMap(({ at, tool }) =>
        brokenRefs(tool["input_schema"]).map((ref) => ({
          message: `${at}.custom.input_schema: JSON schema is invalid: ${JSON.stringify(ref)} leads nowhere (PointerToNowhere)`,
        })),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/tool-shape",
    statement: "tools is a list of objects, each without fields that the API does not define.",
    docs: toolGuide,
    check: (request) => [
      ...when(
        request.fields["tools"] !== undefined && !Array.isArray(request.fields["tools"]),
        `tools: expected a list, got ${kindOf(request.fields["tools"])}`,
      ),
      ...listOf(request.fields["tools"]).flatMap((tool, at) =>
        when(!isObject(tool), `tools.${at}: expected an object, got ${kindOf(tool)}`),
      ),
      ...customTools(request).flatMap(({ at, tool }) =>
        unknownKeys(tool, toolFields).map((key) => ({
          message: `${at}.custom.${key}: extra inputs are not permitted`,
        })),
      ),
      ...customTools(request).flatMap(({ at, tool }) =>
        when(
          tool["description"] !== undefined && !isText(tool["description"]),
          `${at}.custom.description: expected a string`,
        ),
      ),
    ],
  },
  {
    ...refused,
    id: "anthropic-messages/tool-choice",
    statement: "tool_choice is an object of type auto, any, none or tool, and a tool that it names is among the tools.",
    docs: toolGuide,
    check: ({ fields: { tool_choice: choice }, tools }) => {
      if (choice === undefined) return [];
      const type = isObject(choice) ? choice["type"] : undefined;
      if (!["auto", "any", "none", "tool"].includes(String(type))) {
        return [{ message: "tool_choice: expected an object of type auto, any, none or tool" }];
      }
      const name = isObject(choice) ? choice["name"] : undefined;
      return when(
        type === "tool" && !tools.some(({ tool }) => tool["name"] === name),
        `tool_choice: tool ${JSON.stringify(name)} is not among the tools`,
      );
    },
  },
];

/** Tools of the client; those with another type are the server's. */
function customTools({ tools }: AnthropicRequest) {
  return tools.filter(({ tool }) => tool["type"] === undefined || tool["type"] === null || tool["type"] === "custom");
}

function matches(value: unknown, pattern: RegExp): boolean {
  return isText(value) && pattern.test(value);
}
