// Where requests of the Responses API may differ from those of the spec's own loop, and what its answers depend on.

import type { ProviderLeeway } from "../codec.ts";
import { listOf } from "../shared/json.ts";

export const leeway: ProviderLeeway = {
  conversation: "input",
  callsOf: ({ type, call_id: id }) => (type === "function_call" || type === "custom_tool_call" ? [id] : []),
  answeredBy: ({ type, call_id: id }) => (String(type).endsWith("_call_output") ? id : undefined),
  resultsAnywhere: true,
  keepsItemsOfLost: true,
  asksToThink: ({ reasoning, include }) => (reasoning ?? undefined) !== undefined || listOf(include).length > 0,
  mustThink: () => false,
  noThinkingTokens: 0,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  roundsNumbers: [],
};
