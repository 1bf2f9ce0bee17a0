// The Anthropic Messages API as the kit implements it, independent of every adapter, so that no bug is in both.

import type { ProviderCodec } from "../codec.ts";
import { canExpress, errorBody, renderFault, renderResponse } from "./render.ts";
import { normalize, openRequest, readRequest, readResponse, requestFrom } from "./request.ts";
import type { AnthropicRequest } from "./request.ts";
import { errorCodes } from "./rules/thread.ts";
import { anthropicRules } from "./rules/index.ts";
import { createCheck } from "../shared/conversation-check.ts";
import { breachesOf } from "../shared/rules.ts";
import type { RuleBook } from "../shared/rules.ts";
import { leeway } from "./leeway.ts";
import { traffic } from "./traffic.ts";
import { transports } from "./transports.ts";

const book: RuleBook<AnthropicRequest> = {
  rules: anthropicRules,
  open: openRequest,
  conversation: "messages",
  // Before these, every call of before has its results.
  mayBegin: ({ role }) => role === "assistant",
  from: requestFrom,
  errorBody: ({ id, code }, { message }) => errorBody(code, message, errorCodes[id]),
};

export const anthropicMessages: ProviderCodec = {
  provider: "anthropic-messages",
  traffic,
  transports,
  leeway,
  basePath: "",
  endpoint: "/v1/messages",
  keepsConversations: true,
  rules: anthropicRules,
  canExpress,
  renderResponse,
  renderFault,
  checkRequest: (...args) => breachesOf(book, book.open(...args)),
  createCheck: () => createCheck(book),
  readRequest,
  readResponse,
  normalize,
};
