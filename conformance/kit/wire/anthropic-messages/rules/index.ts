// What the Anthropic Messages API refuses: the list of its rules, and those about the request as a whole.

import { isDeepStrictEqual } from "node:util";
import type { ScriptedResponse } from "../../codec.ts";
import { cacheRules } from "./cache.ts";
import { callRules } from "./calls.ts";
import { contentRules } from "./content.ts";
import { outputRules } from "./output.ts";
import { settingRules } from "./settings.ts";
import { threadRules } from "./thread.ts";
import { toolRules } from "./tools.ts";
import { blockOf } from "../render.ts";
import { blocksOf, type AnthropicRequest, type Block, type Turn } from "../request.ts";
import { bodyRules } from "../../shared/body-rules.ts";
import { hasText, isObject, isText, kindOf, listOf, type JsonObject } from "../../shared/json.ts";
import { shapeRequirement, unknownKeys, when, type Finding, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.claude.com/docs/en/api/messages/create";
const refused = {
  status: 400,
  code: "invalid_request_error",
  requirement: shapeRequirement,
} as const;

const requestFields = new Set(
  `model messages max_tokens system tools tool_choice stream stop_sequences temperature top_p top_k metadata thinking service_tier
   cache_control container context_management diagnostics fallbacks inference_geo mcp_servers output_config output_format speed thread
   user_profile_id workspace_id`.split(/\s+/),
);
const roles = ["user", "assistant", "system"];
const messageFields = new Set(["role", "content"]);

/** Models that continue an assistant message with which a request ends. All others are assumed not to, including unknown ones. */
const withPrefill = /^claude-(?:instant|[123]\b|(?:opus|sonnet|haiku)-4(?!-[6-9]\b))/;

/** Models released before Claude Opus 4.8 know no system messages inside a conversation. All others are assumed to know them, including unknown ones. */
const withoutSystemTurns = /^claude-(?:instant|[123]\b|(?:opus|sonnet|haiku)-4(?!-[89]\b))/;

const requestRules: Rule<AnthropicRequest>[] = [
  {
    ...refused,
    id: "anthropic-messages/authentication",
    statement: "A request has an API key, in the header x-api-key or as a bearer token.",
    status: 401,
    code: "authentication_error",
    docs: "https://platform.claude.com/docs/en/api/overview#authentication",
    check: ({ headers }) =>
      when(
        !hasText(headers["x-api-key"]) && !/^Bearer \S/.test(headers["authorization"] ?? ""),
        "x-api-key header is required",
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/version-header",
    statement: "A request names the version of the API in the header anthropic-version.",
    docs: "https://platform.claude.com/docs/en/api/versioning",
    check: ({ headers }) => when(!hasText(headers["anthropic-version"]), "anthropic-version: header is required"),
  },
  ...bodyRules("anthropic-messages", {
    code: "invalid_request_error",
    docs: { headers: "https://platform.claude.com/docs/en/api/overview", body: reference },
    brokenText: {
      message: "the request body is not valid JSON",
      seen: [
        { where: "https://github.com/anthropics/claude-code/issues/2108", on: "2025-06-15" },
        { where: "https://github.com/anthropics/claude-code/issues/60394", on: "2026-05-19" },
      ],
    },
  }),
  {
    ...refused,
    id: "anthropic-messages/model",
    statement: "A request names a model.",
    docs: reference,
    check: ({ fields }) => when(!hasText(fields["model"]), "model: field required"),
  },
  {
    ...refused,
    id: "anthropic-messages/max-tokens",
    statement: "A request says how many tokens may be generated, as a whole number.",
    docs: reference,
    note: "0 is documented: it fills the prompt cache and generates nothing.",
    check: ({ fields: { max_tokens } }) =>
      when(
        !Number.isInteger(max_tokens) || Number(max_tokens) < 0,
        `max_tokens: expected a whole number, got ${kindOf(max_tokens)}`,
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/messages",
    statement: "A request has at least one message.",
    docs: reference,
    check: ({ fields: { messages } }) =>
      when(!Array.isArray(messages) || messages.length === 0, "messages: at least one message is required"),
  },
  {
    ...refused,
    id: "anthropic-messages/roles",
    statement:
      "Each message is an object with the role user, assistant or system, and with content that is a string or a list of blocks.",
    docs: reference,
    note: "That the first message is from the user is no longer documented, and was seen to be no rule; it is none here.",
    check: ({ turns }) => turns.flatMap(shapeFindings),
  },
  {
    ...refused,
    id: "anthropic-messages/unknown-fields",
    statement: "A request has no fields that the API does not define.",
    docs: reference,
    check: ({ fields, turns }) => [
      ...unknownKeys(fields, requestFields).map((key) => extra(key)),
      ...turns.flatMap(({ at, message }) =>
        unknownKeys(message, messageFields).map((key) => extra(`messages.${at}.${key}`)),
      ),
    ],
  },
  {
    ...refused,
    id: "anthropic-messages/system",
    statement: "system is a string or a list of text blocks, and none of its texts is blank.",
    requirement: "ANTHROPIC-5",
    docs: reference,
    undocumented: true,
    seen: [
      { where: "https://github.com/agentjido/req_llm/issues/711", on: "2026-05-21" },
      { where: "https://github.com/dimagi/open-chat-studio/issues/1969", on: "2025-07-30" },
    ],
    note: "The API answers as it does for messages.",
    check: ({ fields: { system } }) => [
      ...when(
        system !== undefined && !isText(system) && !Array.isArray(system),
        `system: expected a string or a list of text blocks, got ${kindOf(system)}`,
      ),
      ...listOf(system).flatMap((block, at) =>
        when(!isObject(block) || block["type"] !== "text", `system.${at}: only text blocks are allowed`),
      ),
      ...(system === ""
        ? []
        : blocksOf(system, "system").flatMap(({ block }) =>
            when(!hasText(block["text"]), "system: text content blocks must be non-empty"),
          )),
    ],
  },
  {
    ...refused,
    id: "anthropic-messages/system-turn",
    statement:
      "A system message inside a conversation follows a user message or a server tool's result, and is last or precedes an assistant message.",
    requirement: "ANTHROPIC-6",
    docs: "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages",
    note: "Models before Claude Opus 4.8 refuse every one.",
    check: ({ turns, fields: { model } }) =>
      turns.flatMap((turn, index) =>
        systemTurnFindings(turn, { before: turns[index - 1], after: turns[index + 1] }, String(model)),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/prefill",
    statement: "A request ends in a user turn, unless it continues a paused one.",
    requirement: "SESSION-15",
    docs: "https://platform.claude.com/docs/en/api/errors#prefill-not-supported",
    seen: [
      { where: "https://github.com/anomalyco/opencode/pull/14772", on: "2026-02-23" },
      { where: "https://github.com/crewAIInc/crewAI/pull/5810", on: "2026-05-14" },
    ],
    models: "since Claude Opus 4.6 and Sonnet 4.6",
    note: "Older models continue such a message. A request is refused only where the answers of the run are known: it may continue a paused one.",
    check: ({ turns, sent, fields: { model } }) => {
      const ends = turns.at(-1)?.role === "assistant" && sent !== undefined && sent.at(-1)?.stop_reason !== "pause";
      if (withPrefill.test(String(model))) return [];
      return when(
        ends,
        "this model cannot continue an assistant message; the conversation must end with a user message",
      );
    },
  },
  {
    ...refused,
    id: "anthropic-messages/thinking-kept",
    statement:
      "Thinking that came with the calls of the current tool turn comes back with them, unchanged and in its place.",
    requirement: "ANTHROPIC-9",
    docs: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks",
    note: "The documentation asks for all of it; while thinking is adaptive, a turn that leaves it out whole was seen to be accepted, and is let through.",
    check: thinkingFindings,
  },
];

/** Every rule, in the order in which they are checked. */
export const anthropicRules: readonly Rule<AnthropicRequest>[] = [
  ...requestRules,
  ...contentRules,
  ...toolRules,
  ...callRules,
  ...settingRules,
  ...outputRules,
  ...cacheRules,
  ...threadRules,
];

function extra(at: string): Finding {
  return { message: `${at}: extra inputs are not permitted` };
}

function shapeFindings({ at, role, content, message }: Turn): Finding[] {
  if (Object.keys(message).length === 0)
    return [{ message: `messages.${at}: input does not match the expected shape` }];
  return [
    ...when(
      !roles.includes(role as string),
      `messages.${at}.role: expected user, assistant or system, got ${JSON.stringify(role)}`,
    ),
    ...when(
      !isText(content) && !Array.isArray(content),
      `messages.${at}.content: expected a string or a list of blocks, got ${kindOf(content)}`,
    ),
    ...listOf(content).flatMap((block, index) =>
      when(
        !isObject(block) || !isText(block["type"]),
        `messages.${at}.content.${index}: a block is an object with a type`,
      ),
    ),
  ];
}

function systemTurnFindings(
  turn: Turn,
  { before, after }: Record<"before" | "after", Turn | undefined>,
  model: string,
): Finding[] {
  if (turn.role !== "system") return [];
  if (withoutSystemTurns.test(model)) return [{ message: "role 'system' is not supported on this model" }];
  const last = before?.blocks.at(-1)?.type;
  const follows =
    before?.role === "user" ||
    (before?.role === "assistant" && isText(last) && last !== "tool_result" && last.endsWith("_tool_result"));
  return [
    ...when(!follows, `messages.${turn.at}: role 'system' must follow a 'user' message or a server tool's result`),
    ...when(
      after !== undefined && after.role !== "assistant",
      `messages.${turn.at}: role 'system' must come before an 'assistant' message or end the list`,
    ),
  ];
}

/** What the turn has of a response: its thinking whole, its calls by name (an id may have been made unique). */
function trace(block: JsonObject): unknown[] {
  if (block["type"] === "thinking") return [["thinking", block["thinking"], block["signature"]]];
  if (block["type"] === "redacted_thinking") return [["redacted", block["data"]]];
  return block["type"] === "tool_use" ? [["call", block["name"]]] : [];
}

function thinkingFindings({ turns, sent, fields }: AnthropicRequest): Finding[] {
  const ownWords = turns.findLastIndex(
    ({ role, blocks }) => role === "user" && blocks.some(({ type }) => type !== "tool_result"),
  );
  const current = turns.slice(ownWords + 1).filter(({ role }) => role === "assistant");
  if (!current.some(({ blocks }) => blocks.some(({ type }) => type === "tool_use"))) return [];
  const isAdaptive = isObject(fields["thinking"]) && fields["thinking"]["type"] === "adaptive";
  return (sent ?? []).flatMap((response) => {
    if (response.model !== fields["model"] || !response.parts.some((part) => "thinking" in part)) return [];
    const turn = current.find(({ blocks }) => blocks.some((block) => isCallOf(block, response)));
    if (turn === undefined) return [];
    const wanted = response.parts.flatMap((part, at) => trace(blockOf(part, response, at)));
    const found = turn.blocks.flatMap(({ block }) => trace(block));
    const thinks = turn.blocks.some(({ type }) => type === "thinking" || type === "redacted_thinking");
    if (isAdaptive && !thinks) return [];
    const kept = found.some((_, start) => isDeepStrictEqual(found.slice(start, start + wanted.length), wanted));
    return when(
      !kept,
      `messages.${turn.at}.content: thinking blocks of the current turn must stay as they were in the response`,
    );
  });
}

function isCallOf({ type, block }: Block, response: ScriptedResponse): boolean {
  return type === "tool_use" && response.parts.some((part) => "tool_call" in part && part.tool_call.id === block["id"]);
}
