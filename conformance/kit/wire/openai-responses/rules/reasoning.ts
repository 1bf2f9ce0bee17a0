// What OpenAI's Responses API refuses about reasoning, and about the items that belong to it.

import { hasText, isObject, isText, listOf, type JsonObject } from "../../shared/json.ts";
import { itemsOf } from "../items.ts";
import type { Item, ResponsesRequest } from "../request.ts";
import { notFound } from "./items.ts";
import { when, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/responses/create";
const reasoningGuide = "https://platform.openai.com/docs/guides/reasoning";
const refused = { status: 400, code: "invalid_request_error" } as const;

/** The types of items that only a client sends. */
const inputTypes = new Set([
  "function_call_output",
  "custom_tool_call_output",
  "computer_call_output",
  "local_shell_call_output",
  "shell_call_output",
  "apply_patch_call_output",
  "mcp_approval_response",
]);

export const reasoningRules: readonly Rule<ResponsesRequest>[] = [
  {
    ...refused,
    id: "openai-responses/reasoning-shape",
    statement: "A reasoning item has a summary, a list of summary_text parts that may be empty.",
    code: "missing_required_parameter",
    requirement: "RESPONSES-3",
    docs: reference,
    check: ({ own }) =>
      reasoningIn(own).flatMap(({ place, item: { summary } }) => {
        if (!Array.isArray(summary))
          return [{ message: `missing required parameter: '${place}.summary'`, param: `${place}.summary` }];
        return summary.flatMap((part: unknown, at) =>
          when(
            !isObject(part) || part["type"] !== "summary_text" || !isText(part["text"]),
            `invalid '${place}.summary[${at}]': expected a part of type summary_text with a text`,
            `${place}.summary[${at}]`,
          ),
        );
      }),
  },
  {
    ...refused,
    id: "openai-responses/reasoning-followed",
    statement:
      "After a reasoning item comes the item of the same response to which it led: a message, a call, an item of a server tool.",
    requirement: "RESPONSES-4",
    docs: reasoningGuide,
    undocumented: true,
    seen: [{ where: "https://github.com/continuedev/continue/issues/8933", on: "2025-11-28" }],
    note: "Reasoning items in a row were once refused too; they are let through.",
    check: ({ own }) =>
      own.flatMap(({ type, item }, at) =>
        when(type === "reasoning" && !isOutput(followerOf(own, at)), withoutFollower(item), "input"),
      ),
  },
  {
    ...refused,
    id: "openai-responses/reasoning-pair",
    statement:
      "After a reasoning item that the server stored comes the very item that it stored after it, with the id of that item.",
    requirement: "RESPONSES-3",
    docs: reasoningGuide,
    undocumented: true,
    seen: [
      { where: "https://github.com/0xPlaygrounds/rig/issues/751", on: "2025-08-28" },
      { where: "https://github.com/cline/cline/issues/12242", on: "2026-07-12" },
    ],
    note: "With store: false, the API was seen to accept the item without its id.",
    check: ({ own, stored }) =>
      own.flatMap(({ type, item }, at) => {
        if (type !== "reasoning" || stored === undefined) return [];
        const output = stored
          .map((response) => response.output)
          .find((items) => items.some(({ id }) => id === item["id"]));
        const led = output
          ?.slice(output.findIndex(({ id }) => id === item["id"]))
          .find((other) => other["type"] !== "reasoning");
        const next = followerOf(own, at);
        return when(
          led !== undefined && isOutput(next) && next?.item["id"] !== led["id"],
          withoutFollower(item),
          "input",
        );
      }),
  },
  {
    ...refused,
    id: "openai-responses/reasoning-known",
    statement:
      "A reasoning item has its encrypted content, or the server stored it and the request does not forbid it to look.",
    status: 404,
    requirement: "RESPONSES-5",
    docs: reasoningGuide,
    note: "Reasoning of open models has its text instead; it is let through, although OpenAI's own models give none.",
    check: ({ own, fields, stored }) =>
      reasoningIn(own).flatMap(({ item }) => {
        const isWhole = hasText(item["encrypted_content"]) || listOf(item["content"]).length > 0;
        const isStored =
          fields["store"] !== false &&
          (stored?.some(({ output }) => output.some(({ id }) => id === item["id"])) ?? isText(item["id"]));
        return when(!isWhole && !isStored, notFound(item["id"], fields["store"]), "input");
      }),
  },
  {
    ...refused,
    id: "openai-responses/reasoning-unaltered",
    statement: "The encrypted content of a reasoning item is what the server gave with its id.",
    code: "invalid_encrypted_content",
    requirement: "PROVIDER-7",
    docs: reasoningGuide,
    undocumented: true,
    seen: [
      { where: "https://github.com/openai/codex/issues/8145", on: "2025-12-16" },
      { where: "https://github.com/smallmain/vscode-unify-chat-provider/issues/178", on: "2026-05-08" },
    ],
    check: ({ own, sent }) => {
      const given = new Map((sent ?? []).flatMap((response) => itemsOf(response)).map((item) => [item["id"], item]));
      return reasoningIn(own).flatMap(({ item: { id, encrypted_content: seal } }) => {
        const known = id === undefined ? undefined : given.get(id)?.["encrypted_content"];
        return when(
          known !== undefined && hasText(seal) && seal !== known,
          `the encrypted content for item ${String(id)} could not be verified`,
        );
      });
    },
  },
  {
    ...refused,
    id: "openai-responses/reasoning-kept",
    statement:
      "An item that comes back with the id under which the server stored it has the reasoning before it that led to it.",
    requirement: "RESPONSES-6",
    docs: reasoningGuide,
    undocumented: true,
    seen: [
      { where: "https://github.com/continuedev/continue/issues/10018", on: "2026-01-29" },
      { where: "https://github.com/VRSEN/agency-swarm/issues/367", on: "2025-09-24" },
    ],
    looksBack: true,
    check: ({ items, stored }) =>
      (stored ?? []).flatMap(({ output }) =>
        output.flatMap(({ id, type }, at) => {
          const led = output[at - 1];
          const isMissing =
            hasText(id) &&
            led?.["type"] === "reasoning" &&
            items.some(({ item }) => item["id"] === id) &&
            !items.some(({ item }) => item["id"] === led["id"]);
          return when(
            isMissing && type !== "reasoning",
            `item '${String(id)}' of type '${String(type)}' was provided without its required 'reasoning' item: '${String(led?.["id"])}'`,
            "input",
          );
        }),
      ),
  },
];

function reasoningIn(items: readonly Item[]): Item[] {
  return items.filter(({ type }) => type === "reasoning");
}

/** The next item that is no reasoning. */
function followerOf(items: readonly Item[], at: number): Item | undefined {
  return items.slice(at + 1).find(({ type }) => type !== "reasoning");
}

function withoutFollower({ id }: JsonObject): string {
  return `item '${String(id)}' of type 'reasoning' was provided without its required following item`;
}

function isOutput(next: Item | undefined): boolean {
  if (next === undefined || inputTypes.has(String(next.type))) return false;
  return next.type !== "message" || next.item["role"] === "assistant";
}
