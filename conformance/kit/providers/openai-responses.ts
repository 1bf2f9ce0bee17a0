// OpenAI's Responses API as the kit speaks it, written apart from any adapter so that no bug can hide on both sides.

import type { ProviderCodec } from "../codec.ts";
import { canExpress, errorBody, renderFault, renderResponse } from "./openai-responses-render.ts";
import { normalize, openRequest, readRequest, readResponse } from "./openai-responses-request.ts";
import { responsesRules } from "./openai-responses-rules.ts";
import { breachesOf } from "./rules.ts";

const type = "invalid_request_error";

export const openaiResponses: ProviderCodec = {
  provider: "openai-responses",
  basePath: "/v1",
  endpoint: "/responses",
  keepsConversations: true,
  rules: responsesRules,
  canExpress,
  renderResponse,
  renderFault,
  checkRequest: (body, headers, sent, earlier) =>
    breachesOf(responsesRules, openRequest(body, headers, sent, earlier), ({ code }, { message, param }) =>
      // Where the type says everything, the API gives no code.
      errorBody({ message, type, code: code === type ? null : code, param }),
    ),
  readRequest,
  readResponse,
  normalize,
};
