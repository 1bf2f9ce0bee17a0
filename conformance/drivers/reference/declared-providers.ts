// What the driver declares of each provider. Generated from their folders by `npm run generate`. Do not edit.

import type { ProviderName, TransportName } from "../../../schemas/types.ts";

/** The package that a provider needs, if it needs one, and how its answers travel. */
export const declaredProviders: Readonly<
  Record<ProviderName, { readonly sdk?: string; readonly transports: readonly TransportName[] }>
> = {
  "anthropic-messages": { sdk: "@anthropic-ai/sdk", transports: ["json", "sse"] },
  gemini: { sdk: "@google/genai", transports: ["json", "sse"] },
  "openai-chat": { sdk: "openai", transports: ["json", "sse"] },
  "openai-responses": { sdk: "openai", transports: ["json", "sse"] },
};
