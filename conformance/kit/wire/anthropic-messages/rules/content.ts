// What the Anthropic Messages API refuses in the content of a message: texts, thinking, images and documents.

import type { AnsweredRequest } from "../../codec.ts";
import { blockOf } from "../render.ts";
import type { AnthropicRequest, Block } from "../request.ts";
import { hasText, isObject, isText, kindOf, type JsonObject } from "../../shared/json.ts";
import { shapeRequirement, unknownKeys, when, type Finding, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.claude.com/docs/en/api/messages/create";
const thinkingGuide = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking";
const refused = {
  status: 400,
  code: "invalid_request_error",
  requirement: shapeRequirement,
} as const;

/** Which role may have which block; blocks that are not named here belong to server tools. */
const rolesOf: Record<string, readonly string[]> = {
  text: ["user", "assistant", "system"],
  image: ["user"],
  document: ["user"],
  search_result: ["user"],
  tool_result: ["user"],
  tool_use: ["assistant"],
  thinking: ["assistant"],
  redacted_thinking: ["assistant"],
};

const fieldsOf: Record<string, ReadonlySet<string>> = {
  text: new Set(["type", "text", "cache_control", "citations"]),
  image: new Set(["type", "source", "cache_control", "title", "context"]),
  document: new Set(["type", "source", "title", "context", "citations", "cache_control"]),
  tool_use: new Set(["type", "id", "name", "input", "cache_control", "caller", "toolset_name"]),
  tool_result: new Set(["type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"]),
  thinking: new Set(["type", "thinking", "signature"]),
  redacted_thinking: new Set(["type", "data"]),
};

const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"];

export const contentRules: readonly Rule<AnthropicRequest>[] = [
  {
    ...refused,
    id: "anthropic-messages/content-non-empty",
    statement: "The content of a message is not empty.",
    requirement: "PROVIDER-11",
    docs: reference,
    undocumented: true,
    seen: [
      { where: "https://github.com/anthropics/claude-code/issues/3196", on: "2025-07-09" },
      { where: "https://github.com/anthropics/claude-code/issues/6774", on: "2025-08-28" },
    ],
    note: "The error excepts a last assistant message.",
    check: ({ turns }) =>
      turns.flatMap(({ at, role, content }, index) => {
        const mayBeEmpty = role === "assistant" && index === turns.length - 1;
        const empty = content === "" || (Array.isArray(content) && content.length === 0);
        return when(
          empty && !mayBeEmpty,
          `messages.${at}: all messages must have non-empty content, except a last one of the assistant`,
        );
      }),
  },
  {
    ...refused,
    id: "anthropic-messages/text-non-blank",
    statement:
      "A text block is a string that is not empty, and in one block of a message at least there is something besides white space.",
    requirement: "ANTHROPIC-8",
    docs: reference,
    undocumented: true,
    seen: [
      { where: "https://github.com/anthropics/claude-code/issues/23440", on: "2026-02-05" },
      { where: "https://github.com/home-assistant/core/issues/175637", on: "2026-07-04" },
    ],
    note: "Beside another block that says something, a blank text was seen to be accepted; an empty one never was.",
    check: (request) => {
      const withContent = new Set(
        request.turns.flatMap(({ blocks }) => (blocks.some(hasContent) ? blocks : [])).map(({ at }) => at),
      );
      return everyBlock(request, "text").flatMap(({ at, block: { text } }) => {
        if (!isText(text)) return [{ message: `${at}.text: expected a string, got ${kindOf(text)}` }];
        const wrong = text === "" || (text.trim() === "" && !withContent.has(at));
        return when(wrong, `${at}: text content blocks must contain non-whitespace text`);
      });
    },
  },
  {
    ...refused,
    id: "anthropic-messages/trailing-space",
    statement: "A last message of the assistant does not end in white space.",
    requirement: "SESSION-15",
    docs: "https://platform.claude.com/docs/en/build-with-claude/prompt-engineering/prefill-claudes-response",
    check: ({ turns, sent }) => {
      const last = turns.at(-1);
      const block = last?.role === "assistant" ? last.blocks.at(-1) : undefined;
      const text = block?.type === "text" && sent?.at(-1)?.stop_reason !== "pause" ? block.block["text"] : undefined;
      return when(
        isText(text) && /\s$/.test(text),
        "messages: the last message of the assistant cannot end in white space",
      );
    },
  },
  {
    ...refused,
    id: "anthropic-messages/block-role",
    statement: "Calls and thinking stand in assistant messages; results, images and documents in user messages.",
    requirement: "ANTHROPIC-2",
    docs: reference,
    check: ({ turns }) =>
      turns.flatMap(({ role, blocks }) =>
        blocks.flatMap(({ at, type }) => {
          const allowed = rolesOf[String(type)];
          const misplaced =
            ["user", "assistant", "system"].includes(String(role)) && allowed?.includes(String(role)) === false;
          return when(misplaced, `${at}: ${String(type)} blocks can only be in ${allowed?.join(" or ")} messages`);
        }),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/unknown-block-fields",
    statement: "A content block has no fields that the API does not define.",
    docs: reference,
    check: ({ blocks }) =>
      blocks.flatMap(({ at, type, block }) => {
        const known = fieldsOf[String(type)];
        return known === undefined
          ? []
          : unknownKeys(block, known).map((key) => ({
              message: `${at}.${String(type)}.${key}: extra inputs are not permitted`,
            }));
      }),
  },
  {
    ...refused,
    id: "anthropic-messages/media-source",
    statement: "An image or document has a source: base64 with a media type and data, a URL, a text, or a file.",
    docs: "https://platform.claude.com/docs/en/build-with-claude/vision",
    check: (request) => [...everyBlock(request, "image"), ...everyBlock(request, "document")].flatMap(sourceFindings),
  },
  {
    ...refused,
    id: "anthropic-messages/thinking-shape",
    statement: "A thinking block has its text and a signature that is not empty; a redacted one has its data.",
    requirement: "ANTHROPIC-9",
    docs: thinkingGuide,
    check: (request) => [
      ...everyBlock(request, "thinking").flatMap(({ at, block }) => [
        ...when(!isText(block["thinking"]), `${at}.thinking.thinking: field required`),
        ...when(!hasText(block["signature"]), `${at}.thinking.signature: field required`),
      ]),
      ...everyBlock(request, "redacted_thinking").flatMap(({ at, block }) =>
        when(!hasText(block["data"]), `${at}.redacted_thinking.data: field required`),
      ),
    ],
  },
  {
    ...refused,
    id: "anthropic-messages/thinking-unaltered",
    statement: "A thinking block that came from the server has the text to which its signature belongs.",
    requirement: "ANTHROPIC-9",
    docs: thinkingGuide,
    seen: [{ where: "https://github.com/anthropics/claude-code/issues/63284", on: "2026-05-28" }],
    check: (request) => {
      const blocks = everyBlock(request, "thinking");
      if (blocks.length === 0) return [];
      const sent = (request.sent ?? []).flatMap((response) =>
        response.parts.map((part, at) => blockOf(part, response, at)),
      );
      const thoughts = new Map(
        sent.filter(({ type }) => type === "thinking").map(({ signature, thinking }) => [signature, thinking]),
      );
      return blocks.flatMap(({ at, block: { signature, thinking } }) =>
        when(
          thoughts.has(signature) && thoughts.get(signature) !== thinking,
          `${at}: invalid signature in thinking block`,
        ),
      );
    },
  },
  {
    ...refused,
    id: "anthropic-messages/thinking-last",
    statement: "Thinking is not the last block of an assistant message.",
    requirement: "SESSION-14",
    docs: thinkingGuide,
    undocumented: true,
    seen: [
      { where: "https://github.com/tailcallhq/forgecode/issues/2107", on: "2025-12-11" },
      { where: "https://github.com/tailcallhq/forgecode/pull/3073", on: "2026-04-18" },
    ],
    check: ({ turns, sent }) =>
      turns.flatMap(({ at, role, blocks }, index) => {
        const last = blocks.at(-1)?.type;
        const continues = index === turns.length - 1 && sent?.at(-1)?.stop_reason === "pause";
        const thought = role === "assistant" && !continues && (last === "thinking" || last === "redacted_thinking");
        return when(
          thought,
          `messages.${at}.content.${blocks.length - 1}: the final block in an assistant message cannot be ${String(last)}`,
        );
      }),
  },
  {
    ...refused,
    id: "anthropic-messages/thinking-first",
    statement:
      "Where thinking is enabled with a budget, the assistant message whose calls are answered last begins with thinking.",
    requirement: "ANTHROPIC-9",
    docs: thinkingGuide,
    seen: [
      { where: "https://github.com/n8n-io/n8n/issues/22550", on: "2025-12-01" },
      { where: "https://github.com/anthropics/claude-code/issues/11978", on: "2025-11-19" },
    ],
    check: ({ fields, turns, sent = [], earlier = [] }) => {
      const enabled = isObject(fields["thinking"]) && fields["thinking"]["type"] === "enabled";
      const last = turns.findLast(({ role }) => role === "assistant");
      const ids = new Set(last?.blocks.map(({ block }) => block["id"]));
      // What the server itself began without thinking, nobody can send back with it.
      const isOfServer = sent.some(
        ({ parts }) =>
          parts.some((part) => "tool_call" in part && ids.has(part.tool_call.id)) &&
          !parts.some((part) => "thinking" in part),
      );
      if (isOfServer || calledWithoutThinking(earlier)) return [];
      const first = last?.blocks[0]?.type;
      const calls = last?.blocks.some(({ type }) => type === "tool_use") === true;
      const thinks = first === "thinking" || first === "redacted_thinking";
      return when(
        enabled && calls && !thinks,
        `messages.${last?.at ?? 0}.content.0: expected thinking or redacted_thinking, found ${String(first)}`,
      );
    },
  },
];

/** Whether the last answer that had calls had no thinking: read from its bytes, as a loop may give calls other ids. */
function calledWithoutThinking(answered: readonly AnsweredRequest[]): boolean {
  const answers = answered.map(({ wire }) => wire.writes.map(({ text }) => text).join(""));
  const latest = answers.findLast((answer) => /"type": ?"tool_use"/.test(answer));
  return latest !== undefined && !/"type": ?"(?:redacted_)?thinking"/.test(latest);
}

/** Whether a block is more than blank text. */
function hasContent({ type, block }: Block): boolean {
  return type !== "text" || hasText(block["text"]);
}

/** The blocks of a type in all messages, those inside tool results included. */
function everyBlock({ blocks }: AnthropicRequest, ofType: string): Block[] {
  return blocks.filter(({ type }) => type === ofType);
}

function sourceFindings({ at, type, block }: Block): Finding[] {
  const source: JsonObject = isObject(block["source"]) ? block["source"] : {};
  const place = `${at}.${String(type)}.source`;
  switch (source["type"]) {
    case "base64":
      return [
        ...when(!hasText(source["data"]), `${place}.base64.data: field required`),
        ...when(
          type === "image" && !imageTypes.includes(String(source["media_type"])),
          `${place}.base64.media_type: expected one of ${imageTypes.join(", ")}`,
        ),
        ...when(
          type === "document" && source["media_type"] !== "application/pdf",
          `${place}.base64.media_type: expected application/pdf`,
        ),
      ];
    case "url":
      return when(!/^https?:\/\//.test(String(source["url"])), `${place}.url.url: expected an http or https address`);
    case "text":
    case "content":
    case "file":
      return when(type === "image" && source["type"] !== "file", `${place}: an image has no ${source["type"]} source`);
    default:
      return [{ message: `${place}: expected a source of type base64, url or file` }];
  }
}
