// Holds late results until `tool_end` is emitted: a tool that stops immediately may return before the loop emits it.

import type { EventBody, Ports } from "../core/ports.ts";

type Late = Extract<EventBody, { type: "tool_late_result" }>;

/** @see EVENT-8 EVENT-12 */
export function holdLateResults(emit: Ports["emit"]): Ports["emit"] {
  const running = new Set<string>();
  const late = new Map<string, Late>();
  return (event) => {
    if (event.type === "tool_late_result" && running.has(event.id)) return void late.set(event.id, event);
    if (event.type === "tool_start") running.add(event.id);
    emit(event);
    if (event.type !== "tool_end") return;
    running.delete(event.id);
    const kept = late.get(event.id);
    late.delete(event.id);
    if (kept) emit(kept);
  };
}
