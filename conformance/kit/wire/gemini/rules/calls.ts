// What Gemini refuses in the calls of a conversation and their responses: places, counts, names and signatures.

import type { GeminiContent, GeminiRequest } from "../request.ts";
import { callsBefore, namePattern } from "../request.ts";
import { signatureOf } from "../render.ts";
import { isObject, isText } from "../../shared/json.ts";
import { shapeRequirement, when, type Finding, type Rule } from "../../shared/rules.ts";

const guide = "https://ai.google.dev/gemini-api/docs/function-calling";
const signatures = "https://ai.google.dev/gemini-api/docs/thought-signatures";
const refused = { status: 400, code: "INVALID_ARGUMENT", requirement: shapeRequirement } as const;

/** What stands for a signature where another model made the call. */
const documented = new Set(["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"]);

export const callRules: readonly Rule<GeminiRequest>[] = [
  {
    ...refused,
    id: "gemini/call-place",
    statement: "A content with calls follows one of the user, or one with responses.",
    requirement: "GEMINI-2",
    docs: guide,
    undocumented: true,
    seen: [
      { where: "https://github.com/google-gemini/gemini-cli/issues/26486", on: "2026-05-05" },
      { where: "https://github.com/google-gemini/gemini-cli/issues/11814", on: "2025-10-23" },
    ],
    check: ({ contents }) =>
      contents.flatMap((content, index) =>
        when(
          content.calls.length > 0 && (contents[index - 1]?.role ?? "model") === "model" && content.at > 0,
          "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
          `contents[${content.at}]`,
        ),
      ),
  },
  {
    ...refused,
    id: "gemini/response-count",
    statement: "Directly after a content with calls come as many responses, and responses come nowhere else.",
    requirement: "GEMINI-2",
    docs: guide,
    undocumented: true,
    seen: [
      { where: "https://github.com/google-gemini/gemini-cli/issues/14590", on: "2025-12-05" },
      { where: "https://github.com/google-gemini/gemini-cli/issues/16415", on: "2026-01-12" },
    ],
    looksBack: true,
    check: ({ contents }) => contents.flatMap((_, index) => countOf(contents, index)),
  },
  {
    ...refused,
    id: "gemini/response-id",
    statement: "A response that has an id has that of a call in the content before.",
    requirement: "GEMINI-2",
    docs: "https://ai.google.dev/api/caching#FunctionResponse",
    looksBack: true,
    check: ({ contents }) =>
      contents.flatMap(({ responses }, index) => {
        const ids = new Set(callsBefore(contents, index).calls.map(({ call }) => call["id"]));
        return responses.flatMap(({ at, response: { id } }) =>
          when(
            ids.size > 0 && id !== undefined && !ids.has(id),
            `${at}.functionResponse.id: no call of the turn before has it`,
            at,
          ),
        );
      }),
  },
  {
    ...refused,
    id: "gemini/response-shape",
    statement: "A response has the name of a function, and an object.",
    docs: "https://ai.google.dev/api/caching#FunctionResponse",
    check: ({ contents }) =>
      contents.flatMap(({ responses }) =>
        responses.flatMap(({ at, response }) =>
          when(
            !isText(response["name"]) || response["name"] === "" || !isObject(response["response"]),
            `* ${at}.function_response: expected a name and an object as response`,
            at,
          ),
        ),
      ),
  },
  {
    ...refused,
    id: "gemini/call-shape",
    statement: "A call has the name of a function, and an object as its arguments.",
    requirement: "GEMINI-1",
    docs: "https://ai.google.dev/api/caching#FunctionCall",
    check: ({ contents }) =>
      contents.flatMap(({ calls }) =>
        calls.flatMap(({ at, call }) =>
          when(
            !isText(call["name"]) ||
              !namePattern.test(call["name"]) ||
              (call["args"] !== undefined && !isObject(call["args"])),
            `* ${at}.function_call: expected a legal name and an object as args`,
            at,
          ),
        ),
      ),
  },
  {
    ...refused,
    id: "gemini/signature",
    statement: "In the turn that is under way, the first call of each content has a thought signature.",
    requirement: "GEMINI-7",
    docs: signatures,
    models: "Gemini 3 and later",
    seen: [
      { where: "https://github.com/langgenius/dify-official-plugins/issues/2088", on: "2025-11-18" },
      { where: "https://github.com/continuedev/continue/issues/8785", on: "2025-11-19" },
    ],
    check: ({ contents, fields }) => {
      if (/(?:^|\/)gemini-(?:1|2)[.-]/.test(String(fields["model"] ?? ""))) return [];
      const begun = contents.findLastIndex(({ role, responses }) => role === "user" && responses.length === 0);
      return contents
        .slice(begun + 1)
        .flatMap(({ calls: [first] }) =>
          when(
            first !== undefined && !isText(first.part["thoughtSignature"]),
            "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.",
            first?.at,
          ),
        );
    },
  },
  {
    ...refused,
    id: "gemini/signature-kept",
    statement: "A call goes back with the signature that it came with, and no call with that of another.",
    requirement: "GEMINI-6",
    docs: signatures,
    check: ({ contents, sent = [] }) => {
      const made = new Map(
        sent.flatMap((response) =>
          response.parts.flatMap((part, at) => {
            if (!("tool_call" in part) || part.tool_call.id === undefined) return [];
            const isFirst = response.parts.findIndex((one) => "tool_call" in one) === at;
            const { signature = isFirst ? signatureOf(response) : null } = part;
            return [[part.tool_call.id, signature ?? undefined] as const];
          }),
        ),
      );
      // Some servers give the same id again, to a call that the loop then gives another.
      const ids = sent.flatMap(({ parts }) =>
        parts.flatMap((part) => ("tool_call" in part ? [part.tool_call.id] : [])),
      );
      const isUnique = (id: string) => ids.indexOf(id) === ids.lastIndexOf(id);
      return contents.flatMap(({ calls }) =>
        calls.flatMap(({ at, part, call }) => {
          const { thoughtSignature: signature } = part;
          if (documented.has(String(signature))) return [];
          const id = String(call["id"]);
          const isChanged = made.has(id) && isUnique(id) && signature !== made.get(id);
          return when(isChanged, `${at}: Corrupted thought signature.`, at);
        }),
      );
    },
  },
];

/** What follows a content with calls: their responses, in one content or in several. */
function countOf(contents: readonly GeminiContent[], index: number): Finding[] {
  const { at, calls, responses } = contents[index]!;
  const behind = contents.slice(index + 1);
  const end = behind.findIndex((next) => next.responses.length === 0);
  const answers = behind.slice(0, end < 0 ? undefined : end).flatMap((next) => next.responses);
  const before = callsBefore(contents, index);
  return [
    ...when(
      calls.length > 0 && behind.length > 0 && answers.length !== calls.length,
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      `contents[${at + 1}]`,
    ),
    ...when(
      responses.length > 0 && index > 0 && before.calls.length === 0,
      "Please ensure that function response turn comes immediately after a function call turn.",
      `contents[${at}]`,
    ),
  ];
}
