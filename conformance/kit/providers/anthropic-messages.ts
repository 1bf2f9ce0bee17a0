// The Anthropic Messages API as the kit speaks it, written apart from any adapter so that no bug can hide on both sides.

import type { ProviderCodec } from "../codec.ts";
import { canExpress, errorBody, renderFault, renderResponse } from "./anthropic-messages-render.ts";
import { normalize, openRequest, readRequest, readResponse } from "./anthropic-messages-request.ts";
import { errorCodes } from "./anthropic-messages-rules-thread.ts";
import { anthropicRules } from "./anthropic-messages-rules.ts";
import { breachesOf } from "./rules.ts";

export const anthropicMessages: ProviderCodec = {
  provider: "anthropic-messages",
  basePath: "",
  endpoint: "/v1/messages",
  keepsConversations: true,
  rules: anthropicRules,
  canExpress,
  renderResponse,
  renderFault,
  checkRequest: (body, headers, sent, earlier) =>
    breachesOf(anthropicRules, openRequest(body, headers, sent, earlier), (rule, finding) =>
      errorBody(rule.code, finding.message, errorCodes[rule.id]),
    ),
  readRequest,
  readResponse,
  normalize,
};
