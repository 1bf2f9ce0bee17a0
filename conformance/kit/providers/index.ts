// The providers that the kit can play, by name.

import type { ProviderCodec, ProviderName } from "../codec.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";

export const codecs: Readonly<Record<ProviderName, ProviderCodec>> = {
  "anthropic-messages": anthropicMessages,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};

export { alignIds } from "./normal-form.ts";
