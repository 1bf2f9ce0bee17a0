// What the Anthropic Messages API refuses about calls and their results.

import { idPattern, namePattern } from "../render.ts";
import type { AnthropicRequest, Block, Turn } from "../request.ts";
import { isObject, isText, kindOf, listOf } from "../../shared/json.ts";
import { repeated, shapeRequirement, when, type Finding, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.claude.com/docs/en/api/messages/create";
const callGuide = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls";
const refused = {
  status: 400,
  code: "invalid_request_error",
  requirement: shapeRequirement,
} as const;
const namedPattern = "expected a string of 1 to 128 letters, digits, _ and -";

/** What a result may hold. */
const resultTypes = ["text", "image", "document", "search_result", "tool_reference", "browser_state"];

export const callRules: readonly Rule<AnthropicRequest>[] = [
  {
    ...refused,
    id: "anthropic-messages/call-id",
    statement: "The id of a tool_use block has letters, digits, _ and - only.",
    requirement: "ANTHROPIC-12",
    docs: reference,
    undocumented: true,
    seen: [
      { where: "https://github.com/maximhq/bifrost/issues/5097", on: "2026-07-10" },
      { where: "https://github.com/HKUDS/nanobot/pull/4356", on: "2026-06-15" },
    ],
    note: "The pattern is documented only by the error.",
    check: ({ turns }) =>
      callsOf(turns).flatMap(({ at, block }) =>
        when(
          !matches(block["id"], idPattern),
          `${at}.tool_use.id: expected a string of letters, digits, _ and -, got ${JSON.stringify(block["id"])}`,
        ),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/call-name",
    statement: "The name in a tool_use block has 1 to 128 letters, digits, _ and -.",
    docs: reference,
    check: ({ turns }) =>
      callsOf(turns).flatMap(({ at, block }) =>
        when(!matches(block["name"], namePattern), `${at}.tool_use.name: ${namedPattern}`),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/call-input",
    statement: "The input of a tool_use block is an object.",
    requirement: "ANTHROPIC-10",
    docs: reference,
    check: ({ turns }) =>
      callsOf(turns).flatMap(({ at, block }) =>
        when(
          !isObject(block["input"]),
          `${at}.tool_use.input: input should be an object, got ${kindOf(block["input"])}`,
        ),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/call-ids-unique",
    statement: "No two tool_use blocks of a request have the same id.",
    requirement: "SESSION-9",
    docs: reference,
    undocumented: true,
    seen: [
      { where: "https://github.com/anthropics/claude-code/issues/21317", on: "2026-01-27" },
      { where: "https://github.com/anthropics/claude-code/issues/28515", on: "2026-02-25" },
    ],
    looksBack: true,
    check: ({ turns }) =>
      repeated(callsOf(turns), ({ block }) => block["id"]).map(({ at }) => ({
        message: `${at}: tool_use ids must be unique`,
      })),
  },
  {
    ...refused,
    id: "anthropic-messages/call-answered",
    statement: "Every tool_use block is answered by a tool_result block.",
    requirement: "SESSION-6",
    docs: callGuide,
    seen: [{ where: "https://github.com/anthropics/claude-code/issues/7929", on: "2025-09-20" }],
    check: ({ turns }) => {
      const isAnsweredAfter = answersIn(turns);
      return turns.flatMap((turn) => {
        const open = idsOf(turn).filter((id) => !isAnsweredAfter(turn, id));
        return when(
          open.length > 0,
          `messages.${turn.at}: tool_use ids without tool_result blocks directly after: ${open.join(", ")}; each tool_use needs its tool_result in the next message`,
        );
      });
    },
  },
  {
    ...refused,
    id: "anthropic-messages/server-call-answered",
    statement: "Once the user has said something more, every server_tool_use block before it has its result.",
    requirement: "PROVIDER-44",
    docs: callGuide,
    undocumented: true,
    seen: [{ where: "https://github.com/pydantic/pydantic-ai/issues/6401", on: "2026-07-09" }],
    note: "A message that only answers calls of the client leaves the server's call to the server.",
    looksBack: true,
    check: ({ turns }) => {
      const blocks = turns.flatMap((turn) => turn.blocks.map(({ block }) => block));
      const answered = new Set(blocks.flatMap((block) => (isServerResult(block) ? [block["tool_use_id"]] : [])));
      const last = turns.findLastIndex((turn) => turn.role === "user" && !turn.blocks.some(isOfType("tool_result")));
      return turns.slice(0, Math.max(0, last)).flatMap((turn) =>
        turn.blocks.filter(isOfType("server_tool_use")).flatMap(({ at, block }) => {
          const name = String(block["name"]);
          return when(
            !answered.has(block["id"]),
            `${at}: ${name} tool use with id ${String(block["id"])} was found without a corresponding ${name}_tool_result block`,
          );
        }),
      );
    },
  },
  {
    ...refused,
    id: "anthropic-messages/results-together",
    statement: "The tool_result blocks for the calls of a message are all in the user message that directly follows.",
    requirement: "ANTHROPIC-4",
    docs: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/parallel-tool-use",
    check: ({ turns }) => {
      const isAnsweredAfter = answersIn(turns);
      return turns.flatMap((turn, index) => {
        const next = new Set(turns.slice(index + 1, index + 2).flatMap(answeredBy));
        const late = idsOf(turn).filter((id) => isAnsweredAfter(turn, id) && !next.has(id));
        return when(
          late.length > 0,
          `messages.${turn.at}: the tool_result blocks for ${late.join(", ")} are not in the next message`,
        );
      });
    },
  },
  {
    ...refused,
    id: "anthropic-messages/result-known",
    statement: "Every tool_result block answers a tool_use block of an earlier message.",
    requirement: "PROVIDER-9",
    docs: callGuide,
    seen: [
      { where: "https://github.com/tghamm/Anthropic.SDK/issues/184", on: "2026-02-16" },
      { where: "https://github.com/anthropics/claude-code/issues/18947", on: "2026-01-18" },
    ],
    note: "The API asks for the message directly before; results that come later break anthropic-messages/results-together.",
    looksBack: true,
    check: ({ turns }) => {
      const callIds = new Set<unknown>();
      return turns.flatMap((turn) => {
        const unknown = resultsOf(turn).filter(({ block }) => !callIds.has(block["tool_use_id"]));
        for (const id of idsOf(turn)) callIds.add(id);
        return unknown.map(({ at, block }) => ({
          message: `${at}: unexpected tool_use_id in tool_result block: ${String(block["tool_use_id"])}; no message before has such a tool_use`,
        }));
      });
    },
  },
  {
    ...refused,
    id: "anthropic-messages/result-single",
    statement: "A tool_use block is answered once.",
    requirement: "SESSION-6",
    docs: callGuide,
    looksBack: true,
    check: ({ turns }) =>
      repeated(turns.flatMap(resultsOf), ({ block }) => block["tool_use_id"]).map(({ at, block }) => ({
        message: `${at}: each tool_use must have a single result; several tool_result blocks have the id ${String(block["tool_use_id"])}`,
      })),
  },
  {
    ...refused,
    id: "anthropic-messages/result-first",
    statement: "In a user message, tool_result blocks come before everything else.",
    requirement: "ANTHROPIC-3",
    docs: callGuide,
    check: ({ turns }) =>
      turns.flatMap(({ at, blocks }) => {
        const last = blocks.findLastIndex(({ type }) => type === "tool_result");
        return when(
          blocks.slice(0, last + 1).some(({ type }) => type !== "tool_result"),
          `messages.${at}: tool_result blocks must come first in the content`,
        );
      }),
  },
  {
    ...refused,
    id: "anthropic-messages/result-shape",
    statement:
      "The content of a tool_result block is a string or a list of text, images and documents; is_error is true or false.",
    docs: callGuide,
    check: ({ turns }) => turns.flatMap(resultsOf).flatMap(resultFindings),
  },
  {
    ...refused,
    id: "anthropic-messages/error-result-non-empty",
    statement: "A tool_result block with is_error has content.",
    requirement: "PROVIDER-42",
    docs: callGuide,
    undocumented: true,
    seen: [
      { where: "https://github.com/bytedance/trae-agent/issues/230", on: "2025-07-30" },
      { where: "https://github.com/jlevy/markform/issues/153", on: "2026-02-16" },
    ],
    check: ({ turns }) =>
      turns.flatMap(resultsOf).flatMap(({ at, block: { content, is_error } }) => {
        const empty = content === undefined || content === "" || (Array.isArray(content) && content.length === 0);
        return when(is_error === true && empty, `${at}.tool_result: content cannot be empty if is_error is true`);
      }),
  },
  {
    ...refused,
    id: "anthropic-messages/error-result-text-only",
    statement: "A tool_result block with is_error has nothing but text in it.",
    requirement: "ANTHROPIC-31",
    docs: callGuide,
    note: "Documented only by its error.",
    check: ({ turns }) =>
      turns.flatMap(resultsOf).flatMap(({ at, block: { content, is_error } }) => {
        const others = listOf(content).filter((inner) => isObject(inner) && inner["type"] !== "text");
        return when(
          is_error === true && others.length > 0,
          `${at}.tool_result: all content must be type 'text' if 'is_error' is true`,
        );
      }),
  },
];

function resultFindings({ at, block: { content, is_error } }: Block): Finding[] {
  return [
    ...when(
      content !== undefined && !isText(content) && !Array.isArray(content),
      `${at}.tool_result.content: expected a string or a list of blocks, got ${kindOf(content)}`,
    ),
    ...listOf(content).flatMap((inner, index) => {
      const type = isObject(inner) ? inner["type"] : undefined;
      return when(
        !resultTypes.includes(String(type)),
        `${at}.tool_result.content.${index}: ${String(type)} blocks cannot be in a tool_result`,
      );
    }),
    ...when(
      is_error !== undefined && typeof is_error !== "boolean",
      `${at}.tool_result.is_error: expected true or false`,
    ),
  ];
}

/** Whether a result in a later turn answers the call with an id. */
function answersIn(turns: readonly Turn[]): (turn: Turn, id: unknown) => boolean {
  const last = new Map(turns.flatMap((turn) => answeredBy(turn).map((id) => [id, turn.at] as const)));
  return ({ at }, id) => (last.get(id) ?? -1) > at;
}

/** The ids of the calls that a turn answers. */
function answeredBy(turn: Turn): unknown[] {
  return resultsOf(turn).map(({ block }) => block["tool_use_id"]);
}

/** The ids of the calls of a turn. */
function idsOf(turn: Turn): unknown[] {
  return callsOf([turn]).map(({ block }) => block["id"]);
}

function callsOf(turns: readonly Turn[]): Block[] {
  return turns.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "tool_use"));
}

function resultsOf({ blocks }: Turn): Block[] {
  return blocks.filter(({ type }) => type === "tool_result");
}

function matches(value: unknown, pattern: RegExp): boolean {
  return isText(value) && pattern.test(value);
}

function isOfType(type: string): (block: Block) => boolean {
  return (block) => block.type === type;
}

/** The result of a tool that the server runs: web_search_tool_result, code_execution_tool_result, … */
function isServerResult({ type }: Record<string, unknown>): boolean {
  return type !== "tool_result" && String(type).endsWith("_tool_result");
}
