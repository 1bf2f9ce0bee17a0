// What holds in every run of every case without being written in it. Requests are checked as they come, the rest here.

import type { Failure } from "../../reference/types.ts";
import { checkEvents } from "./check-events.ts";
import { checkResult } from "./check-result.ts";
import { checkScheduling } from "./check-scheduling.ts";
import { checkSession } from "./check-session.ts";
import { breach } from "./failures.ts";
import type { Observation } from "./observation.ts";
import { reports } from "./variant.ts";

/** Everything that a finished run broke. @see KIT-7 */
export function checkInvariants(seen: Observation): Failure[] {
  return [
    ...checkScriptUsed(seen),
    ...checkSession(seen),
    ...checkResult(seen),
    ...checkScheduling(seen),
    ...(reports(seen.driver, "events") ? checkEvents(seen) : []),
    ...checkSecrets(seen),
  ];
}

function checkScriptUsed({ filled, requests, failures }: Observation): Failure[] {
  const scripted = filled.case.model.length;
  // A case may script more answers than it expects requests, to show that the rest is not asked for.
  if (filled.case.expect.request_count !== undefined || requests.length >= scripted) return [];
  if (failures.some(({ code }) => code === "stuck")) return [];
  const message = `the model was called ${requests.length} times, but the case has ${scripted} answers`;
  return [{ code: "script_not_consumed", message, expected: scripted, received: requests.length }];
}

function checkSecrets({ apiKey, results, events }: Observation): Failure[] {
  if (apiKey === undefined) return [];
  const leaks = (value: unknown) => JSON.stringify(value).includes(apiKey);
  if (leaks(results)) return [breach("PROVIDER-27", "the API key stands in the result or the session")];
  return leaks(events) ? [breach("PROVIDER-27", "the API key stands in an event")] : [];
}
