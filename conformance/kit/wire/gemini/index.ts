// Gemini's generateContent as the kit implements it, independent of every adapter, so that no bug is in both.

import type { ProviderCodec } from "../codec.ts";
import { canExpress, errorBody, renderFault, renderResponse } from "./render.ts";
import { createCheck } from "../shared/conversation-check.ts";
import { normalize, openRequest, readRequest, readResponse, requestFrom } from "./request.ts";
import type { GeminiRequest } from "./request.ts";
import { geminiRules } from "./rules/index.ts";
import { breachesOf } from "../shared/rules.ts";
import type { RuleBook } from "../shared/rules.ts";
import { leeway } from "./leeway.ts";
import { readTarget, traffic } from "./traffic.ts";
import { transports } from "./transports.ts";

const book: RuleBook<GeminiRequest> = {
  rules: geminiRules,
  open: openRequest,
  conversation: "contents",
  // Before a message of the user, every call has its response.
  mayBegin: ({ role, parts }) => role === "user" && !/"function(?:R|_r)esponse":/.test(JSON.stringify(parts ?? [])),
  from: requestFrom,
  errorBody: ({ status }, { message }) => errorBody(status, message),
};

export const gemini: ProviderCodec = {
  provider: "gemini",
  traffic,
  transports,
  leeway,
  basePath: "",
  endpoint: "/v1/models/gemini-3-flash-preview:generateContent",
  endpoints: ["/v1beta/models/{model}:generateContent", "/v1beta/models/{model}:streamGenerateContent?alt=sse"],
  readTarget,
  rules: geminiRules,
  canExpress,
  renderResponse,
  renderFault,
  checkRequest: (...args) => breachesOf(book, book.open(...args)),
  createCheck: () => createCheck(book),
  readRequest,
  readResponse,
  normalize,
};
