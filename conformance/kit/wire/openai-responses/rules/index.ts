// What OpenAI's Responses API refuses: the list of its rules, and those about the request as a whole.

import { kindOf, listOf } from "../../shared/json.ts";
import { callRules } from "./calls.ts";
import { contentRules } from "./content.ts";
import { itemRules } from "./items.ts";
import { reasoningRules } from "./reasoning.ts";
import { settingRules } from "./settings.ts";
import { toolRules } from "./tools.ts";
import { limitFindings } from "../../openai/rules-settings.ts";
import type { ResponsesRequest } from "../request.ts";
import { requestRules, streamOptionsRule } from "../../openai/rules-request.ts";
import { shapeRequirement, unknownKeys, when, type Finding, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/responses/create";
const stateGuide = "https://platform.openai.com/docs/guides/conversation-state";
const refused = { status: 400, code: "invalid_value", requirement: shapeRequirement } as const;

const requestFields = new Set(
  `access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls metadata
   model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention
   reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation
   user`.split(/\s+/),
);
const booleans = ["background", "parallel_tool_calls", "store", "stream"];
const strings = ["instructions", "model", "previous_response_id"];

const includable = [
  "code_interpreter_call.outputs",
  "computer_call_output.output.image_url",
  "file_search_call.results",
  "message.input_image.image_url",
  "message.output_text.logprobs",
  "reasoning.encrypted_content",
  "web_search_call.action.sources",
  "web_search_call.results",
];

const ownRules: Rule<ResponsesRequest>[] = [
  ...requestRules("openai-responses", reference),
  {
    ...refused,
    id: "openai-responses/model",
    statement: "A request names a model, unless a stored prompt does.",
    code: "missing_required_parameter",
    docs: reference,
    check: ({ fields: { model, prompt } }) =>
      when(model == null || model === "" ? prompt == null : false, "missing required parameter: 'model'", "model"),
  },
  {
    ...refused,
    id: "openai-responses/unknown-fields",
    statement:
      "A request has no parameters that the API does not define; those of Chat Completions are no parameters here.",
    code: "unknown_parameter",
    docs: "https://platform.openai.com/docs/guides/migrate-to-responses",
    check: ({ fields }) =>
      unknownKeys(fields, requestFields).map((key) => ({ message: `unknown parameter: '${key}'`, param: key })),
  },
  {
    ...refused,
    id: "openai-responses/field-types",
    statement:
      "stream, store, background and parallel_tool_calls are true or false; instructions, model and previous_response_id are strings.",
    code: "invalid_type",
    docs: reference,
    check: ({ fields }) => [
      ...booleans.flatMap((key) => typeFindings(key, fields[key], "boolean")),
      ...strings.flatMap((key) => typeFindings(key, fields[key], "string")),
    ],
  },
  streamOptionsRule("openai-responses", reference, shapeRequirement),
  {
    ...refused,
    id: "openai-responses/max-output-tokens",
    statement: "max_output_tokens, where it is given, is a whole number from 16.",
    code: "integer_below_min_value",
    docs: reference,
    undocumented: true,
    seen: [
      { where: "https://github.com/earendil-works/pi/issues/6265", on: "2026-07-02" },
      { where: "https://github.com/UKGovernmentBEIS/inspect_evals/issues/694", on: "2025-11-21" },
    ],
    note: "The least value is documented only by the error.",
    check: ({ fields }) => limitFindings(fields, "max_output_tokens", 16),
  },
  {
    ...refused,
    id: "openai-responses/include",
    statement: "include is a list of things that the API can include.",
    docs: reference,
    check: ({ fields: { include } }) => [
      ...when(
        include != null && !Array.isArray(include),
        `invalid 'include': expected a list, got ${kindOf(include)}`,
        "include",
      ),
      ...listOf(include).flatMap((entry, at) =>
        when(
          !includable.includes(String(entry)),
          `invalid value for 'include[${at}]': ${JSON.stringify(entry)}; known: ${includable.join(", ")}`,
          `include[${at}]`,
        ),
      ),
    ],
  },
  {
    ...refused,
    id: "openai-responses/input-given",
    statement:
      "A request has input, or goes on with a conversation, a response or a stored prompt that the server keeps.",
    code: "missing_required_parameter",
    docs: reference,
    undocumented: true,
    seen: [{ where: "https://github.com/pydantic/pydantic-ai/pull/3470", on: "2025-11-19" }],
    check: ({ fields }) => {
      const { input } = fields;
      const isEmpty = input == null || input === "" || (Array.isArray(input) && input.length === 0);
      const others = ["previous_response_id", "prompt", "conversation"];
      return when(
        isEmpty && others.every((key) => fields[key] == null),
        "one of 'input', 'previous_response_id', 'prompt' and 'conversation' must be provided",
        "input",
      );
    },
  },
  {
    ...refused,
    id: "openai-responses/previous-response",
    statement:
      "A previous_response_id names a response that the server stored, and stands alone or beside no conversation.",
    code: "previous_response_not_found",
    requirement: "RESPONSES-11",
    docs: stateGuide,
    check: ({ fields: { previous_response_id: id, conversation }, stored }) => {
      if (id == null) return [];
      const isUnknown = stored?.every((response) => response.id !== id) ?? false;
      return [
        ...when(isUnknown, `previous response with id '${String(id)}' not found`, "previous_response_id"),
        ...when(
          conversation != null,
          "'previous_response_id' and 'conversation' exclude each other",
          "previous_response_id",
        ),
      ];
    },
  },
];

/** Every rule, in the order in which they are checked. */
export const responsesRules: readonly Rule<ResponsesRequest>[] = [
  ...ownRules,
  ...settingRules,
  ...toolRules,
  ...itemRules,
  ...contentRules,
  ...callRules,
  ...reasoningRules,
];

function typeFindings(key: string, value: unknown, type: "boolean" | "string"): Finding[] {
  const fits = value == null || typeof value === type;
  return when(!fits, `invalid type for '${key}': expected a ${type}, got ${kindOf(value)}`, key);
}
