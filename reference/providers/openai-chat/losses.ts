// What the Chat Completions API cannot carry: the data of the adapter's warnings and of the table in spec/loop/providers/.

import { contentLosses, settingsLosses } from "../openai/losses.ts";
import { commonLosses as common, type Loss } from "../shared/losses.ts";

/** @see CHAT-1 CHAT-5 CHAT-7 CHAT-10 CHAT-22 CHAT-30 */
export const losses = {
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
  ...contentLosses,
  name: { generic: "an id or a tool name that the API refuses", happens: "mapped", code: "id_mapped" },
  surrogate: common.surrogate,
  stop: { generic: "`stop_sequences` after the fourth", happens: "left out", code: "setting_dropped" },
  ...settingsLosses,
  display: { generic: "`thinking.display`", happens: "left out", code: "setting_dropped" },
} as const satisfies Record<string, Loss>;
