// What holds in every run of every case without being written in it. Requests are checked as they come, the rest here.

import type { Case, Failure } from "../../../schemas/types.ts";
import { checkEvents } from "./events.ts";
import { checkGuardrails } from "./guardrails.ts";
import { checkHidden } from "./hidden-values.ts";
import { checkJournal } from "./journal.ts";
import { checkMade } from "./instructions.ts";
import { checkResult } from "./result.ts";
import { checkScheduling } from "./scheduling.ts";
import { checkSession } from "./session.ts";
import { counted } from "../base/plural.ts";
import { breach } from "../base/failures.ts";
import type { Observation } from "../observed/observation.ts";
import { runsOf } from "../observed/subruns.ts";
import { reports } from "../suite/variant.ts";
import { isWireDriver } from "../suite/wire-driver.ts";

/** Every invariant that a finished run broke. @see KIT-7 */
export function checkInvariants(seen: Observation): Failure[] {
  return [
    ...checkScriptUsed(seen),
    ...runsOf(seen).flatMap((run) => checkRun(run, seen)),
    ...checkSecrets(seen),
    ...checkHidden(seen),
    ...checkGuardrails(seen),
    ...checkJournal(seen),
    ...checkMade(seen),
  ];
}

/** What holds in the run of the case and in that of every subagent, which is known by the events alone. */
function checkRun(run: Observation, whole: Observation): Failure[] {
  const hasEvents = reports(run.driver, "events");
  if (run.path.length > 0 && !hasEvents) return [];
  // What a process reported that has ended is forgotten.
  if (run.path.length > 0 && run.events.length === 0 && whole.journal?.ended) return [];
  if (run.path.length > 0 && run.events.length === 0) {
    const message = `the agent that answers ${run.path.join("/")} called its model, but no subagent_event reports it`;
    return [breach("SUBAGENT-13", message)];
  }
  return [
    ...checkSessionId(run, whole),
    ...checkSession(run),
    ...checkResult(run, whole),
    ...checkScheduling(run),
    ...(hasEvents ? checkEvents(run) : []),
  ];
}

/** @see SUBAGENT-29 */
function checkSessionId({ path, events }: Observation, { sessionId }: Observation): Failure[] {
  const [start] = events.flat();
  if (path.length === 0 || start?.type !== "run_start") return [];
  const expected = [sessionId, ...path].join("/");
  if (start.session_id === expected) return [];
  const message = `the agent that answers ${path.join("/")} runs on a session with another id`;
  return [breach("SUBAGENT-29", message, { expected, received: start.session_id })];
}

/** After these a loop may ask again, or end and say so. @see LOOP-10 */
const cuts: ReadonlySet<string> = new Set(["max_tokens", "context_window_exceeded"]);

function checkScriptUsed({ filled, requests, failures, ended, driver, answers }: Observation): Failure[] {
  const scripted = filled.case.model.length;
  // A case may script more answers than it expects requests, to show that the rest is not asked for.
  if (mayAskLess(filled.case.expect) || requests.length >= scripted) return [];
  // How far a run gets before it ends badly is not what a case is about in which the user goes on.
  if (filled.case.next) return [];
  // Where the caller learns that the run came to nothing, what it could have come to is a matter of taste.
  if (ended !== undefined && ended !== "completed") return [];
  if (failures.some(({ code }) => code === "stuck")) return [];
  const { stopReason = "" } = answers.at(-1) ?? {};
  if (isWireDriver(driver) && cuts.has(stopReason)) {
    const message = "the run was reported as completed, but its last response was cut off";
    return [breach("LOOP-27", message, { received: ended })];
  }
  const message = `the model was called ${counted(requests.length, "time")}, but the case has ${counted(scripted, "answer")}`;
  return [{ code: "script_not_consumed", message, expected: scripted, received: requests.length }];
}

function mayAskLess({ request_count: count, one_of: behaviours = [] }: Case["expect"]): boolean {
  return count !== undefined || behaviours.some(({ expect }) => expect.request_count !== undefined);
}

function checkSecrets({ apiKey, results, events, filled }: Observation): Failure[] {
  if (apiKey === undefined) return [];
  const has = (value: unknown) => JSON.stringify(value).includes(apiKey);
  const { given, model, actions } = filled.case;
  // What was said stays as it was, a key too [PROVIDER-46]: then only what the loop says itself is looked at.
  const isSaid = has([given, model.map(({ fault: _, ...said }) => said), actions]);
  const leaks = (value: unknown) => (isSaid ? ownWords(value).some(has) : has(value));
  if (leaks(results)) return [breach("PROVIDER-27", "the API key is in the result or the session")];
  return leaks(events) ? [breach("PROVIDER-27", "the API key is in an event")] : [];
}

/** What a loop says itself in what it reports: its errors and its warnings. */
function ownWords(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(ownWords);
  if ("type" in value && value.type === "warning") return [value];
  return Object.entries(value).flatMap(([key, entry]) => (key === "error" ? [entry] : ownWords(entry)));
}
