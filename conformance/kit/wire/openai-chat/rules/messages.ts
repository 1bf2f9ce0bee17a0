// What OpenAI's Chat Completions API refuses in the messages of a request: roles and content.

import type { ChatMessage, ChatRequest } from "../request.ts";
import { isObject, isText, kindOf, listOf } from "../../shared/json.ts";
import { shapeRequirement, unknownKeys, when, type Finding, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/chat/create";
const refused = { status: 400, code: "invalid_value", requirement: shapeRequirement } as const;

const partTypes: Record<string, readonly string[]> = {
  developer: ["text"],
  system: ["text"],
  user: ["text", "image_url", "input_audio", "file"],
  assistant: ["text", "refusal"],
  tool: ["text"],
};

/** reasoning_content and similar fields are those of compatible servers, which require them in later requests. */
const messageFields = new Set(
  `role content name refusal audio function_call tool_calls tool_call_id annotations reasoning_content reasoning reasoning_details
   prefix`.split(/\s+/),
);

export const messageRules: readonly Rule<ChatRequest>[] = [
  {
    ...refused,
    id: "openai-chat/messages",
    statement: "A request has at least one message.",
    code: "empty_array",
    docs: reference,
    check: ({ fields: { messages } }) =>
      when(
        !Array.isArray(messages) || messages.length === 0,
        "invalid 'messages': expected a list of at least one message",
        "messages",
      ),
  },
  {
    ...refused,
    id: "openai-chat/roles",
    statement: "Each message is an object with the role developer, system, user, assistant or tool.",
    docs: reference,
    note: "The role function is deprecated, and no loop of this specification sends it.",
    check: ({ messages }) =>
      messages.flatMap(({ at, role }) =>
        when(
          !Object.hasOwn(partTypes, String(role)),
          `invalid value for 'messages[${at}].role': ${JSON.stringify(role)}; expected developer, system, user, assistant or tool`,
          `messages[${at}].role`,
        ),
      ),
  },
  {
    ...refused,
    id: "openai-chat/content",
    statement:
      "The content of a message is a string or a list of parts; only an assistant message with calls or a refusal may do without.",
    code: "invalid_type",
    requirement: "PROVIDER-11",
    docs: reference,
    check: ({ messages }) => messages.flatMap(contentFindings),
  },
  {
    ...refused,
    id: "openai-chat/parts",
    statement: "Each part is of a type that the role may have: images, audio and files stand in user messages only.",
    requirement: "CHAT-5",
    docs: reference,
    check: ({ messages }) => messages.flatMap(partFindings),
  },
  {
    ...refused,
    id: "openai-chat/unknown-message-fields",
    statement: "A message has no fields that the API does not define.",
    code: "unknown_parameter",
    docs: reference,
    note: "What compatible servers want back of their reasoning is let through, although OpenAI itself does not define it.",
    check: ({ messages }) =>
      messages.flatMap(({ at, message }) =>
        unknownKeys(message, messageFields).map((key) => ({
          message: `unknown parameter: 'messages[${at}].${key}'`,
          param: `messages[${at}].${key}`,
        })),
      ),
  },
];

function contentFindings({ at, role, content, message, calls }: ChatMessage): Finding[] {
  if (isText(content) || (Array.isArray(content) && content.length > 0)) return [];
  const optional =
    role === "assistant" &&
    (calls.length > 0 || isText(message["refusal"]) || message["audio"] != null || message["function_call"] != null);
  // An empty list beside calls was seen to be accepted, by gpt-4 as by gpt-4o.
  if (optional && (content == null || (Array.isArray(content) && content.length === 0))) return [];
  const got = Array.isArray(content) ? "an empty list" : kindOf(content);
  return [
    {
      message: `invalid value for 'content': expected a string or a list of parts, got ${got}`,
      param: `messages.[${at}].content`,
    },
  ];
}

function partFindings({ at, role, content }: ChatMessage): Finding[] {
  const allowed = partTypes[String(role)];
  if (allowed === undefined) return [];
  return listOf(content).flatMap((part, index) => {
    const place = `messages[${at}].content[${index}]`;
    const type = isObject(part) ? part["type"] : undefined;
    if (!isObject(part) || !allowed.includes(String(type))) {
      return [
        {
          message: `invalid '${place}': content parts of role ${String(role)} are expected to be ${allowed.join(" or ")}, got ${JSON.stringify(type)}`,
          param: place,
        },
      ];
    }
    if (type === "text") {
      return when(
        !isText(part["text"]),
        `invalid '${place}.text': expected a string, got ${kindOf(part["text"])}`,
        place,
      );
    }
    if (type !== "image_url") return [];
    const url = isObject(part["image_url"]) ? part["image_url"]["url"] : undefined;
    return when(
      !isText(url) || !/^(https?:|data:)/.test(url),
      `invalid '${place}.image_url.url': expected an http, https or data address`,
      place,
    );
  });
}
