// What Gemini refuses in the settings of a request.

import type { GeminiRequest } from "../request.ts";
import { isObject, listOf } from "../../shared/json.ts";
import { shapeRequirement, unknownKeys, when, type Rule } from "../../shared/rules.ts";

const reference = "https://ai.google.dev/api/generate-content#generationconfig";
const thinkingGuide = "https://ai.google.dev/gemini-api/docs/thinking";
const refused = { status: 400, code: "INVALID_ARGUMENT", requirement: shapeRequirement } as const;

const configFields = new Set(
  `stopSequences responseMimeType responseSchema _responseJsonSchema responseJsonSchema responseModalities candidateCount maxOutputTokens
   temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs enableEnhancedCivicAnswers speechConfig
   thinkingConfig imageConfig mediaResolution audioTimestamp routingConfig modelSelectionConfig`.split(/\s+/),
);

function configOf({ fields }: GeminiRequest): Record<string, unknown> {
  return isObject(fields["generationConfig"]) ? fields["generationConfig"] : {};
}

export const settingRules: readonly Rule<GeminiRequest>[] = [
  {
    ...refused,
    id: "gemini/config-fields",
    statement: "The generation config has no fields that the API does not define.",
    docs: reference,
    check: (request) =>
      unknownKeys(configOf(request), configFields).map((key) => ({
        message: `Invalid JSON payload received. Unknown name "${key}" at 'generation_config': Cannot find field.`,
        param: `generationConfig.${key}`,
      })),
  },
  {
    ...refused,
    id: "gemini/limit",
    statement: "maxOutputTokens is a whole number from 1.",
    requirement: "PROVIDER-28",
    docs: reference,
    check: (request) => {
      const { maxOutputTokens: limit } = configOf(request);
      return when(
        limit !== undefined && !(Number.isInteger(limit) && (limit as number) >= 1),
        "* GenerateContentRequest.generation_config.max_output_tokens: must be a positive integer",
        "generationConfig.maxOutputTokens",
      );
    },
  },
  {
    ...refused,
    id: "gemini/stop-sequences",
    statement: "A request has at most five stop sequences.",
    requirement: "GEMINI-14",
    docs: reference,
    check: (request) =>
      when(
        listOf(configOf(request)["stopSequences"]).length > 5,
        "* GenerateContentRequest.generation_config.stop_sequences: at most 5 are supported",
        "generationConfig.stopSequences",
      ),
  },
  {
    ...refused,
    id: "gemini/thinking",
    statement: "A request has a thinking level or a thinking budget, and not both.",
    requirement: "GEMINI-14",
    docs: thinkingGuide,
    check: (request) => {
      const { thinkingConfig } = configOf(request);
      const { thinkingLevel, thinkingBudget } = isObject(thinkingConfig) ? thinkingConfig : {};
      return when(
        thinkingLevel !== undefined && thinkingBudget !== undefined,
        "You can only set one of thinking budget and thinking level.",
        "generationConfig.thinkingConfig",
      );
    },
  },
  {
    ...refused,
    id: "gemini/output-format",
    statement: "A schema of the output stands beside the type application/json.",
    docs: "https://ai.google.dev/gemini-api/docs/structured-output",
    check: (request) => {
      const { responseJsonSchema, responseSchema, responseMimeType } = configOf(request);
      return when(
        (responseJsonSchema ?? responseSchema) !== undefined && responseMimeType !== "application/json",
        "* GenerateContentRequest.generation_config.response_schema: only allowed with response_mime_type application/json",
        "generationConfig.responseMimeType",
      );
    },
  },
];
