// Where requests of Gemini's generateContent may differ from those of the spec's own loop, and what its answers depend on.

import type { ProviderLeeway } from "../codec.ts";
import { withCamelNames } from "./field-names.ts";
import { isObject, type JsonObject } from "../shared/json.ts";

/** A field of a part or of the body, in whichever case it was written. */
function fieldOf(value: JsonObject, name: string): JsonObject | undefined {
  const named = withCamelNames(value) as JsonObject;
  return isObject(named[name]) ? named[name] : undefined;
}

export const leeway: ProviderLeeway = {
  conversation: "contents",
  items: "parts",
  callsOf: (part) => {
    const call = fieldOf(part, "functionCall");
    return call ? [call["id"]] : [];
  },
  answeredBy: (part) => fieldOf(part, "functionResponse")?.["id"],
  instructionsApart: true,
  asksToThink: (body) => {
    const config = fieldOf(body, "generationConfig")?.["thinkingConfig"];
    return isObject(config) && config["includeThoughts"] === true;
  },
  mustThink: () => false,
  noThinkingTokens: null,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  firstCallIsSigned: true,
  // Reported, and of a refusal nothing is known: https://github.com/badlogic/pi-mono/commit/4e7a340460dffbff6a317b652768a188db3b61b7 (2025-10-13).
  takesHalfLetters: true,
  roundsNumbers: [],
};
