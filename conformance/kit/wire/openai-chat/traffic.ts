// The traffic of the Chat Completions API beside what its messages mean: paths, and the chunks of its streams.

import type { ProviderTraffic } from "../codec.ts";
import { dialects } from "./dialects.ts";
import { commonTraffic } from "../openai/traffic.ts";
import { isObject, listOf } from "../shared/json.ts";

export const traffic: ProviderTraffic = {
  ...commonTraffic,
  // https://platform.openai.com/docs/api-reference/chat
  routes: [/(^|\/)chat\/completions$/],
  dialects,
  ending: /"finish_reason":"|^data: \[DONE\]$/m,
  shortEvent: "delta",
  callsIn: ({ choices }) => {
    const [choice] = listOf(choices).filter(isObject);
    const delta = isObject(choice?.["delta"]) ? choice["delta"] : {};
    return listOf(delta["tool_calls"])
      .filter(isObject)
      .map(({ index }) => index);
  },
  isBody: (fields) =>
    /"role":"(system|developer|tool)"|"tool_calls":/.test(JSON.stringify(fields["messages"] ?? [])) ||
    "max_completion_tokens" in fields,
  chapter: "CHAT",
  occasions: {
    3: "result",
    4: "call",
    7: "long_call_id",
    8: "declared_tools",
    11: "interleaved_calls",
    22: "declared_tools",
  },
  endingsHead: "`finish_reason`",
};
