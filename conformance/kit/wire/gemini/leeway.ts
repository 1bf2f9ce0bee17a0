// Where requests of Gemini's generateContent may differ from those of the spec's own loop, and what its answers depend on.

import type { ProviderLeeway } from "../codec.ts";
import { isObject } from "../shared/json.ts";

export const leeway: ProviderLeeway = {
  conversation: "contents",
  items: "parts",
  callsOf: ({ functionCall }) => (isObject(functionCall) ? [functionCall["id"]] : []),
  answeredBy: ({ functionResponse }) => (isObject(functionResponse) ? functionResponse["id"] : undefined),
  instructionsApart: true,
  asksToThink: ({ generationConfig }) => {
    const config = isObject(generationConfig) ? generationConfig["thinkingConfig"] : undefined;
    return isObject(config) && config["includeThoughts"] === true;
  },
  mustThink: () => false,
  noThinkingTokens: null,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  roundsNumbers: [],
};
