// What OpenAI's Chat Completions API refuses about settings, the choice of a tool and the form of the output.

import { isObject, isText, kindOf, listOf } from "../../shared/json.ts";
import type { ChatRequest } from "../request.ts";
import {
  effortFindings,
  formatFindings,
  limitFindings,
  sharedSettingRules,
  strictFormatRule,
} from "../../openai/rules-settings.ts";
import { when, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/chat/create";
const refused = { status: 400, code: "invalid_value" } as const;

const choices = ["none", "auto", "required"];
const mostStops = 4;

export const settingRules: readonly Rule<ChatRequest>[] = [
  {
    ...refused,
    id: "openai-chat/token-limit",
    statement: "The limit of the output is a whole number, in max_completion_tokens or in max_tokens, not in both.",
    code: "invalid_parameter_combination",
    requirement: "CHAT-29",
    docs: reference,
    note: "max_tokens is deprecated, and models that reason refuse it; many compatible servers know only max_tokens. That both are refused together is documented only by the error.",
    check: ({ fields }) => [
      ...when(
        fields["max_tokens"] != null && fields["max_completion_tokens"] != null,
        "setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported",
        "max_tokens",
      ),
      ...limitFindings(fields, "max_completion_tokens", 1),
      ...limitFindings(fields, "max_tokens", 1),
    ],
  },
  ...sharedSettingRules("openai-chat", reference),
  {
    ...refused,
    id: "openai-chat/stop",
    statement: "stop is a string or a list of at most four strings.",
    code: "array_above_max_length",
    requirement: "CHAT-30",
    docs: reference,
    check: ({ fields: { stop } }) => {
      if (stop == null || isText(stop)) return [];
      const count = listOf(stop).length;
      return [
        ...when(
          !Array.isArray(stop) || !stop.every(isText),
          `invalid type for 'stop': expected a string or a list of strings, got ${kindOf(stop)}`,
          "stop",
        ),
        ...when(
          count > mostStops,
          `invalid 'stop': array too long; expected one with at most ${mostStops} entries, got ${count}`,
          "stop",
        ),
      ];
    },
  },
  {
    ...refused,
    id: "openai-chat/effort",
    statement: "reasoning_effort is none, minimal, low, medium, high, xhigh or max.",
    requirement: "PROVIDER-28",
    docs: reference,
    note: "No model supports every word, and models that do not reason refuse the field; which is which is not documented as a whole.",
    check: ({ fields }) => effortFindings(fields["reasoning_effort"], "reasoning_effort"),
  },
  {
    ...refused,
    id: "openai-chat/tool-choice-form",
    statement:
      "tool_choice is none, auto, required, or an object that has the name inside a field called like its type.",
    code: "missing_required_parameter",
    requirement: "CHAT-31",
    docs: reference,
    check: ({ fields: { tool_choice: choice } }) => {
      if (choice == null || choices.includes(choice as string)) return [];
      const type = isObject(choice) ? String(choice["type"]) : undefined;
      if (type === undefined || !["function", "custom", "allowed_tools"].includes(type))
        return [
          {
            message: `invalid value for 'tool_choice': ${JSON.stringify(choice)}; expected ${choices.join(", ")}, or an object of type function, custom or allowed_tools`,
            param: "tool_choice",
          },
        ];
      const inside = (choice as Record<string, unknown>)[type];
      return when(!isObject(inside), `missing required parameter: 'tool_choice.${type}'`, `tool_choice.${type}`);
    },
  },
  {
    ...refused,
    id: "openai-chat/response-format",
    statement:
      "response_format has the type text, json_object or json_schema; one of type json_schema has name and schema in a field json_schema.",
    code: "missing_required_parameter",
    requirement: "CHAT-32",
    docs: reference,
    check: ({ fields: { response_format: format } }) =>
      formatFindings(format, "response_format", {
        at: "response_format.json_schema",
        value: isObject(format) ? format["json_schema"] : undefined,
      }),
  },
  strictFormatRule("openai-chat", {
    code: "invalid_request_error",
    requirement: "CHAT-33",
    param: "response_format",
    formatOf: ({ response_format: format }) => (isObject(format) ? format["json_schema"] : undefined),
  }),
];
