// Where requests of the Chat Completions API may differ from those of the spec's own loop, and what its answers depend on.

import type { ProviderLeeway } from "../codec.ts";
import { isObject, listOf } from "../shared/json.ts";

export const leeway: ProviderLeeway = {
  conversation: "messages",
  callsOf: ({ tool_calls: calls }) =>
    listOf(calls)
      .filter(isObject)
      .map(({ id }) => id),
  answeredBy: ({ role, tool_call_id: id }) => (role === "tool" ? id : undefined),
  // Thinking is a matter of servers of a dialect.
  asksToThink: () => false,
  mustThink: () => false,
  noThinkingTokens: 0,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  roundsNumbers: [],
};
