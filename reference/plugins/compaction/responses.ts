// Finds the responses of a session, and classifies its messages for compaction.

import { isIncomplete, isType } from "../../core/session.ts";
import { isOfResponse } from "../../state/check-session.ts";
import type { Message, ThinkingMessage, ToolResultMessage } from "../../../schemas/types.ts";

/** A response with its results: `messages[start:end]`. */
export interface ResponseRange {
  start: number;
  end: number;
}

/** The responses, each with its results, oldest first; those that were broken off, too: what stands behind one is another. */
export function responsesOf(messages: readonly Message[]): ResponseRange[] {
  const found: ResponseRange[] = [];
  for (const [at, message] of messages.entries()) {
    const before = messages[at - 1];
    const goesOn = before !== undefined && isOfResponse(before) && isIncomplete(before) === isIncomplete(message);
    const last = found.at(-1);
    if (isOfResponse(message) && !goesOn) found.push({ start: at, end: at + 1 });
    else if (last && last.end === at && (isOfResponse(message) || isType(message, "tool_result"))) last.end = at + 1;
  }
  return found;
}

/** Index of the first message of the last `count` responses that are sent; 0 if there are fewer. @see COMPACT-34 */
export function startOfLast(messages: readonly Message[], count: number): number {
  const sent = responsesOf(messages).filter(({ start }) => !isIncomplete(messages[start]!));
  return sent.at(-count)?.start ?? 0;
}

/** Index of the first user message; the number of messages if there is none. */
export function firstUser(messages: readonly Message[]): number {
  const at = messages.findIndex((message) => message.role === "user");
  return at < 0 ? messages.length : at;
}

/** The latest user message that a person wrote, if there is one. @see COMPACT-26 */
export function latestAsked(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message) => message.role === "user" && !isMadeUp(message));
}

/** Whether no model and no person wrote the message. */
function isMadeUp(message: Message): boolean {
  return isCompacted(message) || ("synthetic" in message && message.synthetic === true);
}

/** Whether a call did not succeed: errors must stay readable. @see COMPACT-9 */
export function isError(message: Message): message is ToolResultMessage {
  return isType(message, "tool_result") && (message.is_error === true || (message.outcome ?? "ok") !== "ok");
}

/** Whether a provider would detect a change: the thinking has opaque data besides its provider and model. @see COMPACT-8 */
export function isSealed({ opaque }: ThinkingMessage): boolean {
  return Object.keys(opaque ?? {}).some((key) => key !== "provider" && key !== "model");
}

/** Whether the message is shortened, or replaces others. */
export function isCompacted(message: Message): boolean {
  return "compacted" in message && message.compacted === true;
}
