// Tells where a case is about thinking and the loop asks its provider for none: then none would come, and none is missed.

import type { Observation } from "../observed/observation.ts";
import { codecs } from "../wire/codecs.ts";
import { isObject } from "../wire/shared/json.ts";
import { isWireDriver } from "../suite/wire-driver.ts";

/** What thinking is called in a script, whether it is said in generic terms or byte for byte. */
const thinkingWords = /"(?:thinking|redacted_thinking|reasoning|reasoning_content|reasoning_details)"/;

/** Why nothing is said of a run of a driver of level wire; undefined if something is. @see KIT-34 */
export function unaskedThinking(seen: Observation): string | undefined {
  const { driver, filled, requests, nextRequests, variant } = seen;
  if (!isWireDriver(driver) || requests.length === 0) return undefined;
  if (!thinkingWords.test(JSON.stringify(filled.case.model).replaceAll('\\"', '"'))) return undefined;
  const goesBack = [...requests, ...nextRequests].some(({ messages }) =>
    messages.some(({ type }) => type === "thinking"),
  );
  const isAsked =
    variant.seam !== "generic" &&
    requests.some(({ body }) => isObject(body) && codecs[variant.seam].leeway.asksToThink(body));
  if (goesBack || isAsked) return undefined;
  return "the loop asks for no thinking, so that its provider would send none";
}
