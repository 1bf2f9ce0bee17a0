// What is known of a transition, in words that the table of reasons asks for; each with what it is about.

import type { LoopEvent, Message, Phase } from "../../../schemas/types.ts";
import type { Cut } from "./cut.ts";
import type { Known } from "./trace.ts";

/** Each word, such as `stop:tool_use` or `outcome:denied`, with what it holds for: the names of tools, a message. */
export type Facts = ReadonlyMap<string, readonly string[]>;

/**
 * @param next the transition after it, if there is one
 * @param known what is known at its end
 */
export function factsOf(cut: Cut, next: Cut | undefined, known: Known): Facts {
  const notes = new Notes();
  noteRun(notes, known);
  noteResponse(notes, known);
  if (cut.from === "deciding") noteAhead(notes, cut, next, known);
  for (const event of cut.events) noteEvent(notes, event, cut.from, known);
  if (overlaps(cut.events)) notes.add("overlap");
  if (cut.from === "turn_boundary" && known.messages.at(-1)?.type === "tool_result") notes.add("results");
  return notes.facts;
}

class Notes {
  readonly facts = new Map<string, string[]>();

  add(word: string, about?: string): void {
    const things = this.facts.get(word) ?? [];
    this.facts.set(word, about === undefined ? things : [...things, about]);
  }
}

function noteRun(notes: Notes, { trace: { options = {}, instructions }, tools }: Known): void {
  if (tools.length > 0) notes.add("tools");
  for (const [name, value] of Object.entries(options)) {
    notes.add(`option:${name}`);
    if (typeof value !== "object") notes.add(`option:${name}=${String(value)}`);
  }
  if (instructions !== undefined) notes.add("instructions");
}

function noteResponse(notes: Notes, { stop_reason, calls, response }: Known): void {
  if (stop_reason === undefined) return;
  notes.add(`stop:${stop_reason}`);
  notes.add(calls.length > 0 ? "calls" : "no calls");
  if (response.some((message) => "status" in message && message.status === "incomplete")) notes.add("incomplete");
  const hasOutput = response.some(
    ({ type, role }) => type === "tool_call" || (type === undefined && role === "assistant"),
  );
  if (!hasOutput) notes.add("empty");
  if (response.length > 0 && response.every(({ type }) => type === "thinking")) notes.add("only thinking");
}

/** What becomes of the calls was decided before it happens. */
function noteAhead(notes: Notes, { to }: Cut, next: Cut | undefined, { calls }: Known): void {
  if (to === "turn_boundary" && next?.to === "done") notes.add("last");
  if (to !== "executing") return;
  const later = next?.events ?? [];
  const started = new Set(later.flatMap((event) => (event.type === "tool_start" ? [event.id] : [])));
  const results = new Map(
    later.flatMap((event) =>
      event.type === "message" && event.message.type === "tool_result" ? [[event.message.id, event.message]] : [],
    ),
  );
  for (const { id, name, input } of calls) {
    const result = results.get(id);
    const { outcome = "ok" } = result ?? {};
    if (started.has(id) || (result && (outcome === "ok" || outcome === "error"))) notes.add("valid", name);
    else if (result) notes.add(`answer:${outcome}${input === null ? ":no object" : ""}`, name);
  }
}

function noteEvent(notes: Notes, event: LoopEvent, from: Phase, { calls }: Known): void {
  switch (event.type) {
    case "message":
      return noteMessage(
        notes,
        event.message,
        calls.find(({ id }) => "id" in event.message && id === event.message.id)?.name,
      );
    case "retry":
      notes.add("retry", event.error.kind);
      return notes.add(event.error.retry_after_ms === undefined ? "retry:own" : "retry:asked", `${event.wait_ms} ms`);
    case "fallback":
      return notes.add("fallback", event.model);
    case "warning":
      return notes.add(`warning:${event.code}`);
    case "compaction":
      return event.strategy === "shorten_results" ? notes.add("shortened") : notes.add("compacted", event.strategy);
    case "amendment":
      return notes.add("amended");
    case "switch_model":
      return notes.add("switch", event.model);
    case "handoff":
      return notes.add("handoff", event.to ?? "nobody");
    case "tool_start":
      return notes.add("started", event.name);
    case "subagent_event":
      return notes.add("subagent", event.name);
    case "run_end": {
      const { status, error, stop_condition, pending = [] } = event.result;
      notes.add(`status:${status}`, status);
      if (error) notes.add(`error:${error.kind}`, error.message);
      if (stop_condition !== undefined) notes.add(`condition:${stop_condition}`, stop_condition);
      if (from === "executing" && status === "stopped") notes.add("condition", stop_condition);
      for (const { why = "external", name } of pending) notes.add(`pending:${why}`, name);
    }
  }
}

function noteMessage(notes: Notes, message: Message, name = ""): void {
  if (message.type === "tool_result") {
    notes.add(`outcome:${message.outcome ?? "ok"}`, name);
    if (message.synthetic) notes.add("made up", name);
  } else if (message.type === undefined && message.role === "user") notes.add(message.synthetic ? "synthetic" : "said");
  else notes.add("response");
}

/** Whether a tool began while another one ran. */
function overlaps(events: readonly LoopEvent[]): boolean {
  let running = 0;
  return events.some(({ type }) => {
    if (type === "tool_start") running += 1;
    if (type === "tool_end") running -= 1;
    return running > 1;
  });
}
