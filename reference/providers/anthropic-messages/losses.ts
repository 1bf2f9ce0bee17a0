// What Anthropic's Messages API cannot carry: the data of the adapter's warnings and of the table in spec/loop/providers/.

import { commonLosses as common, type Loss } from "../shared/losses.ts";

/** @see ANTHROPIC-6 ANTHROPIC-8 ANTHROPIC-9 ANTHROPIC-12 ANTHROPIC-21 ANTHROPIC-24 ANTHROPIC-25 ANTHROPIC-28 */
export const losses = {
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
