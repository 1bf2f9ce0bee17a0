// Reads a file that can be shown, and detects its type.

import type { Fixture, LoopEvent, Session, Snapshot } from "../../../schemas/types.ts";
import { describeProblems, validate } from "../../kit/base/validate.ts";
import type { SchemaType } from "../../kit/base/validate.ts";
import { parseJson, readText } from "../../kit/base/read-json.ts";
import type { Shown } from "./shown.ts";
import { UsageError } from "../../kit/base/usage-error.ts";
import { isExtensionEvent, readEvents } from "../../files/events.ts";

/** What a file holds. @throws UsageError for everything that cannot be shown */
export function readShown(file: string): Shown {
  const text = readText(file);
  const events = readEvents(file, text, false);
  if (events) {
    const known = events.filter(({ value }) => !isExtensionEvent(value));
    const values = known.map(({ value, place }) => checked("Event", value, `${file}${place}`));
    return { type: "Event", value: values as LoopEvent[] };
  }
  const value = parseJson(file, text);
  const keys = new Set(typeof value === "object" && value !== null ? Object.keys(value) : []);
  if (keys.has("exchanges")) return { type: "Fixture", value: checked("Fixture", value, file) as Fixture };
  if (keys.has("phase")) return { type: "Snapshot", value: checked("Snapshot", value, file) as Snapshot };
  if (keys.has("messages")) return { type: "Session", value: checked("Session", value, file) as Session };
  throw new UsageError(`${file}: expected a fixture, a session, a snapshot or events, one JSON value per line`);
}

function checked(type: SchemaType, value: unknown, where: string): unknown {
  const problems = validate(type, value);
  if (problems.length === 0) return value;
  throw new UsageError(`${where} looks like a ${type.toLowerCase()}, but is none:\n${describeProblems(problems)}`);
}
