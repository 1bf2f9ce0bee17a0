// Strategy summarize: replaces everything between the task and the last turns by a summary from the model.

import { isIncomplete, isType } from "../../core/session.ts";
import { isOfResponse } from "../../state/check-session.ts";
import type { Message, Part } from "../../../schemas/types.ts";
import { firstUser, isCompacted, isError, latestAsked, responsesOf } from "./responses.ts";
import type { CompactionStrategy } from "./strategy.ts";

const INSTRUCTIONS = `You are given the middle part of a conversation between a user and an assistant that uses tools.
Write a summary from which the assistant can go on without that part. Keep: what the user asked for and decided, what was done
and found out, names, paths, numbers and identifiers exactly as they stand there, errors and how they were dealt with, and what
is still to be done. Answer with the summary only.`;

const HEADING = "Summary of what was said and done before:";

/** @see COMPACT-14 COMPACT-15 */
export const summarize: CompactionStrategy = {
  name: "summarize",
  async compact({ messages, keepFrom, options, ask }) {
    const from = firstUser(messages) + 1;
    const old = messages.slice(from, keepFrom);
    const kept = keptOf(old, latestAsked(messages));
    const lost = old.filter((message) => !kept.includes(message));
    if (lost.every((message) => isCompacted(message) && message.role === "user")) return undefined; // nothing new to summarize
    const summary = await ask([
      { role: "system", content: options.instructions ?? INSTRUCTIONS },
      { role: "user", content: transcriptOf(messages.slice(0, from), old) },
    ]);
    const note: Message = { role: "user", content: `${HEADING}\n\n${summary}`, synthetic: true, compacted: true };
    return { from, to: keepFrom, messages: [note, ...kept] };
  },
};

/**
 * What must not be summarized: what was asked last, instructions, unknown messages, and responses with a failed call.
 * @see COMPACT-14 COMPACT-26
 */
function keptOf(old: readonly Message[], asked: Message | undefined): Message[] {
  const ranges = responsesOf(old);
  const inFailed = new Set(
    ranges
      .map(({ start, end }) => old.slice(start, end))
      .filter((response) => response.some(isError))
      .flat(),
  );
  return old.filter((message) => message === asked || inFailed.has(message) || !canSummarize(message));
}

/** Whether a summary can stand for the message. */
function canSummarize(message: Message): boolean {
  return message.role === "user" || isOfResponse(message) || isType(message, "tool_result");
}

/** The conversation as text, so that the provider's rules about calls and results do not apply. */
function transcriptOf(task: readonly Message[], old: readonly Message[]): string {
  const input = task.filter(({ role }) => role === "user").map(lineOf);
  const lines = old.filter((message) => !isIncomplete(message)).map(lineOf);
  return `The conversation began with:\n\n${input.join("\n\n")}\n\nThe part to be summarized:\n\n${lines.join("\n\n")}`;
}

function lineOf(message: Message): string {
  if (message.type === "thinking") return `[assistant thought] ${message.content as string}`;
  if (isType(message, "tool_call")) return `[assistant called ${message.name}] ${JSON.stringify(message.input)}`;
  if (isType(message, "tool_result"))
    return `[${message.is_error ? "the call failed" : "result"}] ${textOf(message.output)}`;
  if (message.role !== undefined) return `[${message.role as string}] ${textOf(message.content as string | Part[])}`;
  return `[${String(message.type)}] ${JSON.stringify(message)}`;
}

function textOf(content: string | Part[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
}
