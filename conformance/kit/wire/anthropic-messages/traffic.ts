// Anthropic's traffic beside what its messages mean: hosts, paths, headers, errors, and the events of its streams.

import type { ProviderTraffic } from "../codec.ts";
import { dialects } from "./dialects.ts";
import { isObject } from "../shared/json.ts";

export const traffic: ProviderTraffic = {
  host: {
    name: "anthropic",
    url: "https://api.anthropic.com",
    addressVariables: ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"],
    keyVariables: ["ANTHROPIC_API_KEY"],
  },
  // https://platform.claude.com/docs/en/api
  routes: [/(^|\/)v\d+\/messages$/],
  dialects,
  keyHeader: (key) => ({ "x-api-key": key }),
  headers: { "anthropic-version": "2023-06-01" },
  keptHeaders: ["anthropic-beta", "anthropic-version"],
  errorBody: (status, message) => ({ type: "error", error: { type: errorTypes[status] ?? "api_error", message } }),
  errorFields: ["type"],
  ending: /^event: message_stop$/m,
  shortEvent: "named",
  callsIn: ({ type, index, delta }) =>
    type === "content_block_delta" && isObject(delta) && delta["type"] === "input_json_delta" ? [index] : [],
  isBody: (fields) =>
    "system" in fields || /"type":"(tool_use|tool_result)"/.test(JSON.stringify(fields["messages"] ?? [])),
  chapter: "ANTHROPIC",
  occasions: {
    1: "request",
    4: "batch",
    8: "blank_text",
    9: "sealed_thinking",
    10: "unreadable_arguments",
    14: "provider_item",
    15: "interleaved_calls",
    17: "ping",
    21: "declared_tools",
  },
  endingsHead: "`stop_reason`",
};

/** The kinds of error that are documented for a status. @see https://platform.claude.com/docs/en/api/errors */
const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};
