// What the answers of both of OpenAI's APIs have in common: the body and the headers of an error, and what neither can express.

import type { ScriptedResponse } from "../codec.ts";
import type { Failure } from "../shared/faults.ts";
import type { JsonObject } from "../shared/json.ts";

/** How one of the APIs reports an error. */
export interface OpenAIFailure extends Failure {
  type: string;
  code: string | null;
}

/** The body of an error. */
export function errorBody(error: {
  message: string;
  type: string;
  code: string | null;
  param?: string | undefined;
}): JsonObject {
  return { error: { message: error.message, type: error.type, param: error.param ?? null, code: error.code } };
}

/** The headers of an error. */
export function errorHeaders(retryAfterMs: number | undefined): Record<string, string> {
  const wait = retryAfterMs !== undefined && {
    "retry-after-ms": String(retryAfterMs),
    "retry-after": String(Math.ceil(retryAfterMs / 1000)),
  };
  return { "x-request-id": "req_kit", ...wait };
}

/** Whether the API can refuse as the response does, and count its tokens. */
export function canRefuseAndCount(api: string, { parts, stop_reason, usage }: ScriptedResponse): true | string {
  if (stop_reason === "refusal" && !parts.some((part) => "text" in part && part.text !== ""))
    return `${api} refuses with a text`;
  const { input_tokens, output_tokens, ...details } = usage;
  if ((input_tokens === null) !== (output_tokens === null)) return `${api} counts input and output tokens, or none`;
  if (input_tokens === null && Object.values(details).some((count) => count !== null))
    return `${api} counts details only of what it counts`;
  return true;
}
