// What Gemini's generateContent cannot carry: the data of the adapter's warnings and of the table in spec/loop/providers/.

import { commonLosses as common, type Loss } from "../shared/losses.ts";

/** @see GEMINI-7 GEMINI-8 GEMINI-14 GEMINI-15 GEMINI-16 */
export const losses = {
  thinking: common.thinking,
  signature: {
    generic: "the first call of a response, where it has no signature of this model",
    happens: "sent with the words that Google documents in place of a signature; to models before Gemini 3, without",
    code: null,
  },
  item: common.item,
  unanswered: common.unanswered,
  unknown: common.unknown,
  emptyPart: { generic: "an empty text part", happens: "left out", code: "part_dropped" },
  emptyMessage: {
    generic: "a system or assistant message without text, a user message in which no part is left",
    happens: "left out",
    code: "empty_message_dropped",
  },
  texts: { generic: "several text parts in a result", happens: "joined with a line break", code: null },
  found: { generic: "the sources of a text, and where they support it", happens: "kept, not sent", code: null },
  name: { generic: "a tool name that the API refuses", happens: "mapped", code: "id_mapped" },
  surrogate: common.surrogate,
  choice: common.choice,
  stop: { generic: "`stop_sequences` after the fifth", happens: "left out", code: "setting_dropped" },
  parallel: { generic: "`parallel_tool_calls`", happens: "left out", code: "setting_dropped" },
  effort: {
    generic: "an `effort` beside `thinking.mode` `off` or `budget`, and those that the API does not know",
    happens: "left out",
    code: "setting_dropped",
  },
  display: {
    generic: "`thinking.display` beside `thinking.mode` `off`",
    happens: "left out",
    code: "setting_dropped",
  },
  cache: {
    generic: "`cache`",
    happens: "left out: the servers cache beginnings by themselves",
    code: "setting_dropped",
  },
  formName: { generic: "the name of an output format", happens: "not sent", code: null },
} as const satisfies Record<string, Loss>;
