// How the answers of each provider travel. Generated from their folders by `npm run generate`. Do not edit.

import type { ProviderName } from "../../../schemas/types.ts";
import type { AnswerTransport } from "./transport.ts";
import { transports as anthropicMessages } from "./anthropic-messages/transports.ts";
import { transports as gemini } from "./gemini/transports.ts";
import { transports as openaiChat } from "./openai-chat/transports.ts";
import { transports as openaiResponses } from "./openai-responses/transports.ts";

export const transportsOf: Readonly<Record<ProviderName, readonly AnswerTransport[]>> = {
  "anthropic-messages": anthropicMessages,
  gemini: gemini,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};
