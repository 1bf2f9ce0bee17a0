// OpenAI's Chat Completions API as the kit speaks it, written apart from any adapter so that no bug can hide on both sides.

import type { ProviderCodec } from "../codec.ts";
import { canExpress, errorBody, renderFault, renderResponse } from "./openai-chat-render.ts";
import { normalize, openRequest, readRequest, readResponse } from "./openai-chat-request.ts";
import { chatRules } from "./openai-chat-rules.ts";
import { breachesOf } from "./rules.ts";

export const openaiChat: ProviderCodec = {
  provider: "openai-chat",
  basePath: "/v1",
  endpoint: "/chat/completions",
  rules: chatRules,
  canExpress,
  renderResponse,
  renderFault,
  checkRequest: (body, headers, sent) =>
    breachesOf(chatRules, openRequest(body, headers, sent), (rule, { message, param }) =>
      errorBody({ message, type: "invalid_request_error", code: rule.code, param }),
    ),
  readRequest,
  readResponse,
  normalize,
};
