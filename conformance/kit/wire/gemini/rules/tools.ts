// What Gemini refuses in the tools of a request, and in the choice of one.

import { namePattern, type GeminiRequest } from "../request.ts";
import { isObject, isText, listOf } from "../../shared/json.ts";
import { repeated, shapeRequirement, when, type Rule } from "../../shared/rules.ts";

const declaration = "https://ai.google.dev/api/caching#FunctionDeclaration";
const refused = { status: 400, code: "INVALID_ARGUMENT", requirement: shapeRequirement } as const;

export const toolRules: readonly Rule<GeminiRequest>[] = [
  {
    ...refused,
    id: "gemini/tool-name",
    statement: "The name of a function has at most 64 letters, digits, _, ., : and -, and begins with a letter or _.",
    requirement: "GEMINI-8",
    docs: declaration,
    seen: [{ where: "https://github.com/google-gemini/gemini-cli/issues/2966", on: "2025-07-02" }],
    check: ({ functions }) =>
      functions.flatMap(({ at, declared: { name } }) =>
        when(
          !isText(name) || !namePattern.test(name),
          `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.`,
          at,
        ),
      ),
  },
  {
    ...refused,
    id: "gemini/tool-names-differ",
    statement: "No two functions have the same name.",
    docs: declaration,
    undocumented: true,
    seen: [
      { where: "https://github.com/googleapis/dotnet-genai/issues/189", on: "2026-01-25" },
      { where: "https://github.com/tridz-dev/huf/pull/341", on: "2026-07-04" },
    ],
    check: ({ functions }) =>
      repeated(functions, ({ declared }) => declared["name"]).map(({ at, declared }) => ({
        message: `Duplicate function declaration found: ${String(declared["name"])}`,
        param: at,
      })),
  },
  {
    ...refused,
    id: "gemini/tool-parameters",
    statement: "A function has parameters or parametersJsonSchema, which is an object, and not both.",
    docs: declaration,
    check: ({ functions }) =>
      functions.flatMap(({ at, declared: { parameters, parametersJsonSchema: schema } }) =>
        when(
          (parameters !== undefined && schema !== undefined) || (schema !== undefined && !isObject(schema)),
          `* GenerateContentRequest.${at}: expected one of parameters and parameters_json_schema, an object`,
          at,
        ),
      ),
  },
  {
    ...refused,
    id: "gemini/tool-choice",
    statement:
      "The functions that are allowed are among those that the request declares, and the mode is then ANY or VALIDATED.",
    requirement: "GEMINI-15",
    docs: "https://ai.google.dev/api/caching#FunctionCallingConfig",
    check: ({ fields, functions }) => {
      const config = isObject(fields["toolConfig"]) ? fields["toolConfig"]["functionCallingConfig"] : undefined;
      if (!isObject(config)) return [];
      const names = new Set(functions.map(({ declared }) => declared["name"]));
      const allowed = listOf(config["allowedFunctionNames"]);
      const missing = allowed.find((name) => !names.has(name));
      const isMode = ["AUTO", "ANY", "NONE", "VALIDATED"].includes(String(config["mode"]));
      return [
        ...when(!isMode, "Invalid value at 'tool_config.function_calling_config.mode'", "toolConfig"),
        ...when(missing !== undefined, `allowed_function_names: ${String(missing)} is not declared`, "toolConfig"),
      ];
    },
  },
];
