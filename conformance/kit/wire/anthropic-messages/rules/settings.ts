// What the Anthropic Messages API refuses about how a request asks the model: thinking, effort, sampling and where to stop.

import type { AnthropicRequest } from "../request.ts";
import { hasText, isObject, isText, kindOf, type JsonObject } from "../../shared/json.ts";
import { unknownKeys, when, type Rule } from "../../shared/rules.ts";

const docs = "https://platform.claude.com/docs/en";
const thinkingGuide = `${docs}/build-with-claude/thinking`;
const effortGuide = `${docs}/build-with-claude/effort`;
const refused = { status: 400, code: "invalid_request_error", requirement: "PROVIDER-28" } as const;

const thinkingFields: Record<string, ReadonlySet<string>> = {
  enabled: new Set(["type", "budget_tokens", "display"]),
  adaptive: new Set(["type", "display", "block_binding"]),
  disabled: new Set(["type"]),
  between_tools: new Set(["type"]),
};

/** What the models of a name refuse. Models that are not listed are assumed to accept everything, including unknown ones. */
const models = {
  noEffort: /^claude-(?:instant|[123]\b|sonnet-4(?!-6)|haiku-4|opus-4(?!-[5-9]\b))/,
  noMaxEffort: /^claude-opus-4-5\b/,
  noXhighEffort: /^claude-(?:opus-4-[56]|sonnet-4-6)\b/,
  noSampling: /^claude-(?:opus-4-[78]|(?:fable|mythos|opus|sonnet)-5|haiku-5-5|mythos-preview)\b/,
  noBudget: /^claude-(?:opus-4-[78]|sonnet-5|fable-5|mythos-5|mythos-preview|opus-5-5|haiku-5-5)\b/,
  noAdaptive: /^claude-(?:instant|[123]\b|sonnet-4(?!-6)|haiku-4|opus-4(?!-[678]\b))/,
  noOff: /^claude-(?:opus-5-5|sonnet-5-5|fable-5-1)\b/,
};

export const settingRules: readonly Rule<AnthropicRequest>[] = [
  {
    ...refused,
    id: "anthropic-messages/thinking-config",
    statement:
      "thinking is an object of type enabled, adaptive, disabled or between_tools, with the fields of that type.",
    docs: thinkingGuide,
    check: ({ fields: { thinking } }) => {
      if (thinking === undefined || thinking === null) return [];
      const known = isObject(thinking) ? thinkingFields[String(thinking["type"])] : undefined;
      if (!isObject(thinking) || known === undefined)
        return [{ message: "thinking: expected an object of type enabled, adaptive, disabled or between_tools" }];
      const { display } = thinking;
      return [
        ...unknownKeys(thinking, known).map((key) => ({
          message: `thinking.${String(thinking["type"])}.${key}: extra inputs are not permitted`,
        })),
        ...when(
          display !== undefined && display !== null && !["summarized", "omitted"].includes(String(display)),
          "thinking.display: input should be 'summarized' or 'omitted'",
        ),
      ];
    },
  },
  {
    ...refused,
    id: "anthropic-messages/thinking-budget",
    statement: "The budget of thinking is a whole number of at least 1024, and less than max_tokens.",
    docs: `${docs}/build-with-claude/extended-thinking`,
    note: "With the header anthropic-beta: interleaved-thinking-2025-05-14 it may be more than max_tokens.",
    check: ({ fields, headers }) => {
      const budget = enabledThinking(fields)?.["budget_tokens"];
      if (enabledThinking(fields) === undefined) return [];
      const isEnough = Number.isInteger(budget) && Number(budget) >= 1024;
      const isInterleaved = /\binterleaved-thinking-2025-05-14\b/.test(headers["anthropic-beta"] ?? "");
      const most = fields["max_tokens"];
      return [
        ...when(
          !isEnough,
          `thinking.enabled.budget_tokens: expected a whole number of at least 1024, got ${String(budget)}`,
        ),
        ...when(
          isEnough && !isInterleaved && Number(budget) >= Number(most),
          "max_tokens: must be greater than thinking.budget_tokens",
        ),
      ];
    },
  },
  {
    ...refused,
    id: "anthropic-messages/thinking-of-model",
    statement: "The type of thinking is one that the model has.",
    docs: `${thinkingGuide}#configuring-thinking`,
    note: "Opus 5 and Haiku 5.5 also refuse disabled with an effort above high, which is not checked here.",
    check: ({ fields }) => {
      const { thinking, model } = fields;
      const type = isObject(thinking) ? String(thinking["type"]) : "";
      const without = { enabled: models.noBudget, adaptive: models.noAdaptive, disabled: models.noOff }[type];
      return when(without?.test(String(model)) === true, `"thinking.type.${type}" is not supported for this model`);
    },
  },
  {
    ...refused,
    id: "anthropic-messages/sampling-range",
    statement: "temperature and top_p are numbers from 0 to 1.",
    docs: `${docs}/api/messages/create`,
    note: "Claude 3.5 Sonnet was seen to take a top_p of -1.",
    check: ({ fields }) =>
      ["temperature", "top_p"].flatMap((name) => {
        const value = fields[name];
        if (value === undefined || value === null) return [];
        const isLenient = name === "top_p" && String(fields["model"]).startsWith("claude-3-5-sonnet");
        const isInRange = typeof value === "number" && (value >= 0 || isLenient) && value <= 1;
        return when(!isInRange, `${name}: expected a number from 0 to 1, got ${String(value)}`);
      }),
  },
  {
    ...refused,
    id: "anthropic-messages/sampling-with-thinking",
    statement: "While the model thinks, temperature is 1 if it is there, top_p is at least 0.95, and top_k is absent.",
    docs: `${docs}/build-with-claude/extended-thinking#feature-compatibility`,
    check: ({ fields }) => {
      const { temperature, top_p, top_k } = fields;
      if (!thinks(fields)) return [];
      return [
        ...when(
          typeof temperature === "number" && temperature !== 1,
          "`temperature` may only be set to 1 when thinking is enabled",
        ),
        ...when(
          typeof top_p === "number" && top_p < 0.95,
          "`top_p` must be at least 0.95 or unset when thinking is enabled",
        ),
        ...when(typeof top_k === "number", "`top_k` must be unset when thinking is enabled"),
      ];
    },
  },
  {
    ...refused,
    id: "anthropic-messages/sampling-of-model",
    statement: "A model without sampling parameters gets none of temperature, top_p and top_k but their defaults.",
    docs: `${docs}/about-claude/models/migration-guide`,
    note: "Since Claude Opus 4.7. Reports say that temperature is refused with any value; here 1 is accepted, as the documentation says.",
    check: ({ fields }) =>
      ["temperature", "top_p", "top_k"].flatMap((name) => {
        const value = fields[name];
        const isDefault = value === undefined || value === null || (name !== "top_k" && value === 1);
        return when(
          !isDefault && models.noSampling.test(String(fields["model"])),
          `\`${name}\` is deprecated for this model`,
        );
      }),
  },
  {
    ...refused,
    id: "anthropic-messages/stop-sequences",
    statement: "stop_sequences is a list of strings, each with something in it besides white space.",
    docs: `${docs}/api/messages/create`,
    note: "That white space alone is refused is not documented; users report it.",
    check: ({ fields: { stop_sequences: stops } }) => {
      if (stops === undefined || stops === null) return [];
      if (!Array.isArray(stops)) return [{ message: `stop_sequences: expected a list, got ${kindOf(stops)}` }];
      return when(!stops.every(hasText), "stop_sequences: each stop sequence must contain non-whitespace");
    },
  },
  {
    ...refused,
    id: "anthropic-messages/effort-of-model",
    statement: "The effort is a level that the model has.",
    docs: effortGuide,
    note: "Models before Claude Opus 4.5 have none, nor have Sonnet 4.5 and Haiku 4.5; max and xhigh came later.",
    check: ({ fields: { model, output_config } }) => {
      const effort = isObject(output_config) ? output_config["effort"] : undefined;
      if (!isText(effort)) return [];
      const name = String(model);
      const lacks = { max: models.noMaxEffort, xhigh: models.noXhighEffort }[effort]?.test(name) === true;
      return [
        ...when(models.noEffort.test(name), "this model does not support the effort parameter"),
        ...when(lacks, `this model does not support the effort level '${effort}'`),
      ];
    },
  },
];

function enabledThinking({ thinking }: JsonObject): JsonObject | undefined {
  return isObject(thinking) && thinking["type"] === "enabled" ? thinking : undefined;
}

/** Whether the request itself asks the model to think. */
export function thinks({ thinking }: JsonObject): boolean {
  return isObject(thinking) && ["enabled", "adaptive"].includes(String(thinking["type"]));
}
