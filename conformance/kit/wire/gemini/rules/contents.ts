// What Gemini refuses in the contents of a request: roles and parts.

import type { GeminiRequest } from "../request.ts";
import { isObject, isText, listOf } from "../../shared/json.ts";
import { shapeRequirement, unknownKeys, when, type Rule } from "../../shared/rules.ts";

const reference = "https://ai.google.dev/api/caching#Content";
const refused = { status: 400, code: "INVALID_ARGUMENT", requirement: shapeRequirement } as const;

/** Of these, a part has exactly one. */
const partData =
  `text inlineData functionCall functionResponse fileData executableCode codeExecutionResult toolCall toolResponse`.split(
    " ",
  );
const partFields = new Set([
  ...partData,
  "thought",
  "thoughtSignature",
  "partMetadata",
  "videoMetadata",
  "mediaResolution",
]);

export const contentRules: readonly Rule<GeminiRequest>[] = [
  {
    ...refused,
    id: "gemini/contents",
    statement: "A request has at least one content.",
    docs: reference,
    check: ({ fields }) =>
      when(
        listOf(fields["contents"]).length === 0,
        "* GenerateContentRequest.contents: contents is not specified",
        "contents",
      ),
  },
  {
    ...refused,
    id: "gemini/roles",
    statement: "Each content has the role user or model.",
    docs: reference,
    check: ({ contents }) =>
      contents.flatMap(({ at, role }) =>
        when(
          role !== "user" && role !== "model" && role !== "function" && role !== undefined,
          "Please use a valid role: user, model.",
          `contents[${at}].role`,
        ),
      ),
  },
  {
    ...refused,
    id: "gemini/parts",
    statement: "Each content has at least one part, and each part exactly one kind of data.",
    requirement: "PROVIDER-11",
    docs: "https://ai.google.dev/api/caching#Part",
    check: ({ contents }) =>
      contents.flatMap(({ at, content, parts }) => [
        ...when(
          listOf(content["parts"]).length === 0,
          "* GenerateContentRequest.contents.parts: contents.parts must not be empty.",
          `contents[${at}].parts`,
        ),
        ...parts.flatMap(({ at: place, part }) =>
          when(
            partData.filter((name) => part[name] !== undefined).length !== 1,
            `* ${place}.data: required oneof field 'data' must have one initialized field`,
            place,
          ),
        ),
      ]),
  },
  {
    ...refused,
    id: "gemini/part-fields",
    statement: "A part has no fields that the API does not define.",
    docs: "https://ai.google.dev/api/caching#Part",
    check: ({ contents }) =>
      contents.flatMap(({ parts }) =>
        parts.flatMap(({ at, part }) =>
          unknownKeys(part, partFields).map((key) => ({
            message: `Invalid JSON payload received. Unknown name "${key}" at '${at}': Cannot find field.`,
            param: at,
          })),
        ),
      ),
  },
  {
    ...refused,
    id: "gemini/instructions",
    statement: "The system instruction is a content with texts only.",
    docs: reference,
    check: ({ fields: { systemInstruction: given } }) =>
      when(
        given !== undefined &&
          !(
            isObject(given) &&
            listOf(given["parts"]).length > 0 &&
            listOf(given["parts"]).every((part) => isObject(part) && isText(part["text"]))
          ),
        "* GenerateContentRequest.system_instruction: expected a content with text parts",
        "systemInstruction",
      ),
  },
];
