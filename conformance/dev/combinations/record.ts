// What two loops have to agree on about one run, of everything that was observed of it.

import type { Observation } from "../../kit/observed/observation.ts";

/** What is compared, by the name of what it is about. */
export type RunRecord = Record<string, unknown>;

/** The words of an implementation about what went wrong, how long things took, and what each process names anew. */
const own = new Set(["message", "snapshot", "meta", "session_id", "kind", "tools", "opaque"]);

/** Reduces a run to what the text decides, whoever plays it. */
export function recordOf(seen: Observation): RunRecord {
  const { results, executions, requests, events, hooks, guardrails, instructions, toolsets, aborted, next } = seen;
  const last = results.at(-1);
  return {
    "how it ends": results.map(({ result }) => result?.status),
    result: comparable(last?.result),
    session: comparable(last?.session?.messages),
    tools: executions.map(({ id, name, input, context }) => ({ id, name, input, context })).sort(byId),
    requests: requests.map(({ body: _body, whole: _whole, ...request }) => comparable(request)),
    hooks: comparable(hooks),
    guardrails: comparable(guardrails),
    instructions: comparable(instructions),
    "evaluated tools": comparable(toolsets),
    aborted: [...aborted].sort(),
    events: comparable(countEvents(events.flat())),
    pending: comparable(results.map(({ result }) => result?.pending)),
    "next message": comparable(next.map(({ result }) => result?.status)),
    records: seen.journal && countRecords(seen.journal.records),
  };
}

/** How many records there are of each kind that the text counts; how many transitions a loop writes is its own affair. */
function countRecords(records: readonly { type: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of records) if (type !== "transition") counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

function byId(left: { id: string }, right: { id: string }): number {
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

/** How often each event came, with what it is about: tools that run at the same time may end in any order. */
function countEvents(events: readonly { type: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const event of events) {
    const { type, reason, outcome, code, status, limit } = event as Record<string, unknown> & { type: string };
    const name = [type, reason, outcome, code, status, limit].filter((part) => typeof part === "string").join(" ");
    counts[name] = (counts[name] ?? 0) + 1;
  }
  delete counts["message_delta"];
  return counts;
}

/** A value without what is the affair of each implementation, and with its keys in order. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const { outcome, tool_choice, synthetic, role } = value as Record<string, unknown>;
  const entries = Object.entries(value)
    .filter(([key, entry]) => !own.has(key) && !key.endsWith("_ms") && entry !== undefined)
    .filter(
      ([key]) =>
        !(key === "output" && (synthetic === true || outcome === "invalid_arguments" || outcome === "unknown_tool")),
    )
    .filter(
      ([key]) =>
        !(key === "content" && synthetic === true && role === "user") &&
        !(key === "tool_choice" && tool_choice === "auto"),
    )
    .map(([key, entry]) => [key, comparable(entry)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
