// What each provider's format cannot carry: the data of the adapters' warnings and of the tables in spec/loop/providers/.

import type { WarningCode } from "../../../schemas/types.ts";

/** Something generic that is not sent, or is sent changed. */
export interface Loss {
  /** What it is, as the table says it. */
  generic: string;
  /** What becomes of it. */
  happens: string;
  /** The warning of each request in which it happens; null where no message or part is left out and no id or name changed. */
  code: WarningCode | null;
}

/** A loss that is warned of. @see PROVIDER-3 */
export type WarnedLoss = Loss & { code: WarningCode };

/** Reports a loss; `message` says which, for people. */
export type WarnOfLoss = (loss: WarnedLoss, message: string) => void;

/** A warning of one request. */
export interface RenderWarning {
  code: WarningCode;
  message: string;
}

const common = {
  thinking: {
    generic: "thinking of another provider or model",
    happens: "left out",
    code: "thinking_dropped",
  },
  item: {
    generic: "`provider_item` of another provider or model",
    happens: "left out",
    code: "provider_item_dropped",
  },
  unanswered: {
    generic: "a call of a server's tool that has no result, once a user message follows it",
    happens: "left out",
    code: "provider_item_dropped",
  },
  unknown: { generic: "a message or part of an unknown type", happens: "left out", code: "part_dropped" },
  isError: {
    generic: "`is_error` of a result",
    happens: "not sent; the output says what failed, or, where it is empty, that the tool failed",
    code: null,
  },
  choice: {
    generic: "`tool_choice` `required` without tools, or of a tool that the request does not have",
    happens: "left out",
    code: "setting_dropped",
  },
  surrogate: { generic: "half of a surrogate pair in a text", happens: "sent as U+FFFD", code: null },
} as const satisfies Record<string, Loss>;

/** @see ANTHROPIC-6 ANTHROPIC-8 ANTHROPIC-9 ANTHROPIC-12 ANTHROPIC-21 ANTHROPIC-24 ANTHROPIC-25 ANTHROPIC-28 */
export const anthropicMessagesLosses = {
  thinking: { ...common.thinking, generic: "thinking of another provider or model, or without signature" },
  thinkingLast: {
    generic: "thinking that nothing follows in its response",
    happens: "left out",
    code: "thinking_dropped",
  },
  item: common.item,
  unanswered: common.unanswered,
  unknown: common.unknown,
  document: {
    generic: "a document as data that is neither PDF nor text",
    happens: "left out",
    code: "part_dropped",
  },
  moved: {
    generic: "images and documents in a result that is an error",
    happens: "moved behind the results of its response",
    code: "part_moved",
  },
  silent: {
    generic: "an error without a text",
    happens: "sent with a text that says that the tool failed",
    code: null,
  },
  blankPart: { generic: "a text part that is empty or blank", happens: "left out", code: "part_dropped" },
  emptyMessage: {
    generic: "a system, user or assistant message that is empty or blank, or in which nothing is left",
    happens: "left out",
    code: "empty_message_dropped",
  },
  name: { generic: "an id or a tool name that the API refuses", happens: "mapped", code: "id_mapped" },
  digits: {
    generic: "integers beyond 2^53 in the arguments of a call",
    happens: "`input` has the rounded number, `raw_input` the exact text; the exact one is sent back",
    code: null,
  },
  surrogate: common.surrogate,
  effort: { generic: "the `effort` `none` or `minimal`", happens: "left out", code: "setting_dropped" },
  display: {
    generic: "`thinking.display` beside `thinking.mode` `off`",
    happens: "left out: there is nothing to show",
    code: "setting_dropped",
  },
  choice: common.choice,
  schema: {
    generic: "keywords of an output format's schema that the API refuses, `minimum` for example",
    happens: "left out of what is sent; the loop checks them",
    code: "setting_dropped",
  },
  open: {
    generic: "`additionalProperties` of an object with properties in an output format, where it is absent or true",
    happens: "sent as false, as the API demands",
    code: null,
  },
  map: {
    generic: "an output format with an object whose properties have no names",
    happens: "not sent: the API demands closed objects, and this one would be empty; the loop checks the form",
    code: "setting_dropped",
  },
  formName: { generic: "the name of an output format", happens: "not sent", code: null },
  thread: {
    generic: "a conversation that the server is to keep and that it says it cannot keep",
    happens: "sent whole, in every request",
    code: "setting_dropped",
  },
} as const satisfies Record<string, Loss>;

const openaiContent = {
  emptyPart: { generic: "an empty text part", happens: "left out", code: "part_dropped" },
  emptyMessage: {
    generic: "a system or assistant message without text, a user message in which no part is left",
    happens: "left out",
    code: "empty_message_dropped",
  },
} as const satisfies Record<string, Loss>;

const openaiSettings = {
  budget: { generic: "`thinking.budget_tokens`", happens: "left out", code: "setting_dropped" },
  effort: {
    generic: "an `effort` beside `thinking.mode` `off`",
    happens: "left out: the model is not to think",
    code: "setting_dropped",
  },
  choice: common.choice,
} as const satisfies Record<string, Loss>;

/** @see CHAT-1 CHAT-5 CHAT-7 CHAT-10 CHAT-22 CHAT-30 */
export const openaiChatLosses = {
  isError: common.isError,
  place: {
    generic: "the place of a text after or between calls",
    happens: "all texts come before the calls",
    code: null,
  },
  thinking: common.thinking,
  thinkingAlone: {
    generic: "thinking that nothing else of its response stands beside",
    happens: "left out",
    code: "thinking_dropped",
  },
  item: common.item,
  fields: {
    generic: "`provider_item` of fields that the API does not take back, `annotations` for example",
    happens: "left out",
    code: "provider_item_dropped",
  },
  beside: {
    generic: "what came beside a text, `annotations` and `citations` for example",
    happens: "kept, not sent",
    code: null,
  },
  media: {
    generic: "images and documents in a result",
    happens: "moved into a user message after the results",
    code: null,
  },
  texts: { generic: "several text parts in a result", happens: "joined with a line break", code: null },
  document: { generic: "a document given by URL", happens: "left out", code: "part_dropped" },
  unknown: common.unknown,
  ...openaiContent,
  name: { generic: "an id or a tool name that the API refuses", happens: "mapped", code: "id_mapped" },
  surrogate: common.surrogate,
  stop: { generic: "`stop_sequences` after the fourth", happens: "left out", code: "setting_dropped" },
  ...openaiSettings,
  display: { generic: "`thinking.display`", happens: "left out", code: "setting_dropped" },
} as const satisfies Record<string, Loss>;

/** @see RESPONSES-4 RESPONSES-5 RESPONSES-6 RESPONSES-12 RESPONSES-14 RESPONSES-26 RESPONSES-41 */
export const openaiResponsesLosses = {
  isError: common.isError,
  thinking: common.thinking,
  unanswered: {
    ...common.unanswered,
    generic:
      "a call of a server's tool that has no result, once a user message follows it, or at once if it is a `custom_tool_call`",
  },
  reference: {
    generic: "thinking that is only a reference, or that nothing follows",
    happens: "left out",
    code: "thinking_dropped",
  },
  itemIds: {
    generic: "the ids of the items that follow it in its response, and an id that an earlier item has",
    happens: "left out",
    code: null,
  },
  item: common.item,
  unknown: common.unknown,
  ...openaiContent,
  name: { generic: "a `call_id` or a tool name that the API refuses", happens: "mapped", code: "id_mapped" },
  logprobs: { generic: "token probabilities of a text", happens: "kept, not sent", code: null },
  surrogate: common.surrogate,
  stop: { generic: "`stop_sequences`", happens: "left out", code: "setting_dropped" },
  ...openaiSettings,
} as const satisfies Record<string, Loss>;

/** Every table, by provider. */
export const losses: Record<string, Record<string, Loss>> = {
  "anthropic-messages": anthropicMessagesLosses,
  "openai-chat": openaiChatLosses,
  "openai-responses": openaiResponsesLosses,
};
