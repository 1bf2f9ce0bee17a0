// The names of the providers that the kit can play. Generated from their folders by `npm run generate`. Do not edit.

import type { ProviderName } from "../../../schemas/types.ts";

export const providerNames: readonly ProviderName[] = [
  "anthropic-messages",
  "gemini",
  "openai-chat",
  "openai-responses",
];
