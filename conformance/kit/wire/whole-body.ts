// The body of a request with what its path says of it, in formats in which the path has fields of the request.

import type { ProviderCodec } from "./codec.ts";
import { isObject } from "./shared/json.ts";

/** The body, with the fields that `target`, the path with its query, has for it. */
export function wholeBody(codec: ProviderCodec, target: string, body: unknown): unknown {
  const fields = codec.readTarget?.(target);
  return fields && isObject(body) ? { ...fields, ...body } : body;
}
