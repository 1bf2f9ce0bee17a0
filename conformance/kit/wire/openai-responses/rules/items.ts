// What OpenAI's Responses API refuses in the items of the input: their types, ids and fields.

import { hasText, isObject, isText, kindOf, listOf } from "../../shared/json.ts";
import type { Item, ResponsesRequest } from "../request.ts";
import { repeated, shapeRequirement, unknownKeys, when, type Finding, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/responses/create";
const stateGuide = "https://platform.openai.com/docs/guides/conversation-state";
const refused = { status: 400, code: "invalid_value", requirement: shapeRequirement } as const;

const itemTypes = new Set(
  `additional_tools apply_patch_call apply_patch_call_output code_interpreter_call compaction compaction_trigger computer_call
   computer_call_output configuration_update custom_tool_call custom_tool_call_output file_search_call function_call
   function_call_output image_generation_call item_reference local_shell_call local_shell_call_output mcp_approval_request
   mcp_approval_response mcp_call mcp_list_tools message program program_output reasoning shell_call shell_call_output
   tool_search_call tool_search_output web_search_call`.split(/\s+/),
);

const calls = "type id call_id name caller namespace status";
const fieldsOf: Record<string, ReadonlySet<string>> = {
  message: new Set("type id role content status phase".split(" ")),
  function_call: new Set(`${calls} arguments async`.split(" ")),
  function_call_output: new Set(`${calls} output`.split(" ")),
  custom_tool_call: new Set(`${calls} input`.split(" ")),
  custom_tool_call_output: new Set(`${calls} output`.split(" ")),
  reasoning: new Set("type id summary content encrypted_content".split(" ")),
  item_reference: new Set(["type", "id"]),
};

/** How the id of an item begins. */
const prefixes: Record<string, string> = {
  message: "msg",
  function_call: "fc",
  custom_tool_call: "ctc",
  reasoning: "rs",
};

export const itemRules: readonly Rule<ResponsesRequest>[] = [
  {
    ...refused,
    id: "openai-responses/input",
    statement: "input is a string or a list of objects.",
    code: "invalid_type",
    docs: reference,
    check: ({ fields: { input } }) => [
      ...when(
        input != null && !isText(input) && !Array.isArray(input),
        `invalid type for 'input': expected a string or a list of items, got ${kindOf(input)}`,
        "input",
      ),
      ...listOf(input).flatMap((item, at) =>
        when(
          !isObject(item),
          `invalid type for 'input[${at}]': expected an object, got ${kindOf(item)}`,
          `input[${at}]`,
        ),
      ),
    ],
  },
  {
    ...refused,
    id: "openai-responses/item-type",
    statement: "Each item is of a type that the API defines; an item with a role and without a type is a message.",
    docs: reference,
    note: "A type that the server has used in this conversation is taken for one that it defines.",
    check: ({ own, sent }) => {
      const used = new Set(
        (sent ?? []).flatMap(({ parts }) =>
          parts.map((part) => ("provider_item" in part ? part.provider_item["type"] : "")),
        ),
      );
      return own.flatMap(({ place, type, item }) => {
        const isReference = type === undefined && isText(item["id"]);
        return when(
          !isReference && !itemTypes.has(String(type)) && !used.has(type),
          `invalid value for '${place}.type': ${JSON.stringify(type)}; known: ${[...itemTypes].join(", ")}`,
          place,
        );
      });
    },
  },
  {
    ...refused,
    id: "openai-responses/item-fields",
    statement: "An item has no fields that the API does not define for its type.",
    code: "unknown_parameter",
    docs: reference,
    note: "The reference lists a status of reasoning items; the API was seen to refuse it.",
    check: ({ own }) =>
      own.flatMap(({ place, type, item }) => {
        const known = fieldsOf[String(type)];
        if (known === undefined) return [];
        return unknownKeys(item, known).map((key) => ({
          message: `unknown parameter: '${place}.${key}'`,
          param: `${place}.${key}`,
        }));
      }),
  },
  {
    ...refused,
    id: "openai-responses/item-id",
    statement:
      "The id of an item has up to 64 letters, digits, _ and -, and begins as the ids of its type do: msg, fc, ctc, rs.",
    requirement: "RESPONSES-3",
    docs: reference,
    undocumented: true,
    seen: [
      { where: "https://github.com/continuedev/continue/issues/11494", on: "2026-03-16" },
      { where: "https://github.com/openai/codex/issues/33176", on: "2026-07-14" },
    ],
    note: "Compatible servers give and take ids of other kinds. The id of a call is not its call_id.",
    check: ({ own }) => own.flatMap(idFindings),
  },
  {
    ...refused,
    id: "openai-responses/item-ids-unique",
    statement: "No item stands twice, neither in the input nor in it and in what the server keeps of the conversation.",
    code: "invalid_request_error",
    requirement: "RESPONSES-11",
    docs: stateGuide,
    undocumented: true,
    seen: [
      { where: "https://github.com/vercel/ai/issues/7883", on: "2025-08-08" },
      { where: "https://github.com/earendil-works/pi/issues/5149", on: "2026-05-28" },
    ],
    looksBack: true,
    check: ({ items }) =>
      repeated(
        items.filter(({ item }) => hasText(item["id"])),
        ({ item }) => item["id"],
      ).map(({ item }) => ({
        message: `duplicate item found with id ${String(item["id"])}; remove duplicate items from the input`,
        param: "input",
      })),
  },
  {
    ...refused,
    id: "openai-responses/item-known",
    statement: "An item that is only referred to is one that the server stored.",
    status: 404,
    code: "invalid_request_error",
    docs: stateGuide,
    check: ({ own, fields, stored }) =>
      own.flatMap(({ type, item }) => {
        const isReference = type === "item_reference" || (type === undefined && isText(item["id"]));
        return when(isReference && stored !== undefined, notFound(item["id"], fields["store"]), "input");
      }),
  },
];

/** The message of the API for an item that it does not have. */
export function notFound(id: unknown, store: unknown): string {
  const why = store === false ? "; items are not persisted when `store` is false" : "";
  return `item with id '${String(id)}' not found${why}`;
}

function idFindings({ place, type, item: { id, role } }: Item): Finding[] {
  if (id == null) return [];
  const param = `${place}.id`;
  if (!isText(id) || !/^[\w-]{1,64}$/.test(id))
    return [
      { message: `invalid '${param}': expected 1 to 64 letters, digits, _ and -, got ${JSON.stringify(id)}`, param },
    ];
  const prefix = type === "message" && role !== "assistant" ? undefined : prefixes[String(type)];
  return when(
    prefix !== undefined && !id.startsWith(prefix),
    `invalid '${param}': '${id}'; expected an id that begins with '${prefix}'`,
    param,
  );
}
