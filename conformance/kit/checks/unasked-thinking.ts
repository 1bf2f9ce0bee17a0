// Tells where a case is about thinking and the loop asks its provider for none: then none would come, and none is missed.

import type { Observation } from "../observed/observation.ts";
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
  // In Chat Completions, thinking is the affair of servers of a dialect.
  const isAsked = variant.seam !== "openai-chat" && requests.some(({ body }) => asksToThink(body));
  if (goesBack || isAsked) return undefined;
  return "the loop asks for no thinking, so that its provider would send none";
}

function asksToThink(body: unknown): boolean {
  const { thinking, reasoning, include = [] } = (body ?? {}) as { [name: string]: unknown; include?: unknown[] };
  const isOff = (thinking as { type?: unknown } | undefined)?.type === "disabled";
  return (thinking !== undefined && !isOff) || reasoning !== undefined || include.length > 0;
}
