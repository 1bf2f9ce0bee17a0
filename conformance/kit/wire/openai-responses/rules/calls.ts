// What OpenAI's Responses API refuses about calls and their results.

import { isText, kindOf } from "../../shared/json.ts";
import { maxIdLength, type Item, type ResponsesRequest } from "../request.ts";
import { namePattern } from "../../openai/read-parts.ts";
import { repeated, shapeRequirement, when, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/responses/create";
const toolGuide = "https://platform.openai.com/docs/guides/function-calling";
const refused = { status: 400, code: "invalid_value", requirement: shapeRequirement } as const;

/** The type of the result that belongs to each type of call. */
const outputTypes: Record<string, string> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
};

export const callRules: readonly Rule<ResponsesRequest>[] = [
  {
    ...refused,
    id: "openai-responses/call-id",
    statement: "A call and its result have a call_id of 1 to 64 characters.",
    code: "string_above_max_length",
    requirement: "RESPONSES-12",
    docs: reference,
    note: "The limits are documented only by the errors; the API was seen to give out longer ones itself.",
    check: ({ own }) =>
      [...callsIn(own), ...resultsIn(own)].flatMap(({ place, item: { call_id: id } }) =>
        when(
          !isText(id) || id === "" || Array.from(id).length > maxIdLength,
          `invalid '${place}.call_id': expected a string of 1 to ${maxIdLength} characters, got ${isText(id) ? `${id.length} characters` : kindOf(id)}`,
          `${place}.call_id`,
        ),
      ),
  },
  {
    ...refused,
    id: "openai-responses/call-ids-unique",
    statement: "No two calls of a conversation have the same call_id.",
    requirement: "SESSION-9",
    docs: toolGuide,
    undocumented: true,
    seen: [{ where: "https://github.com/earendil-works/pi/issues/9057", on: "2026-09-03" }],
    note: "Compatible servers refuse it by name, the API itself by its pairing of calls and results.",
    looksBack: true,
    check: ({ items }) =>
      repeated(callsIn(items), ({ item }) => item["call_id"]).map(({ place, item }) => ({
        message: `duplicate 'call_id': ${String(item["call_id"])}`,
        param: `${place}.call_id`,
      })),
  },
  {
    ...refused,
    id: "openai-responses/call-name",
    statement: "The name in a call has 1 to 64 letters, digits, _ and -.",
    requirement: "RESPONSES-14",
    docs: toolGuide,
    note: "The reference gives no greatest length; see openai-responses/tool-name.",
    check: ({ own }) =>
      callsIn(own).flatMap(({ place, item: { name } }) =>
        when(
          !isText(name) || !namePattern.test(name),
          `invalid '${place}.name': expected 1 to 64 letters, digits, _ and -, got ${JSON.stringify(name)}`,
          `${place}.name`,
        ),
      ),
  },
  {
    ...refused,
    id: "openai-responses/call-arguments",
    statement: "The arguments of a function call, and the input of a custom tool call, are a string.",
    code: "invalid_type",
    requirement: "RESPONSES-9",
    docs: toolGuide,
    check: ({ own }) =>
      callsIn(own).flatMap(({ place, type, item }) => {
        const field = type === "function_call" ? "arguments" : "input";
        return when(
          !isText(item[field]),
          `invalid type for '${place}.${field}': expected a string, got ${kindOf(item[field])}`,
          `${place}.${field}`,
        );
      }),
  },
  {
    ...refused,
    id: "openai-responses/calls-answered",
    statement: "Each call is answered by an output item after it.",
    code: "invalid_request_error",
    requirement: "SESSION-6",
    docs: toolGuide,
    note: "DeepSeek's server also refuses a message between calls and their outputs.",
    looksBack: true,
    check: ({ items }) => {
      const last = new Map(items.flatMap(({ type, item }, at) => (isResult(type) ? [[item["call_id"], at]] : [])));
      return items.flatMap(({ type, item: { call_id: id } }, at) => {
        const isOpen = outputTypes[String(type)] !== undefined && (last.get(id) ?? -1) < at;
        return when(isOpen, `no tool output found for function call ${String(id)}`, "input");
      });
    },
  },
  {
    ...refused,
    id: "openai-responses/shell-calls-answered",
    statement: "Once the user has said something more, every call of a shell before it has its output.",
    code: "invalid_request_error",
    requirement: "PROVIDER-44",
    docs: toolGuide,
    undocumented: true,
    seen: [
      { where: "https://github.com/openai/openai-agents-python/pull/1855", on: "2025-10-04" },
      { where: "https://github.com/openai/openai-agents-python/issues/2664", on: "2026-03-13" },
    ],
    looksBack: true,
    check: ({ items }) => {
      const answered = new Set(
        items.flatMap(({ type, item }) => (/^(local_)?shell_call_output$/.test(String(type)) ? [item["call_id"]] : [])),
      );
      const last = items.findLastIndex(({ item }) => item["role"] === "user");
      return items.slice(0, Math.max(0, last)).flatMap(({ type, item: { call_id: id } }) => {
        const isOpen = /^(local_)?shell_call$/.test(String(type)) && !answered.has(id);
        return when(isOpen, `no tool output found for shell call ${String(id)}`, "input");
      });
    },
  },
  {
    ...refused,
    id: "openai-responses/output-known",
    statement: "An output item answers a call before it.",
    code: "invalid_request_error",
    requirement: "PROVIDER-9",
    docs: toolGuide,
    note: "Where the request goes on with a conversation of which nothing is known here, the call may stand there.",
    looksBack: true,
    check: ({ items, isPartial }) => {
      const callIds = new Set<unknown>();
      return items.flatMap(({ type, item: { call_id: id } }) => {
        if (outputTypes[String(type)] !== undefined) callIds.add(id);
        return when(
          isResult(type) && !isPartial && !callIds.has(id),
          `no tool call found for function call output with call_id ${String(id)}`,
          "input",
        );
      });
    },
  },
  {
    ...refused,
    id: "openai-responses/output-type",
    statement:
      "A function call is answered by a function_call_output, a custom tool call by a custom_tool_call_output.",
    code: "invalid_request_error",
    requirement: "RESPONSES-7",
    docs: reference,
    looksBack: true,
    check: ({ items }) => {
      // Of several calls with one id, the first.
      const callTypes = new Map(
        callsIn(items)
          .toReversed()
          .map(({ type, item }) => [item["call_id"], type]),
      );
      return resultsIn(items).flatMap(({ place, type, item }) => {
        const expected = outputTypes[String(callTypes.get(item["call_id"]))];
        return when(
          expected !== undefined && expected !== type,
          `expected an item of type ${expected} for call_id ${String(item["call_id"])}, got ${String(type)}`,
          place,
        );
      });
    },
  },
  {
    ...refused,
    id: "openai-responses/output-single",
    statement: "A call is answered by one output item.",
    code: "invalid_request_error",
    requirement: "SESSION-6",
    docs: toolGuide,
    undocumented: true,
    seen: [{ where: "https://github.com/NousResearch/hermes-agent/pull/111443", on: "2026-09-15" }],
    note: "Compatible servers refuse it too.",
    looksBack: true,
    check: ({ items }) =>
      repeated(resultsIn(items), ({ item }) => item["call_id"]).map(({ place, item }) => ({
        message: `duplicate output for call_id '${String(item["call_id"])}'; each call has exactly one`,
        param: place,
      })),
  },
];

function callsIn(items: readonly Item[]): Item[] {
  return items.filter(({ type }) => outputTypes[String(type)] !== undefined);
}

function resultsIn(items: readonly Item[]): Item[] {
  return items.filter(({ type }) => isResult(type));
}

function isResult(type: unknown): boolean {
  return Object.values(outputTypes).includes(String(type));
}
