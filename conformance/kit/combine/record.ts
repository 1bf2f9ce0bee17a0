// Reduces a run to what the text decides: what two loops have to agree on, whichever program plays it.

import type { Observation } from "../observed/observation.ts";
import { long, withoutOwnWords } from "./own-words.ts";

/** What is compared of a run, by what it is about. */
export type RunRecord = Record<string, unknown>;

/** What each implementation says in words of its own, names anew, or may leave out. */
const own = new Set([
  "before_tokens",
  "after_tokens",
  "message",
  "snapshot",
  "meta",
  "session_id",
  "kind",
  "tools",
  "opaque",
  "failed",
  "provider",
  "still_running",
]);

/** What is compared of a run that was observed. */
export function recordOf(observation: Observation): RunRecord {
  const given = JSON.stringify(observation.filled.case);
  const seen = underSameIds(observation, given);
  const { results, executions, requests, events, hooks, guardrails, instructions, toolsets, next, journal } = seen;
  const last = results.at(-1);
  const isOnTheWire = seen.variant.seam !== "generic";
  return {
    statuses: results.map(({ result }) => result?.status),
    result: comparable(last?.result),
    session: comparable(last?.session?.messages),
    pending: comparable(results.map(({ result }) => result?.pending)),
    // Tools that may overlap begin in any order.
    executions: comparable(executions.map(({ id, name, input, context }) => ({ id, name, input, context })).sort(byId)),
    // What a summary is asked for in is the affair of each loop.
    requests: requests.map(({ body: _body, whole: _whole, summary, ...asked }) =>
      summary ? "a summary" : comparable(isOnTheWire ? withoutOwnWords(asked, given) : asked),
    ),
    ...(isOnTheWire && {
      sent: requests.map(({ body, summary }) => (summary ? "a summary" : withoutOwnWords(body, given))),
    }),
    hooks: askedOf(hooks),
    guardrails: askedOf(guardrails),
    instructions: comparable(instructions),
    toolsets: comparable(
      toolsets.map(({ tools, ...evaluated }) => ({ ...evaluated, made: tools.map(({ name }) => name) })),
    ),
    aborted: [...seen.aborted].sort(),
    // Which of them came before its process was ended is chance.
    ...(!journal?.ended && { events: countEvents(events.flat()) }),
    next: next.map(({ result }) => result?.status),
    ...(journal && { records: countRecords(journal.records) }),
  };
}

/** What is read of an observation, with the ids that the loop has made numbered in the order in which they came. */
function underSameIds(observation: Observation, given: string): Observation {
  const { results, executions, requests, events, hooks, guardrails, aborted } = observation;
  const messages = [
    ...(results.at(-1)?.session?.messages ?? []),
    ...requests.flatMap((request) => request.messages),
  ] as { type?: string; id?: string }[];
  const ids = [
    ...messages.flatMap(({ type, id }) => (type === "tool_call" ? id! : [])),
    ...executions.map(({ id }) => id),
  ];
  const made = new Set(ids.filter((id) => !given.includes(JSON.stringify(id))));
  if (made.size === 0) return observation;
  const names = new Map([...made].map((id, at) => [id, `made ${at + 1}`]));
  const renamed = rename({ results, executions, requests, events, hooks, guardrails, aborted }, names);
  return { ...observation, ...renamed };
}

/** A value in which each text that is one of the keys is replaced. */
function rename<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  if (typeof value === "string") return (names.get(value) ?? value) as Value;
  if (Array.isArray(value)) return value.map((entry) => rename(entry, names)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, rename(entry, names)])) as Value;
}

/** What hooks or guardrails were asked, in order; about calls that may overlap, in the order of their ids. */
function askedOf(asked: readonly { call?: { id: string } }[]): unknown {
  const aboutCalls = asked.flatMap((one) => (one.call ? [{ id: one.call.id, ...one }] : [])).sort(byId);
  return comparable([...asked.filter(({ call }) => !call), ...aboutCalls]);
}

function byId(left: { id: string }, right: { id: string }): number {
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

/** How often each event came, with what it says in names: of tools that run at the same time any may end first. */
function countEvents(events: readonly { type: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const event of events) {
    const { type, reason, outcome, code, status, limit } = event as Record<string, unknown> & { type: string };
    // In how many pieces a text is reported is the affair of each loop.
    if (type === "message_delta") continue;
    const name = [type, reason, outcome, code, status, limit].filter((part) => typeof part === "string").join(" ");
    // A loop may say once what concerns several parts of a message.
    counts[name] = type === "warning" ? 1 : (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** How many records there are of each kind but transitions, of which a loop writes as many as it likes. */
function countRecords(records: readonly { type: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of records) if (type !== "transition") counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** A value without what is the affair of each implementation. */
function comparable(value: unknown): unknown {
  if (typeof value === "string" && value.length > long) return value.split(" ", 1)[0];
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const whole = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(whole)
      .filter(([key, entry]) => entry !== undefined && !own.has(key) && !key.endsWith("_ms"))
      .filter(([key]) => !isOwnWord(key, whole))
      .map(([key, entry]) => [key, comparable(entry)]),
  );
}

/** What a loop says in the place of a tool or a user, and what it may leave out because it is the default. */
function isOwnWord(key: string, { outcome, synthetic, role, tool_choice: choice }: Record<string, unknown>): boolean {
  if (key === "output") return synthetic === true || outcome === "invalid_arguments" || outcome === "unknown_tool";
  if (key === "content") return synthetic === true && role === "user";
  return key === "tool_choice" && choice === "auto";
}
