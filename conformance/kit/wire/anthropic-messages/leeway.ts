// Where requests of Anthropic's Messages API may differ from those of the spec's own loop, and what its answers depend on.

import type { ProviderLeeway } from "../codec.ts";
import { isObject } from "../shared/json.ts";

export const leeway: ProviderLeeway = {
  conversation: "messages",
  items: "content",
  callsOf: ({ type, id }) => (type === "tool_use" ? [id] : []),
  answeredBy: ({ type, tool_use_id: id }) => (type === "tool_result" ? id : undefined),
  instructionsApart: true,
  asksToThink: ({ thinking }) => isObject(thinking) && thinking["type"] !== "disabled",
  // Thinking that is enabled, and not left to the model, begins every answer.
  mustThink: ({ thinking }) => isObject(thinking) && thinking["type"] === "enabled",
  noThinkingTokens: null,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  roundsNumbers: ["json"],
};
