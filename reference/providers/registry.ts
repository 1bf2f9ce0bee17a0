// The providers of the reference, by name. Generated from their folders by `npm run generate`. Do not edit.

import type { AboutProvider } from "./shared/about-provider.ts";
import { about as anthropicMessages } from "./anthropic-messages/about.ts";
import { about as gemini } from "./gemini/about.ts";
import { about as openaiChat } from "./openai-chat/about.ts";
import { about as openaiResponses } from "./openai-responses/about.ts";
import type { ProviderName } from "../../schemas/types.ts";

export const providers: Readonly<Record<ProviderName, AboutProvider>> = {
  "anthropic-messages": anthropicMessages,
  gemini: gemini,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};
