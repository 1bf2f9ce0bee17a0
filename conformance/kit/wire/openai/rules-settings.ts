// What both of OpenAI's APIs refuse about the settings of a request.

import { hasText, isObject, isText, kindOf, type JsonObject } from "../shared/json.ts";
import { efforts } from "./settings.ts";
import { strictFaults } from "./strict.ts";
import { when, type Finding, type Rule } from "../shared/rules.ts";

const requirement = "PROVIDER-28";
const refused = { status: 400, code: "invalid_value", requirement } as const;

/** Models that were seen to take no sampling at all; later ones take it where they are not to think. */
const fixedSampling = /^(?:o[134](?:-mini|-pro)?|gpt-5(?:-mini|-nano)?)(?:-\d{4}-\d{2}-\d{2})?$/;

/** The rules about sampling and caching, which have the same fields in both APIs. */
export function sharedSettingRules(provider: string, reference: string): readonly Rule<{ fields: JsonObject }>[] {
  return [
    {
      ...refused,
      id: `${provider}/sampling`,
      statement: "temperature is a number from 0 to 2, top_p one from 0 to 1.",
      docs: reference,
      check: ({ fields }) => [...numberFindings(fields, "temperature", 2), ...numberFindings(fields, "top_p", 1)],
    },
    {
      ...refused,
      id: `${provider}/sampling-of-reasoning-models`,
      statement: "A model that always reasons takes no temperature and no top_p but 1, and no stop.",
      code: "unsupported_value",
      docs: "https://platform.openai.com/docs/guides/latest-model",
      note: "The guide names models that take them with the effort none; for the older ones, o1 to gpt-5, it is documented only by the errors. The reference says it of stop for o3 and o4-mini; gpt-5 was seen to refuse it too.",
      check: ({ fields }) => {
        if (!fixedSampling.test(String(fields["model"]))) return [];
        const changed = ["temperature", "top_p"].filter((key) => fields[key] != null && fields[key] !== 1);
        return [
          ...changed.map((key) => ({
            message: `unsupported value: '${key}' does not support ${JSON.stringify(fields[key])} with this model; only the default (1) value is supported`,
            param: key,
          })),
          ...when(fields["stop"] != null, "unsupported parameter: 'stop' is not supported with this model", "stop"),
        ];
      },
    },
    {
      ...refused,
      id: `${provider}/prompt-cache`,
      statement:
        "prompt_cache_key has at most 64 characters; the mode in prompt_cache_options is implicit or explicit.",
      code: "string_above_max_length",
      docs: "https://platform.openai.com/docs/guides/prompt-caching",
      note: "The greatest length is documented only by the error. Models before gpt-5.6 do not know prompt_cache_options.",
      check: ({ fields: { prompt_cache_key: key, prompt_cache_options: options } }) => {
        const mode = isObject(options) ? options["mode"] : options;
        return [
          ...when(
            key != null && (!isText(key) || key.length > 64),
            `invalid 'prompt_cache_key': expected a string of at most 64 characters, got ${isText(key) ? `${key.length}` : kindOf(key)}`,
            "prompt_cache_key",
          ),
          ...when(
            mode != null && mode !== "implicit" && mode !== "explicit",
            `invalid 'prompt_cache_options.mode': expected implicit or explicit, got ${JSON.stringify(mode)}`,
            "prompt_cache_options",
          ),
        ];
      },
    },
  ];
}

function numberFindings(fields: JsonObject, key: string, most: number): Finding[] {
  const value = fields[key];
  const fits = value == null || (typeof value === "number" && value >= 0 && value <= most);
  return when(!fits, `invalid '${key}': expected a number from 0 to ${most}, got ${JSON.stringify(value)}`, key);
}

/** What is wrong with a greatest number of output tokens; the least differs. */
export function limitFindings(fields: JsonObject, key: string, least: number): Finding[] {
  const value = fields[key];
  return when(
    value != null && !(Number.isInteger(value) && Number(value) >= least),
    `invalid '${key}': expected a whole number from ${least}, got ${JSON.stringify(value)}`,
    key,
  );
}

/** What is wrong with an effort. */
export function effortFindings(effort: unknown, param: string): Finding[] {
  return when(
    effort != null && !efforts.some((word) => word === effort),
    `invalid value for '${param}': ${JSON.stringify(effort)}; expected ${efforts.join(", ")}`,
    param,
  );
}

/** What is wrong with the form of the output: `at` is its path, `schema` the object with the name and the schema, and its path. */
export function formatFindings(format: unknown, at: string, schema: { at: string; value: unknown }): Finding[] {
  if (format == null) return [];
  const type = isObject(format) ? format["type"] : undefined;
  if (type === "json_schema") return schemaFindings(schema.value, schema.at);
  return when(
    type !== "text" && type !== "json_object",
    `invalid value for '${at}.type': ${JSON.stringify(type)}; expected text, json_object or json_schema`,
    `${at}.type`,
  );
}

function schemaFindings(format: unknown, place: string): Finding[] {
  const { name, schema } = (isObject(format) ? format : {}) as { name?: unknown; schema?: unknown };
  if (name === undefined) return [{ message: `missing required parameter: '${place}.name'`, param: `${place}.name` }];
  return [
    ...when(
      !hasText(name) || !/^[a-zA-Z0-9_-]{1,64}$/.test(name),
      `invalid '${place}.name': expected 1 to 64 letters, digits, _ and -, got ${JSON.stringify(name)}`,
      `${place}.name`,
    ),
    ...when(
      !isObject(schema),
      `invalid '${place}.schema': expected an object, got ${kindOf(schema)}`,
      `${place}.schema`,
    ),
  ];
}

/** The rule about a form of the output that is to be strict. `formatOf` gives the object with its name and its schema. */
export function strictFormatRule(
  provider: string,
  api: { code: string; requirement: string; param: string; formatOf(fields: JsonObject): unknown },
): Rule<{ fields: JsonObject }> {
  return {
    status: 400,
    code: api.code,
    requirement: api.requirement,
    id: `${provider}/strict-format`,
    statement:
      "The schema of a strict format is an object that requires every property and allows no other, as is every object in it, and has no keyword that is not supported.",
    docs: "https://platform.openai.com/docs/guides/structured-outputs",
    note: "Compatible servers differ: some take any schema, some only strict ones.",
    check: ({ fields }) => {
      const format = api.formatOf(fields);
      if (!isObject(format) || format["strict"] !== true || !isObject(format["schema"])) return [];
      return strictFaults(format["schema"]).map((fault) => ({
        message: `invalid schema for response_format '${String(format["name"])}': ${fault}`,
        param: api.param,
      }));
    },
  };
}
