// Checks a run against the findings of its guardrails: how it ended, what it did afterwards, and what it kept.

import type { Failure, Message } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { ExpectedSession } from "../observed/expected-session.ts";
import type { Finding, Observation } from "../observed/observation.ts";
import { reports } from "../suite/variant.ts";

/** What is wrong with the n-th model request, counted from 1, being made at all. @see GUARDRAIL-2 GUARDRAIL-5 */
export function checkGuardedRequest(seen: Observation, number: number): Failure[] {
  const { given } = seen.filled.case;
  const trip = seen.findings.find((finding) => finding.trip);
  if (trip) {
    const requirement = { input: "GUARDRAIL-2", tool_output: "GUARDRAIL-5" }[trip.point as string] ?? "GUARDRAIL-1";
    return [breach(requirement, `model request ${number} arrived after the guardrail ${trip.name} had tripped`)];
  }
  if (number > 1 || given.messages.at(-1)?.role !== "user") return [];
  const checked = seen.findings.filter(({ point }) => point === "input").map(({ name }) => name);
  const missing = given.guardrails?.find(({ name, points }) => points.includes("input") && !checked.includes(name));
  return missing ? [breach("GUARDRAIL-2", `the model was called before ${missing.name} had let the input pass`)] : [];
}

/** Everything that is wrong with how a finished run answered its guardrails. */
export function checkGuardrails(seen: Observation): Failure[] {
  if (!seen.driver.features?.includes("guardrails")) return [];
  return [...checkEnding(seen), ...checkFlags(seen), ...checkWarnings(seen)];
}

/** @see GUARDRAIL-1 */
function checkEnding({ driver, results, findings, disturbed, ranOutOfTime }: Observation): Failure[] {
  const result = results.at(-1)?.result;
  if (!reports(driver, "result") || !result) return [];
  const { status, guardrail, reason } = result;
  const trips = findings.filter(({ trip }) => trip);
  const received = { status, guardrail, reason };
  if ((status === "guardrail") !== (guardrail !== undefined))
    return [breach("GUARDRAIL-1", `the status is ${status}, and guardrail is ${guardrail ? "" : "not "}there`)];
  if (!guardrail && (trips.length === 0 || disturbed || (ranOutOfTime && status === "deadline"))) return [];
  const endings = trips.map(({ name, point, reason: why }) => ({
    status: "guardrail",
    guardrail: { name, point },
    ...(why !== undefined && { reason: why }),
  }));
  if (endings.some((expected) => matchData(expected, received).length === 0)) return [];
  const what = endings[0] ? `the guardrail ${trips[0]!.name} tripped` : "no guardrail tripped";
  return [breach("GUARDRAIL-1", `${what}, but the run ended otherwise`, { expected: endings[0] ?? null, received })];
}

/** @see GUARDRAIL-7 */
function checkFlags({ driver, results, findings, disturbed, expected }: Observation): Failure[] {
  const messages = results.at(-1)?.session?.messages;
  if (!reports(driver, "session") || !messages || disturbed) return [];
  return findings
    .filter(({ trip }) => trip)
    .flatMap((trip) =>
      tripped(trip, messages, expected)
        .filter(({ meta }) => meta?.guardrail !== trip.name)
        .map((received) =>
          breach("GUARDRAIL-7", `the guardrail ${trip.name} tripped over a message that does not say so`, {
            expected: { meta: { guardrail: trip.name } },
            received,
          }),
        ),
    );
}

type Kept = Extract<Message, { meta?: unknown }>;

/** The messages over which a guardrail tripped. The response is the last one: the model is not asked again. */
function tripped({ point, call }: Finding, messages: readonly Message[], expected: ExpectedSession): Kept[] {
  if (point === "tool_output")
    return messages.filter((message) => message.type === "tool_result" && message.id === call);
  if (point !== "model_output") return [];
  const end = messages.findLastIndex((message) => message.type !== "tool_result") + 1;
  if (!expected.isOpen) return messages.slice(end - expected.lastResponse.length, end);
  const begin = messages.slice(0, end).findLastIndex(({ role, type }) => role === "user" || type === "tool_result") + 1;
  return messages.slice(begin, end);
}

/** @see GUARDRAIL-9 */
function checkWarnings(seen: Observation): Failure[] {
  if (!reports(seen.driver, "events") || seen.disturbed) return [];
  const expected = seen.findings.filter(({ trip, reason }) => !trip && reason !== undefined);
  const received = seen.events.flat().filter((event) => event.type === "warning" && event.code === "guardrail_finding");
  if (expected.length === received.length) return [];
  return [breach("GUARDRAIL-9", "the warnings are not what the guardrails found", { expected, received })];
}
