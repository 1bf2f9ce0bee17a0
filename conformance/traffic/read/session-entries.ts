// A session or the events of a run as a conversation.

import type { LoopEvent, Session } from "../../../schemas/types.ts";
import { entryOf, errorEntry, usageText } from "./entries.ts";
import type { Entry } from "./entries.ts";

/** The messages of a session, with a heading where a new turn begins. */
export function sessionEntries({ messages }: Pick<Session, "messages">): Entry[] {
  let turn: number | undefined;
  return messages.flatMap((message) => {
    const meta = "meta" in message ? message.meta : undefined;
    if (meta?.turn === undefined || meta.turn === turn) return [entryOf(message)];
    turn = meta.turn;
    const heading: Entry = { kind: "heading", text: `turn ${turn}`, ...(meta.model && { aside: meta.model }) };
    return [heading, entryOf(message)];
  });
}

/** The events of a run; those of nested subagents are shown with the call that they answer. */
export function eventEntries(events: Iterable<LoopEvent>, within = ""): Entry[] {
  return [...events].flatMap((event) => eventEntry(event, within));
}

function eventEntry(event: LoopEvent, within: string): Entry[] {
  const note = (text: string, kind: Entry["kind"] = "note"): Entry[] => [{ kind, text: `${within}${text}` }];
  switch (event.type) {
    case "run_start":
      return note(`run of ${event.agent}`, "heading");
    case "turn_start":
      return note(`turn ${event.turn}${event.resumed ? ", resumed" : ""}`, "heading");
    case "message": {
      const entry = entryOf(event.message);
      return [within === "" ? entry : { ...entry, aside: [within.trim(), entry.aside ?? ""].join(" ").trim() }];
    }
    case "model_end": {
      const counted = usageText(event.usage);
      const ended = note([event.stop_reason, ...(counted ? [counted] : [])].join(" · "));
      return event.error ? [errorEntry(event.error), ...ended] : ended;
    }
    case "retry":
      return note(`again after ${event.error.kind}: ${event.error.message}`, "warning");
    case "fallback":
      return note(`${event.model} is asked instead, after ${event.error.kind}`, "warning");
    case "switch_model":
      return note(`from here on ${event.model} is asked`);
    case "handoff":
      return note(`${event.from} hands over to ${event.to ?? "no agent"}`);
    case "compaction":
      return note(`messages ${event.from} to ${event.to} became ${event.messages.length}: ${event.strategy}`);
    case "amendment":
      return note(`messages ${event.from} to ${event.to} were marked`);
    case "limit":
      return note(`limit ${event.limit}: ${event.status}`, "warning");
    case "warning":
      return note(`${event.code}: ${event.message}`, "warning");
    case "tool_late_result":
      return note(`${event.name} returned its result too late`, "warning");
    case "subagent_event":
      return eventEntry(event.event, `${within}${event.id} › `);
    case "run_end": {
      const { status, usage, error } = event.result;
      const counted = usageText(usage);
      const ended = note([`ended: ${status}`, ...(counted ? [counted] : [])].join(" · "), "heading");
      return error ? [errorEntry(error), ...ended] : ended;
    }
    default:
      return [];
  }
}
