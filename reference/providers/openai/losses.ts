// What neither of OpenAI's APIs can carry.

import { commonLosses as common, type Loss } from "../shared/losses.ts";

/** Of messages. */
export const contentLosses = {
  emptyPart: { generic: "an empty text part", happens: "left out", code: "part_dropped" },
  emptyMessage: {
    generic: "a system or assistant message without text, a user message in which no part is left",
    happens: "left out",
    code: "empty_message_dropped",
  },
} as const satisfies Record<string, Loss>;

/** Of settings. */
export const settingsLosses = {
  budget: { generic: "`thinking.budget_tokens`", happens: "left out", code: "setting_dropped" },
  effort: {
    generic: "an `effort` beside `thinking.mode` `off`",
    happens: "left out: the model is not to think",
    code: "setting_dropped",
  },
  choice: common.choice,
} as const satisfies Record<string, Loss>;
