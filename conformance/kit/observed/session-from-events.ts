// Rebuilds the session of a run from its events.

import type { LoopEvent, Session } from "../../../schemas/types.ts";

/**
 * The session after a run: the one that it began with, the messages of all its `message` events, in order, and what its
 * `compaction` and `amendment` events put in place of others. For a run that was resumed, `events` are those of the run and of each resume, one
 * after another. Changes neither.
 * @see EVENT-10 COMPACT-21 GUARDRAIL-15
 */
export function rebuildSession(before: Session, events: Iterable<LoopEvent>): Session {
  const messages = [...before.messages];
  for (const event of events) {
    if (event.type === "message") messages.push(event.message);
    if (event.type === "compaction" || event.type === "amendment")
      messages.splice(event.from, event.to - event.from, ...event.messages);
  }
  return { ...before, messages };
}
