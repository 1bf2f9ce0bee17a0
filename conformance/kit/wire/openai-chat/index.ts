// OpenAI's Chat Completions API as the kit implements it, independent of every adapter, so that no bug is in both.

import type { ProviderCodec } from "../codec.ts";
import { errorBody } from "../openai/answers.ts";
import { canExpress, renderFault, renderResponse } from "./render.ts";
import { createCheck } from "../shared/conversation-check.ts";
import { normalize, openRequest, readRequest, readResponse, requestFrom } from "./request.ts";
import type { ChatRequest } from "./request.ts";
import { chatRules } from "./rules/index.ts";
import { breachesOf } from "../shared/rules.ts";
import type { RuleBook } from "../shared/rules.ts";
import { leeway } from "./leeway.ts";
import { traffic } from "./traffic.ts";
import { transports } from "./transports.ts";

const book: RuleBook<ChatRequest> = {
  rules: chatRules,
  open: openRequest,
  conversation: "messages",
  // Before these, every call of before has its results.
  mayBegin: ({ role }) => role === "assistant" || role === "user",
  from: requestFrom,
  errorBody: ({ code }, { message, param }) => errorBody({ message, type: "invalid_request_error", code, param }),
};

export const openaiChat: ProviderCodec = {
  provider: "openai-chat",
  traffic,
  transports,
  leeway,
  basePath: "/v1",
  endpoint: "/chat/completions",
  rules: chatRules,
  canExpress,
  renderResponse,
  renderFault,
  checkRequest: (...args) => breachesOf(book, book.open(...args)),
  createCheck: () => createCheck(book),
  readRequest,
  readResponse,
  normalize,
};
