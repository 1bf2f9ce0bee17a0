// What OpenAI's Chat Completions API refuses: the list of its rules, and those about the request as a whole and its tools.

import { whose } from "../dialects.ts";
import { callRules } from "./calls.ts";
import { messageRules } from "./messages.ts";
import { settingRules } from "./settings.ts";
import type { ChatRequest } from "../request.ts";
import { namePattern } from "../../openai/read-parts.ts";
import { hasText, isObject, isText, kindOf } from "../../shared/json.ts";
import { brokenRefs } from "../../shared/schema-refs.ts";
import { requestRules, streamOptionsRule } from "../../openai/rules-request.ts";
import { shapeRequirement, unknownKeys, when, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/chat/create";
const toolGuide = "https://platform.openai.com/docs/guides/function-calling";
const refused = { status: 400, code: "invalid_value", requirement: shapeRequirement } as const;

const requestFields = new Set(
  `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities
   moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention
   reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools
   top_logprobs top_p user verbosity web_search_options`.split(/\s+/),
);

const ownRules: Rule<ChatRequest>[] = [
  ...requestRules("openai-chat", reference),
  {
    ...refused,
    id: "openai-chat/model",
    statement: "A request names a model.",
    code: "missing_required_parameter",
    docs: reference,
    check: ({ fields }) => when(!hasText(fields["model"]), "you must provide a model parameter", "model"),
  },
  {
    ...refused,
    id: "openai-chat/unknown-fields",
    statement: "A request has no parameters that the API does not define.",
    code: "unknown_parameter",
    docs: reference,
    check: ({ fields }) =>
      unknownKeys(fields, requestFields).map((key) => ({ message: `unknown parameter: '${key}'`, param: key })),
  },
  streamOptionsRule("openai-chat", reference, "CHAT-9"),
  {
    ...refused,
    id: "openai-chat/tools-non-empty",
    statement: "tools, where they are given, is a list with at least one tool.",
    code: "empty_array",
    docs: reference,
    undocumented: true,
    seen: [
      { where: "https://github.com/dnakov/anon-kode/issues/20", on: "2025-03-06" },
      { where: "https://github.com/scottleibrand/slackAskBot/pull/9", on: "2024-02-11" },
    ],
    check: ({ fields: { tools } }) =>
      when(
        tools !== undefined && (!Array.isArray(tools) || tools.length === 0),
        `invalid 'tools': expected a list of at least one tool, got ${Array.isArray(tools) ? "an empty one" : kindOf(tools)}`,
        "tools",
      ),
  },
  {
    ...refused,
    id: "openai-chat/tool-choice",
    requirement: "CHAT-31",
    statement: "tool_choice and parallel_tool_calls stand only beside tools, and a tool that is chosen is among them.",
    docs: reference,
    check: ({ fields, tools }) => {
      const alone = ["tool_choice", "parallel_tool_calls"].filter(
        (key) => fields[key] !== undefined && fields["tools"] === undefined,
      );
      const choice =
        isObject(fields["tool_choice"]) && isObject(fields["tool_choice"]["function"])
          ? fields["tool_choice"]["function"]["name"]
          : undefined;
      const missing = choice !== undefined && !tools.some(({ target }) => target["name"] === choice);
      return [
        ...alone.map((key) => ({ message: `'${key}' is only allowed when 'tools' are specified`, param: key })),
        ...when(missing, `tool_choice: the function ${JSON.stringify(choice)} is not among the tools`, "tool_choice"),
      ];
    },
  },
  {
    ...refused,
    id: "openai-chat/tool-name",
    statement: "The name of a function has 1 to 64 letters, digits, _ and -.",
    docs: toolGuide,
    check: ({ tools }) =>
      tools.flatMap(({ at, tool, target }) => {
        const legal = isText(target["name"]) && namePattern.test(target["name"]);
        return when(
          tool["type"] === "function" && !legal,
          `invalid '${at}.function.name': expected 1 to 64 letters, digits, _ and -, got ${JSON.stringify(target["name"])}`,
          `${at}.function.name`,
        );
      }),
  },
  {
    ...refused,
    id: "openai-chat/tool-type",
    statement: "A tool is an object of type function or custom.",
    docs: reference,
    check: ({ fields }) =>
      (Array.isArray(fields["tools"]) ? fields["tools"] : []).flatMap((tool: unknown, at: number) => {
        const type = isObject(tool) ? tool["type"] : undefined;
        return when(
          type !== "function" && type !== "custom",
          `invalid 'tools[${at}].type': expected function or custom, got ${JSON.stringify(type)}`,
          `tools[${at}].type`,
        );
      }),
  },
  {
    ...refused,
    id: "openai-chat/schema-refs",
    statement: "A $ref in the parameters of a function leads to a place that they have.",
    code: "invalid_function_parameters",
    docs: toolGuide,
    undocumented: true,
    ...whose.moonshot,
    seen: [{ where: "https://github.com/CommandCodeAI/command-code/issues/566", on: "2026-07-17" }],
    note: "OpenAI's own API was seen to refuse it in strict schemas only: see openai-chat/strict-format.",
    check: ({ tools }) =>
      tools.flatMap(({ at, target }) =>
        brokenRefs(target["parameters"]).map((ref) => ({
          message: `tools.function.parameters is not a valid JSON schema: definition not found for reference ${JSON.stringify(ref)}`,
          param: `${at}.function.parameters`,
        })),
      ),
  },
  {
    ...refused,
    id: "openai-chat/tool-parameters",
    statement:
      "The parameters of a function, where they are given, are a JSON Schema of type object that says its properties.",
    requirement: "CHAT-8",
    code: "invalid_function_parameters",
    docs: toolGuide,
    check: ({ tools }) =>
      tools.flatMap(({ at, target }) => {
        const schema = target["parameters"];
        const fits = isObject(schema) && schema["type"] === "object" && isObject(schema["properties"]);
        return when(
          schema !== undefined && !fits,
          `invalid schema for function '${String(target["name"])}': expected a JSON Schema of type object with properties`,
          `${at}.function.parameters`,
        );
      }),
  },
];

/** Every rule, in the order in which they are checked. */
export const chatRules: readonly Rule<ChatRequest>[] = [...ownRules, ...settingRules, ...messageRules, ...callRules];
