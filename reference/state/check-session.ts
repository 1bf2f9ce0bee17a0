// What makes a session valid: pairing, contiguity, and an ending that a run can start on.

import { isIncomplete, isType, SPEC_VERSION } from "../core/session.ts";
import type { Message, Session } from "../../schemas/types.ts";

/** One violation of the spec. `pointer` is a JSON Pointer into the session. */
export interface SessionProblem {
  requirement: string;
  pointer: string;
  message: string;
}

/**
 * Checks the rules that a schema cannot: every call answered once, results contiguous and in call order, ids unique,
 * and, with `toStart`, an ending that a run can start on.
 * @see SESSION-6 SESSION-7 SESSION-9 SESSION-15 SESSION-21 SESSION-32
 */
export function checkSession(session: Session, { toStart = false } = {}): SessionProblem[] {
  const problems: SessionProblem[] = [];
  const report = (requirement: string, index: number, message: string) =>
    problems.push({ requirement, pointer: `/messages/${index}`, message });
  if (majorOf(session.spec_version) !== majorOf(SPEC_VERSION)) {
    const message = `The session has version ${session.spec_version}, but only ${majorOf(SPEC_VERSION)}.x can be read`;
    problems.push({ requirement: "SESSION-21", pointer: "/spec_version", message });
  }
  const ids = new Set<string>();
  let open: string[] = []; // ids of the response's calls that have no result yet, in call order
  let answering = false;

  session.messages.forEach((message, index) => {
    if (isType(message, "tool_result")) {
      answering = true;
      if (open[0] === message.id) open.shift();
      else if (open.includes(message.id)) {
        report("SESSION-7", index, `The result of ${message.id} stands before the result of ${open[0]}`);
        open = open.filter((id) => id !== message.id);
      } else report("SESSION-6", index, `The result of ${message.id} answers no open call`);
      return;
    }
    if (open.length > 0 && (answering || !isOfResponse(message))) {
      report("SESSION-6", index, `The calls ${open.join(", ")} have no result before this message`);
      open = [];
    }
    answering = false;
    if (isType(message, "tool_call")) {
      if (ids.has(message.id)) report("SESSION-9", index, `The id ${message.id} is used twice`);
      ids.add(message.id);
      open.push(message.id);
    }
  });
  const last = session.messages.length - 1;
  if (open.length > 0) report("SESSION-6", last, `The session ends before the calls ${open.join(", ")} have a result`);
  if (toStart && problems.length === 0) {
    const end = session.messages.findLast((message) => !isIncomplete(message));
    const index = Math.max(last, 0);
    if (!canStartOn(end))
      report("SESSION-15", index, "A run starts on a user message or a tool result, but the session ends otherwise");
    else if (isBlank(end)) report("SESSION-32", index, "The last message of the user says nothing");
  }
  return problems;
}

export function majorOf(version: string): string | undefined {
  return version.split(".")[0];
}

/** Thinking, text, calls and provider items make up a response. */
export function isOfResponse(message: Message): boolean {
  if ("role" in message) return message.role === "assistant";
  return message.type === "thinking" || message.type === "tool_call" || message.type === "provider_item";
}

function canStartOn(message: Message | undefined): boolean {
  return message !== undefined && (("role" in message && message.role === "user") || isType(message, "tool_result"));
}

/** Whether a user message has neither a part nor anything but white space. */
function isBlank(message: Message | undefined): boolean {
  if (message?.role !== "user") return false;
  const { content } = message;
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.every((part) => part.type === "text" && String(part.text).trim() === "");
}
