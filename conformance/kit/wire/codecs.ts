// The providers that the kit can play, by name. Generated from their folders by `npm run generate`. Do not edit.

import type { ProviderCodec, ProviderName } from "./codec.ts";
import { anthropicMessages } from "./anthropic-messages/index.ts";
import { gemini } from "./gemini/index.ts";
import { openaiChat } from "./openai-chat/index.ts";
import { openaiResponses } from "./openai-responses/index.ts";

export const codecs: Readonly<Record<ProviderName, ProviderCodec>> = {
  "anthropic-messages": anthropicMessages,
  gemini: gemini,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};

export { alignIds } from "./shared/normal-form.ts";
