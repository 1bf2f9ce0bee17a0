// Takes keys out of what an adapter tells of a failure: the one in use, and what looks like one.

import type { ModelResponse } from "../../../schemas/types.ts";

const REDACTED = "[redacted]";

/** How much of a key in use is enough to replace it: error pages are cut, and servers mask the middle of a key. */
const BEGINNING = 12;

/** What is shorter is no secret. */
const SECRET = 8;

/** @see PROVIDER-45 */
const shapes = [
  /\b(?:sk-|sk_|pk-|gsk_|xai-|AIza|hf_|r8_|nvapi-|pplx-|csk-|tgp_v1_|gh[opsur]_|github_pat_|xox[abp]-)[\w-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+/g,
];
const bearer = /\b(bearer\s+)[\w.~+/-]{16,}=*/gi;

/**
 * The response of a failed call without the key in use, wherever it stands in the error, and without what looks like a key. What
 * the model said is left as it is.
 * @param key absent where none is known
 * @see PROVIDER-27 PROVIDER-45 PROVIDER-46
 */
export function withoutKeys(response: ModelResponse, key: string | undefined): ModelResponse {
  if (!response.error) return response;
  const { error } = response;
  const code = error.code === undefined ? undefined : textWithoutKeys(error.code, key);
  return {
    ...response,
    error: { ...error, message: textWithoutKeys(error.message, key), ...(code !== undefined && { code }) },
  };
}

function textWithoutKeys(text: string, key: string | undefined): string {
  const left = key ? withoutBeginning(withoutWhole(text, key), key) : text;
  return shapes.reduce((now, shape) => now.replace(shape, REDACTED), left).replace(bearer, `$1${REDACTED}`);
}

/** A key such as `ollama` or `x`, of a server that wants none, is replaced as a word only: it stands in others by chance. */
function withoutWhole(text: string, key: string): string {
  if (key.length >= SECRET) return text.replaceAll(key, REDACTED);
  return text.replace(new RegExp(`(?<!\\w)${key.replace(/\W/g, "\\$&")}(?!\\w)`, "g"), REDACTED);
}

function withoutBeginning(text: string, key: string): string {
  if (key.length <= BEGINNING) return text;
  const [first, ...rest] = text.split(key.slice(0, BEGINNING));
  return [first, ...rest.map((after) => after.replace(/^[\w-]*/, REDACTED))].join("");
}

/** The key that a client of an SDK sends, if it says so. */
export function keyOf(client: unknown): string | undefined {
  const { apiKey, authToken } = client as { apiKey?: unknown; authToken?: unknown };
  return [apiKey, authToken].find((key): key is string => typeof key === "string" && key !== "");
}
