// What a driver of level wire may say beside what is expected, or otherwise: words of its own, other ids, and fewer turns before an ending that it tells.

import { isDeepStrictEqual } from "node:util";
import type { Case, Message, Part } from "../../../schemas/types.ts";
import type { Observation } from "../observed/observation.ts";
import { label } from "../wire/shared/normal-form.ts";
import type { ProviderName } from "../wire/codec.ts";

type Expect = Case["expect"];

/**
 * The messages of a request, without those that the loop has added itself in the name of the user or of the system, and with the ids
 * that are expected where the model gave none, or one twice. What somebody has said is contained in what is sent; that nothing of it is
 * missing is for the comparison that follows.
 * @see LOOP-1 SESSION-9
 */
export function withoutOwnWords(
  expected: readonly Message[],
  received: readonly Message[],
  seen: Observation,
): Message[] {
  const kept: Message[] = [];
  for (const message of received) {
    const wanted = expected[kept.length];
    if (message.role !== "user" && message.role !== "system") kept.push(message);
    // What stands before a picture is compared part by part.
    else if (wanted?.role === message.role && hasMarks(wanted.content)) kept.push(message);
    else if (wanted?.role === message.role && isContained(wanted.content, message.content)) kept.push(wanted);
  }
  return hasDoubtfulIds(seen) ? underExpectedIds(expected, kept) : kept;
}

/** What of an expectation holds for a loop that is not the one of this spec. */
export function essentialPart(expect: Expect, seen: Observation): Expect {
  const { requests, wire, tools, request_count: count, ...rest } = expect;
  return {
    ...rest,
    ...(requests && {
      requests: endedEarly(seen) ? requests.slice(0, seen.requests.length).map(contained) : requests.map(contained),
    }),
    ...(wire && { wire }),
    ...(tools && { tools: endedEarly(seen) ? askedFor(tools, seen) : tools }),
    ...(count !== undefined && { request_count: endedEarly(seen) ? Math.min(count, seen.requests.length) : count }),
  };
}

/** The bodies as the case speaks of them: without a leading system text that is not its own. */
export function withoutOwnSystem(
  bodies: readonly unknown[],
  expected: readonly unknown[] | undefined,
  provider: ProviderName,
): unknown[] {
  const key = provider === "openai-responses" ? "input" : "messages";
  return bodies.map((body, at) => {
    const list = listOf(body, key);
    if (!list || provider === "anthropic-messages" || isSystem(listOf(expected?.[at], key)?.[0])) return body;
    return { ...(body as object), [key]: list.slice(list.findIndex((one) => !isSystem(one))) };
  });
}

/** The run ended before the script did, and reported to its caller that it came to nothing. */
function endedEarly({ ended }: Observation): boolean {
  return ended !== undefined && ended !== "completed";
}

/** A request that has these messages, whatever the loop says between them. */
function contained(request: unknown): unknown {
  const { messages, system, ...rest } = request as { messages?: unknown; system?: unknown };
  return {
    ...rest,
    ...(Array.isArray(messages) && { messages: { $contains: messages } }),
    ...(typeof system === "string" && { system: { $contains: system } }),
  };
}

/** The executions that are expected of the calls which the model has made until the end. */
function askedFor(tools: readonly unknown[], seen: Observation): unknown[] {
  const open = seen.expected.calls.map(({ message }) => message.name);
  return tools.filter((tool) => {
    const at = open.indexOf(typeof tool === "string" ? tool : String((tool as { name?: unknown }).name));
    if (at >= 0) open.splice(at, 1);
    return at >= 0;
  });
}

function hasMarks(content: string | readonly Part[]): boolean {
  return typeof content !== "string" && content.some((part) => isDeepStrictEqual(part, label));
}

function isContained(wanted: string | readonly Part[], received: string | readonly Part[]): boolean {
  if (isDeepStrictEqual(wanted, received)) return true;
  const parts = partsOf(received);
  return partsOf(wanted).every((part) =>
    parts.some((one) =>
      part.type === "text" ? one.type === "text" && one.text.includes(part.text) : isDeepStrictEqual(one, part),
    ),
  );
}

function partsOf(content: string | readonly Part[]): readonly Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** Whether the model gave a call no id, or two calls one: then the loop makes ids, and nobody says which. */
function hasDoubtfulIds({ answers }: Observation): boolean {
  const ids = answers.flatMap(({ messages }) => messages.flatMap((one) => (one.type === "tool_call" ? [one.id] : [])));
  return ids.includes("") || new Set(ids).size < ids.length;
}

/** Ids that are used as the expected ones are, under these; others stay, and differ. */
function underExpectedIds(expected: readonly Message[], received: readonly Message[]): Message[] {
  const expectedFor = new Map<string, string>();
  for (const [at, message] of received.entries()) {
    const wanted = expected[at];
    if (message.type !== "tool_call" || wanted?.type !== "tool_call") continue;
    if (expectedFor.has(message.id)) return [...received];
    expectedFor.set(message.id, wanted.id);
  }
  return received.map((message) =>
    message.type === "tool_call" || message.type === "tool_result"
      ? { ...message, id: expectedFor.get(message.id) ?? message.id }
      : message,
  );
}

function listOf(body: unknown, key: string): unknown[] | undefined {
  const list = (body as Record<string, unknown> | undefined)?.[key];
  return Array.isArray(list) ? list : undefined;
}

function isSystem(message: unknown): boolean {
  const { role } = (message ?? {}) as { role?: unknown };
  return role === "system" || role === "developer";
}
