// Says of which requirements a run had an occasion, beside those that its case names: only there can they be kept.

import type { Message } from "../../../schemas/types.ts";
import type { Observation } from "../observed/observation.ts";
import { reports } from "../suite/variant.ts";

/**
 * What has to have happened for a requirement that is checked in every run. A requirement that is not listed here is kept only in the
 * cases that name it: what triggers it is written there.
 */
const occasions: Readonly<Record<string, (seen: Observation) => boolean>> = {
  "EVENT-1": hasEvents,
  "EVENT-2": hasEvents,
  "EVENT-3": hasEvents,
  "EVENT-4": (seen) => hasEvents(seen) && seen.answers.length > 0,
  "EVENT-5": (seen) => hasEvents(seen) && seen.answers.length > 0,
  "EVENT-8": (seen) => hasEvents(seen) && seen.executions.length > 0,
  "EVENT-9": (seen) => hasEvents(seen) && seen.executions.length > 0,
  "EVENT-10": (seen) => hasEvents(seen) && hasSession(seen) && seen.answers.length > 0,
  "EVENT-11": (seen) => hasEvents(seen) && hasResult(seen, ""),
  "LOOP-1": (seen) => seen.requests.length > 1,
  "LOOP-2": (seen) => seen.requests.some(({ system }) => system !== undefined),
  "LOOP-4": (seen) => seen.requests.some(({ tools }) => tools.length > 0),
  "LOOP-22": (seen) => hasResult(seen, "turns") && seen.answers.length > 0,
  "LOOP-27": (seen) => seen.results.length > 0,
  "LOOP-28": (seen) => seen.results.length > 0,
  "PROVIDER-2": (seen) => isWire(seen) && seen.requests.some(({ messages }) => results(messages) > 1),
  "PROVIDER-9": (seen) => isWire(seen) && seen.requests.some(({ messages }) => results(messages) > 0),
  "PROVIDER-13": (seen) => isWire(seen) && seen.requests.length > 1,
  "PROVIDER-26": (seen) => isWire(seen) && seen.requests.length > 0,
  "PROVIDER-27": (seen) => isWire(seen) && (hasEvents(seen) || hasSession(seen) || hasResult(seen, "")),
  "RESULT-1": (seen) => hasResult(seen, "stop_reason") && seen.answers.length > 0,
  "RESULT-2": (seen) => hasResult(seen, "final_text") && seen.answers.length > 0,
  "RESULT-4": (seen) => hasResult(seen, "usage") && seen.answers.length > 0,
  "RESULT-5": (seen) => hasResult(seen, "usage_by_model") && seen.answers.length > 0,
  "RESULT-6": (seen) => hasResult(seen, "steps") && seen.answers.length > 0,
  "RESULT-7": (seen) => hasResult(seen, "status") && hasResult(seen, "error"),
  "RESULT-8": (seen) => hasResult(seen, "tool_calls") && seen.answers.length > 0,
  "SESSION-1": (seen) => seen.requests.length > 1 || (hasSession(seen) && given(seen).length > 0),
  "SESSION-2": (seen) => hasSession(seen) && given(seen).length > 0,
  "SESSION-4": (seen) => isShown(seen) && seen.answers.some(({ messages }) => messages.length > 1),
  "SESSION-6": (seen) => isShown(seen) && seen.expected.calls.length > 0,
  "SESSION-7": (seen) => isShown(seen) && seen.expected.batches.some(({ length }) => length > 1),
  "SESSION-9": (seen) => isShown(seen) && seen.expected.calls.length > 1,
  "SESSION-8": (seen) => hasSession(seen) && seen.expected.calls.length > seen.executions.length,
  "TOOL-8": (seen) => seen.executions.length > 0,
  "TOOL-12": (seen) => seen.executions.length > 0,
  "TOOL-13": (seen) => isShown(seen) && seen.executions.some(({ answer }) => answer?.output !== undefined),
  "TOOL-14": (seen) => isShown(seen) && seen.executions.some(({ answer }) => answer?.thrown !== undefined),
  "TOOL-17": (seen) => isShown(seen) && seen.executions.some(({ answer }) => answer?.isError === true),
};

/**
 * The requirements that are checked in every run and of which this one had an occasion, in the order of their names. Nothing is
 * known of a run that was interrupted, or of which the kit cannot read an answer: what follows is not derived there.
 */
export function occasionsIn(seen: Observation): string[] {
  if (seen.disturbed || seen.expected.isOpen) return ["LOOP-27", "LOOP-28"].filter((id) => occasions[id]!(seen));
  return Object.keys(occasions).filter((id) => occasions[id]!(seen));
}

/** What the model and the tools said is seen again: in a later request, or in the session that the driver reports. */
function isShown(seen: Observation): boolean {
  return hasSession(seen) || seen.requests.length > 1;
}

function isWire({ variant }: Observation): boolean {
  return variant.seam !== "generic";
}

function given({ filled }: Observation): readonly Message[] {
  return filled.case.given.messages;
}

function results(messages: readonly Message[]): number {
  return messages.filter(({ type }) => type === "tool_result").length;
}

function hasSession({ driver, results: answers }: Observation): boolean {
  return reports(driver, "session") && answers.at(-1)?.session !== undefined;
}

function hasEvents({ driver, events }: Observation): boolean {
  return reports(driver, "events") && events.some(({ length }) => length > 0);
}

function hasResult({ driver, results: answers }: Observation, field: string): boolean {
  return reports(driver, field === "" ? "result" : `result.${field}`) && answers.at(-1)?.result !== undefined;
}
