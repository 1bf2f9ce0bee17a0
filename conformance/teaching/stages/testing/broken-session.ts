// Whether a session can be continued, as stage 14 says it.

import type { Message, Part } from "../../../../schemas/types.ts";

/** It does not end where a run may begin, or its calls and results do not belong together. */
export function isBroken(messages: readonly Message[]): boolean {
  const last = messages.findLast((message) => (message as { status?: unknown }).status !== "incomplete");
  if (last?.role !== "user" && last?.type !== "tool_result") return true;
  if (last.role === "user" && isBlank(last.content)) return true;
  const open: string[] = [];
  const ids = new Set<string>();
  let before: Message | undefined;
  for (const message of messages) {
    const isOfResponse =
      message.role === "assistant" || /^(thinking|tool_call|provider_item)$/.test(message.type ?? "");
    if (message.type === "tool_result") {
      if (open.shift() !== message.id) return true;
    } else if (open.length > 0 && (!isOfResponse || before?.type === "tool_result")) return true;
    if (message.type === "tool_call") {
      if (ids.has(message.id)) return true;
      ids.add(message.id);
      open.push(message.id);
    }
    before = message;
  }
  return open.length > 0;
}

function isBlank(content: string | readonly Part[]): boolean {
  if (typeof content === "string") return content.trim() === "";
  return content.every((part) => part.type === "text" && part.text.trim() === "");
}
