// Finds keys that stood in the error of a failed call and were sent to a model afterwards: nothing but that error can have brought them.

import { keyShapes } from "../../kit/base/secret-patterns.ts";
import { fixtureAnswer } from "../../kit/wire/fixture-bytes.ts";
import type { ReadableExchange } from "./chains.ts";
import { listPointer } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { requestValue } from "../fixture/request-value.ts";

/** The keys that the error of a failed call repeats. */
export function keysInError({ exchange: { response } }: ReadableExchange): string[] {
  if (response.status < 400) return [];
  const text = fixtureAnswer(response)
    .writes.map((write) => write.text)
    .join("");
  return [...new Set(keyShapes.flatMap(({ shape }) => text.match(shape) ?? []))];
}

/** @see PROVIDER-45 */
export function checkSecrets(after: ReadableExchange, earlier: readonly ReadableExchange[]): Finding[] {
  const failed = earlier.filter((one) => keysInError(one).length > 0);
  if (failed.length === 0) return [];
  const body = requestValue(after.exchange.request);
  const text = JSON.stringify(body);
  const isTold = (one: ReadableExchange, key: string) =>
    text.includes(key) && !JSON.stringify(one.request.messages).includes(key);
  const before = failed.findLast((one) => keysInError(one).some((key) => isTold(one, key)));
  if (!before) return [];
  const message = `the key that the server repeated in its error (exchange ${before.number}) was sent to the model`;
  return [{ level: "broken", requirement: "PROVIDER-45", exchange: after.number, pointer: listPointer(body), message }];
}
