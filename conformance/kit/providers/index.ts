// The providers that the kit can play, by name.

import type { ProviderCodec, ProviderName } from "../codec.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { openaiChat } from "./openai-chat.ts";

export const codecs: Readonly<Record<ProviderName, ProviderCodec>> = {
  "anthropic-messages": anthropicMessages,
  "openai-chat": openaiChat,
};

export { alignIds } from "./normal-form.ts";
