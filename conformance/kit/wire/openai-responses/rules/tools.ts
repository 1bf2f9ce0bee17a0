// What OpenAI's Responses API refuses about the definitions and the choice of tools.

import { isObject, isText, kindOf, listOf } from "../../shared/json.ts";
import type { ResponsesRequest } from "../request.ts";
import { namePattern } from "../../openai/read-parts.ts";
import { strictFaults } from "../../openai/strict.ts";
import { shapeRequirement, when, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/responses/create";
const toolGuide = "https://platform.openai.com/docs/guides/function-calling";
const refused = { status: 400, code: "invalid_value", requirement: shapeRequirement } as const;

const toolTypes =
  `function custom apply_patch code_interpreter computer computer_use_preview file_search image_generation local_shell mcp
  namespace programmatic_tool_calling shell tool_search web_search web_search_2025_08_26 web_search_preview
  web_search_preview_2025_03_11`.split(/\s+/);
const modes = ["none", "auto", "required"];

export const toolRules: readonly Rule<ResponsesRequest>[] = [
  {
    ...refused,
    id: "openai-responses/tool-type",
    statement: "tools is a list of objects, each of a type that the API defines.",
    docs: reference,
    check: ({ fields: { tools } }) => [
      ...when(
        tools != null && !Array.isArray(tools),
        `invalid type for 'tools': expected a list, got ${kindOf(tools)}`,
        "tools",
      ),
      ...listOf(tools).flatMap((tool, at) => {
        const type = isObject(tool) ? tool["type"] : undefined;
        return when(
          !toolTypes.includes(String(type)),
          `invalid value for 'tools[${at}].type': ${JSON.stringify(type)}; known: ${toolTypes.join(", ")}`,
          `tools[${at}].type`,
        );
      }),
    ],
  },
  {
    ...refused,
    id: "openai-responses/tool-name",
    statement:
      "A function has its name beside its type, not inside a field function as in Chat Completions; it has 1 to 64 letters, digits, _ and -.",
    code: "missing_required_parameter",
    requirement: "RESPONSES-14",
    docs: toolGuide,
    note: "The reference gives no greatest length; servers were seen to refuse more than 64, and others more than 128.",
    check: (request) =>
      functions(request).flatMap(({ at, tool: { name } }) => {
        if (name === undefined) return [{ message: `missing required parameter: '${at}.name'`, param: `${at}.name` }];
        return when(
          !isText(name) || !namePattern.test(name),
          `invalid '${at}.name': expected 1 to 64 letters, digits, _ and -, got ${JSON.stringify(name)}`,
          `${at}.name`,
        );
      }),
  },
  {
    ...refused,
    id: "openai-responses/tool-parameters",
    statement:
      "The parameters of a function, where they are given, are a JSON Schema of type object that says its properties.",
    requirement: "RESPONSES-13",
    code: "invalid_function_parameters",
    docs: toolGuide,
    check: (request) =>
      functions(request).flatMap(({ at, tool: { name, parameters } }) => {
        const fits = isObject(parameters) && parameters["type"] === "object" && isObject(parameters["properties"]);
        return when(
          parameters != null && !fits,
          `invalid schema for function '${String(name)}': expected a JSON Schema of type object with properties`,
          `${at}.parameters`,
        );
      }),
  },
  {
    ...refused,
    id: "openai-responses/strict-parameters",
    statement:
      "The parameters of a strict function require every property, and allow no other, in every object that they describe.",
    requirement: "RESPONSES-13",
    code: "invalid_function_parameters",
    docs: "https://platform.openai.com/docs/guides/structured-outputs",
    note: "Where strict is left out, the API makes the schema strict itself, and falls back to one that is not.",
    check: (request) =>
      functions(request).flatMap(({ at, tool }) => {
        if (tool["strict"] !== true) return [];
        return strictFaults(tool["parameters"]).map((fault) => ({
          message: `invalid schema for function '${String(tool["name"])}': ${fault}`,
          param: `${at}.parameters`,
        }));
      }),
  },
  {
    ...refused,
    id: "openai-responses/tool-choice",
    requirement: "RESPONSES-27",
    statement:
      "tool_choice is none, auto, required or an object with a type; required needs tools, and a function that is chosen is among them.",
    docs: reference,
    check: ({ fields: { tool_choice: choice }, tools }) => {
      if (choice == null) return [];
      const param = "tool_choice";
      if (!isObject(choice) || !isText(choice["type"])) {
        return [
          ...when(
            !modes.includes(String(choice)),
            `invalid value for 'tool_choice': ${JSON.stringify(choice)}; expected ${modes.join(", ")}, or an object with a type`,
            param,
          ),
          ...when(
            choice === "required" && tools.length === 0,
            "tool choice 'required' must be specified with the 'tools' parameter",
            param,
          ),
        ];
      }
      const isMissing = choice["type"] === "function" && !tools.some(({ tool }) => tool["name"] === choice["name"]);
      return when(isMissing, `tool choice: function '${String(choice["name"])}' is not among 'tools'`, param);
    },
  },
];

function functions({ tools }: ResponsesRequest) {
  return tools.filter(({ tool }) => tool["type"] === "function");
}
