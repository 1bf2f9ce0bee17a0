// OpenAI's traffic beside what its messages mean, as far as its APIs have it in common.

import type { ProviderTraffic } from "../codec.ts";

type Common = "host" | "keyHeader" | "headers" | "keptHeaders" | "errorBody" | "errorFields";

export const commonTraffic: Pick<ProviderTraffic, Common> = {
  host: {
    name: "openai",
    url: "https://api.openai.com",
    addressVariables: ["OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_BASE_URL", "OPENAI_API_URL"],
    keyVariables: ["OPENAI_API_KEY"],
  },
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  headers: {},
  keptHeaders: ["openai-beta"],
  errorBody: (status, message) => {
    const type = errorTypes[status] ?? (status < 500 ? "invalid_request_error" : "server_error");
    return { error: { message, type, param: null, code: null } };
  },
  errorFields: ["type", "code", "param"],
};

/** @see https://platform.openai.com/docs/guides/error-codes */
const errorTypes: Record<number, string> = {
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
};
