// Tells where a foreign loop has ended its run in an error, and said so, before the request in which what is forbidden would have shown.

import type { Failure } from "../../../schemas/types.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import type { Requirement } from "../suite/catalogue.ts";
import type { Observation } from "../observed/observation.ts";
import type { Tested } from "./tested.ts";

/** Whether a requirement says what must not be. It is not broken by what never came. */
export function isProhibition({ text }: Pick<Requirement, "text">): boolean {
  return text.includes("MUST NOT");
}

/** Whether the run reported to its caller that it failed, before a request of which the case says how it has to be. */
export function endsBeforeRequest(seen: Observation): boolean {
  const { driver, ended, requests, filled, variant } = seen;
  if (!isWireDriver(driver) || ended !== "error" || variant.seam === "generic") return false;
  return requests.length < (filled.case.expect.wire?.[variant.seam]?.length ?? 0);
}

/**
 * Who would not take an answer, and says so, has sent nothing that is forbidden: that its request is missing is held against nobody.
 * @see PROVIDER-20
 */
export function withoutRequestsThatNeverCame(
  failures: readonly Failure[],
  seen: Observation,
  { requirement, isProhibition: forbids }: Tested,
): Failure[] {
  if (!forbids || !endsBeforeRequest(seen)) return [...failures];
  const missing = `/expect/wire/${seen.variant.seam}/`;
  const isMissing = ({ path = "" }: Failure) =>
    path.startsWith(missing) && Number(path.slice(missing.length)) >= seen.requests.length;
  return failures.filter((failure) => failure.requirement !== requirement || !isMissing(failure));
}
