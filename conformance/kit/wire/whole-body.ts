// The body of a request with those of its fields that are in its path, where a format puts some there.

import type { ProviderCodec } from "./codec.ts";
import { isObject } from "./shared/json.ts";

/** The body, with the fields that `target`, the path with its query, has for it. */
export function wholeBody(codec: ProviderCodec, target: string, body: unknown): unknown {
  const fields = codec.readTarget?.(target);
  return fields && isObject(body) ? { ...fields, ...body } : body;
}
