// What a provider's format cannot carry: what is said of it, and what most formats have in common. The tables are in the folders of the providers.

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

/** What most formats cannot carry. */
export const commonLosses = {
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
