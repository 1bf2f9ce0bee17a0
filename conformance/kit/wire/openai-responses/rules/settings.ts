// What OpenAI's Responses API refuses about settings and the form of the output.

import { isObject, type JsonObject } from "../../shared/json.ts";
import type { ResponsesRequest } from "../request.ts";
import { effortFindings, formatFindings, sharedSettingRules, strictFormatRule } from "../../openai/rules-settings.ts";
import { when, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/responses/create";
const refused = { status: 400, code: "invalid_value" } as const;

const summaries = ["auto", "concise", "detailed"];

export const settingRules: readonly Rule<ResponsesRequest>[] = [
  ...sharedSettingRules("openai-responses", reference),
  {
    ...refused,
    id: "openai-responses/reasoning-settings",
    statement:
      "reasoning is an object, with an effort from none to max, and a summary that is auto, concise or detailed.",
    requirement: "PROVIDER-28",
    docs: reference,
    note: "No model supports every word, and models that do not reason refuse the field; which is which is not documented as a whole.",
    check: ({ fields: { reasoning } }) => {
      if (reasoning == null) return [];
      if (!isObject(reasoning))
        return [{ message: "invalid type for 'reasoning': expected an object", param: "reasoning" }];
      const { effort, summary } = reasoning;
      return [
        ...effortFindings(effort, "reasoning.effort"),
        ...when(
          summary != null && !summaries.includes(summary as string),
          `invalid value for 'reasoning.summary': ${JSON.stringify(summary)}; expected ${summaries.join(", ")}`,
          "reasoning.summary",
        ),
      ];
    },
  },
  {
    ...refused,
    id: "openai-responses/text-format",
    statement:
      "text.format has the type text, json_object or json_schema; one of type json_schema has name and schema beside the type, not in a field as in Chat Completions.",
    code: "missing_required_parameter",
    requirement: "RESPONSES-28",
    docs: reference,
    check: ({ fields }) => {
      const format = formatOf(fields);
      return formatFindings(format, "text.format", { at: "text.format", value: format });
    },
  },
  strictFormatRule("openai-responses", {
    code: "invalid_json_schema",
    requirement: "RESPONSES-29",
    param: "text.format",
    formatOf,
  }),
];

function formatOf({ text }: JsonObject): unknown {
  return isObject(text) ? text["format"] : undefined;
}
