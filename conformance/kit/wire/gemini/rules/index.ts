// What Gemini refuses: the list of its rules.

import { callRules } from "./calls.ts";
import { contentRules } from "./contents.ts";
import { settingRules } from "./settings.ts";
import { toolRules } from "./tools.ts";
import type { GeminiRequest } from "../request.ts";
import { bodyRules } from "../../shared/body-rules.ts";
import { hasText } from "../../shared/json.ts";
import { shapeRequirement, unknownKeys, when, type Rule } from "../../shared/rules.ts";

const reference = "https://ai.google.dev/api/generate-content";

/** `model`, `stream` and `key` are from the path. */
const requestFields = new Set(
  `contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels modelArmorConfig serviceTier store model
   stream key`.split(/\s+/),
);

const ownRules: Rule<GeminiRequest>[] = [
  ...bodyRules("gemini", { code: "INVALID_ARGUMENT", docs: { headers: reference, body: reference } }),
  {
    id: "gemini/key",
    statement: "A request has a key in x-goog-api-key or in the query, or a token in authorization.",
    requirement: "DRIVER-10",
    status: 403,
    code: "PERMISSION_DENIED",
    docs: "https://ai.google.dev/gemini-api/docs/api-key",
    check: ({ fields, headers }) =>
      when(
        fields["key"] !== true && !hasText(headers["x-goog-api-key"]) && !hasText(headers["authorization"]),
        "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity to call this API.",
      ),
  },
  {
    id: "gemini/unknown-fields",
    statement: "A request has no fields that the API does not define.",
    requirement: shapeRequirement,
    status: 400,
    code: "INVALID_ARGUMENT",
    docs: reference,
    check: ({ fields }) =>
      unknownKeys(fields, requestFields).map((key) => ({
        message: `Invalid JSON payload received. Unknown name "${key}": Cannot find field.`,
        param: key,
      })),
  },
];

/** Every rule, in the order in which they are checked. */
export const geminiRules: readonly Rule<GeminiRequest>[] = [
  ...ownRules,
  ...contentRules,
  ...callRules,
  ...toolRules,
  ...settingRules,
];
