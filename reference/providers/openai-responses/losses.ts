// What the Responses API cannot carry: the data of the adapter's warnings and of the table in spec/loop/providers/.

import { contentLosses, settingsLosses } from "../openai/losses.ts";
import { commonLosses as common, type Loss } from "../shared/losses.ts";

/** @see RESPONSES-4 RESPONSES-5 RESPONSES-6 RESPONSES-12 RESPONSES-14 RESPONSES-26 RESPONSES-41 */
export const losses = {
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
  ...contentLosses,
  name: { generic: "a `call_id` or a tool name that the API refuses", happens: "mapped", code: "id_mapped" },
  logprobs: { generic: "token probabilities of a text", happens: "kept, not sent", code: null },
  surrogate: common.surrogate,
  stop: { generic: "`stop_sequences`", happens: "left out", code: "setting_dropped" },
  ...settingsLosses,
} as const satisfies Record<string, Loss>;
