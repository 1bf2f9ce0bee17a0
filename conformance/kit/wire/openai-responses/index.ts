// OpenAI's Responses API as the kit implements it, independent of every adapter, so that no bug is in both.

import type { ProviderCodec } from "../codec.ts";
import { errorBody } from "../openai/answers.ts";
import { canExpress, renderFault, renderResponse } from "./render.ts";
import { createCheck } from "../shared/conversation-check.ts";
import { normalize, openRequest, readRequest, readResponse, requestFrom } from "./request.ts";
import type { ResponsesRequest } from "./request.ts";
import { responsesRules } from "./rules/index.ts";
import { breachesOf } from "../shared/rules.ts";
import type { RuleBook } from "../shared/rules.ts";
import { leeway } from "./leeway.ts";
import { traffic } from "./traffic.ts";
import { transports } from "./transports.ts";

const type = "invalid_request_error";

const book: RuleBook<ResponsesRequest> = {
  rules: responsesRules,
  open: openRequest,
  conversation: "input",
  // Only reasoning belongs to the item after it.
  mayBegin: (item) => item["type"] !== "reasoning",
  from: requestFrom,
  // The API gives no code where it would repeat the type.
  errorBody: ({ code }, { message, param }) => errorBody({ message, type, code: code === type ? null : code, param }),
};

export const openaiResponses: ProviderCodec = {
  provider: "openai-responses",
  traffic,
  transports,
  leeway,
  basePath: "/v1",
  endpoint: "/responses",
  keepsConversations: true,
  rules: responsesRules,
  canExpress,
  renderResponse,
  renderFault,
  checkRequest: (...args) => breachesOf(book, book.open(...args)),
  createCheck: () => createCheck(book),
  readRequest,
  readResponse,
  normalize,
};
