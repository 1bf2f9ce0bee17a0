// Makes the vectors for validity: sessions on which a run can or cannot start, and events of runs that keep or break the grammar.

import { readFileSync } from "node:fs";
import type { LoopEvent, Message } from "../../../schemas/types.ts";
import { checkGrammar } from "../checks/event-grammar.ts";
import { fillCase } from "../suite/fill-case.ts";
import { packagePath } from "../base/package-root.ts";
import type { SuiteCase } from "../suite/types.ts";
import { vectorSeed } from "./seed.ts";

/** The messages of a session or the events of a run, and whether they are valid. */
export type ValidateVector = {
  /** Unique in the file. */
  id: string;
  valid: boolean;
  /** What an invalid one breaks. */
  requirement?: string;
} & ({ messages: Message[] } | { events: LoopEvent[] });

/** Sessions of the cases about sessions, and a whole run of which one event is missing or stands twice. */
export function validateVectors(cases: readonly SuiteCase[]): ValidateVector[] {
  return [...cases.flatMap(sessionVector), ...eventVectors()];
}

/** Only what is given: whether a run can start on it. */
function sessionVector({ id, case: source }: SuiteCase): ValidateVector[] {
  const { requires, features = [], given, expect } = source;
  // A vector has messages alone.
  if (!id.startsWith("session/") || features.length > 0 || given.spec_version !== undefined) return [];
  const { messages } = fillCase(source, vectorSeed, id).case.given;
  const isRefused = JSON.stringify(expect.result ?? {}).includes("invalid_session");
  if (isRefused) return [{ id, valid: false, requirement: requires[0]!, messages }];
  return expect.status === "completed" && messages.length > 1 ? [{ id, valid: true, messages }] : [];
}

function eventVectors(): ValidateVector[] {
  const whole = JSON.parse(readFileSync(packagePath("spec/whole-run.json"), "utf8")) as LoopEvent[];
  const broken = whole.flatMap(({ type }, index) => {
    const without = whole.filter((_, at) => at !== index);
    const twice = whole.flatMap((event, at) => (at === index ? [event, event] : [event]));
    return [
      brokenVector(`events without ${index + 1} ${type}`, without),
      brokenVector(`events with ${index + 1} ${type} twice`, twice),
    ].flat();
  });
  return [{ id: "events of a whole run", valid: true, events: whole }, ...broken];
}

/** Only what the grammar alone refuses; whether events rebuild the session is another question. */
function brokenVector(id: string, events: readonly LoopEvent[]): ValidateVector[] {
  const numbered = events.map((event, seq) => ({ ...event, seq }));
  const [failure] = checkGrammar(numbered);
  return failure ? [{ id, valid: false, requirement: failure.requirement!, events: numbered }] : [];
}
