// What OpenAI's Responses API refuses in the content of messages and results.

import { hasText, isObject, isText, kindOf, listOf, type JsonObject } from "../../shared/json.ts";
import type { Item, ResponsesRequest } from "../request.ts";
import { shapeRequirement, when, type Finding, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/responses/create";
const refused = { status: 400, code: "invalid_value", requirement: shapeRequirement } as const;

const roles = ["user", "assistant", "system", "developer"];
const inputParts = ["input_text", "input_image", "input_file"];
const partTypes: Record<string, readonly string[]> = {
  user: inputParts,
  system: inputParts,
  developer: inputParts,
  assistant: ["output_text", "refusal"],
};

export const contentRules: readonly Rule<ResponsesRequest>[] = [
  {
    ...refused,
    id: "openai-responses/roles",
    statement: "A message has the role user, assistant, system or developer.",
    docs: reference,
    check: (request) =>
      messages(request).flatMap(({ place, item: { role } }) =>
        when(
          !roles.includes(String(role)),
          `invalid value for '${place}.role': ${JSON.stringify(role)}; expected ${roles.join(", ")}`,
          `${place}.role`,
        ),
      ),
  },
  {
    ...refused,
    id: "openai-responses/content",
    statement: "The content of a message is a string or a list of parts.",
    code: "invalid_type",
    requirement: "PROVIDER-11",
    docs: reference,
    check: (request) =>
      messages(request).flatMap(({ place, item: { content } }) =>
        when(
          !isText(content) && !Array.isArray(content),
          `invalid type for '${place}.content': expected a string or a list of parts, got ${kindOf(content)}`,
          `${place}.content`,
        ),
      ),
  },
  {
    ...refused,
    id: "openai-responses/parts",
    statement:
      "The parts of a message of the assistant are output_text and refusal; those of others input_text, input_image and input_file.",
    requirement: "RESPONSES-2",
    docs: reference,
    check: (request) =>
      messages(request).flatMap(({ place, item: { role, content } }) => {
        const allowed = partTypes[String(role)];
        return allowed === undefined ? [] : partFindings(content, `${place}.content`, allowed);
      }),
  },
  {
    ...refused,
    id: "openai-responses/output-parts",
    statement: "The output of a result is a string or a list of input_text, input_image and input_file.",
    code: "invalid_type",
    requirement: "RESPONSES-8",
    docs: "https://platform.openai.com/docs/guides/function-calling",
    check: ({ own }) =>
      own.flatMap(({ place, type, item: { output } }) => {
        if (type !== "function_call_output" && type !== "custom_tool_call_output") return [];
        if (Array.isArray(output)) return partFindings(output, `${place}.output`, inputParts);
        return when(
          !isText(output),
          `invalid type for '${place}.output': expected a string or a list of parts, got ${kindOf(output)}`,
          `${place}.output`,
        );
      }),
  },
];

function messages({ own }: ResponsesRequest): Item[] {
  return own.filter(({ type }) => type === "message");
}

function partFindings(content: unknown, place: string, allowed: readonly string[]): Finding[] {
  return listOf(content).flatMap((part, index) => {
    const param = `${place}[${index}]`;
    const type = isObject(part) ? part["type"] : undefined;
    if (!isObject(part) || !allowed.includes(String(type)))
      return [
        { message: `invalid value for '${param}': ${JSON.stringify(type)}; expected ${allowed.join(" or ")}`, param },
      ];
    return sourceFindings(part, param);
  });
}

function sourceFindings(part: JsonObject, param: string): Finding[] {
  switch (part["type"]) {
    case "input_image":
      return when(
        !hasText(part["file_id"]) && !/^(https?:|data:image\/)/.test(String(part["image_url"])),
        `invalid '${param}.image_url': expected an http, https or data address of an image`,
        param,
      );
    case "input_file":
      return when(
        !hasText(part["file_id"]) &&
          !/^https?:/.test(String(part["file_url"])) &&
          !/^data:[^;,]+\/[^;,]+;base64,/.test(String(part["file_data"])),
        `invalid '${param}.file_data': expected a base64 data URL with a media type, a file_url, or a file_id`,
        param,
      );
    case "refusal":
      return textFindings(part["refusal"], `${param}.refusal`);
    default:
      return textFindings(part["text"], `${param}.text`);
  }
}

function textFindings(text: unknown, param: string): Finding[] {
  return when(!isText(text), `invalid type for '${param}': expected a string, got ${kindOf(text)}`, param);
}
