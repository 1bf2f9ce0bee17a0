// Lets Anthropic's server keep the conversation: what a request on a message thread is, and what its answer leaves in the session.

import { isRecord } from "../shared/arguments.ts";
import { PROVIDER } from "./parts.ts";
import type { Block } from "./parts.ts";
import { digest } from "../shared/fingerprint.ts";
import type { Message, ModelResponse } from "../../../schemas/types.ts";

type Fields = Record<string, unknown>;

/** The conversation as the API has it. */
interface WireMessage {
  role: string;
  content: Block[];
}

/** What a response that the server keeps has in `opaque.thread` of its last message. */
interface Mark {
  /** The id under which the server keeps the conversation up to the response. */
  id: string;
  /** What the conversation was, so that another one does not go on from it. */
  digest: string;
}

/** How a request uses a thread: it goes on with one, it begins one, or neither. */
export type ThreadUse = "continue" | "create" | "none";

/** The header that makes the API know threads. */
export const threadHeader = { "anthropic-beta": "message-threads-2026-08-12" };

/** The errors after which the whole conversation is sent again. */
const lost = [
  "thread_not_found",
  "thread_already_continued",
  "thread_continue_in_flight",
  "thread_fingerprint_mismatch",
];

/**
 * The body of a request with `thread`. It has only what is new if the last response of the session is on the server, and nothing
 * before its end was changed since; else it has everything.
 * @see PROVIDER-33 PROVIDER-34 ANTHROPIC-26 ANTHROPIC-27
 */
export function onThread(body: Fields, session: Message[], model: string): Fields {
  const mark = lastMark(session, model);
  const end = endOfLastResponse(body);
  if (!mark || end === 0 || digestOf(body, end) !== mark.digest) return { ...body, thread: { type: "create" } };
  const { system: _system, tools: _tools, messages, ...kept } = body;
  const thread = { type: "continue", previous_message_id: mark.id };
  return { ...kept, messages: (messages as WireMessage[]).slice(end), thread };
}

/** How a body uses a thread. */
export function threadUse({ thread }: Fields): ThreadUse {
  if (!isRecord(thread)) return "none";
  return thread.type === "continue" ? "continue" : "create";
}

/** How the request has to be sent once more after this answer; nothing if it has not. @see PROVIDER-34 ANTHROPIC-28 */
export function nextUse(
  use: ThreadUse,
  { error, messages }: ModelResponse,
): Exclude<ThreadUse, "continue"> | undefined {
  if (use === "none" || error?.code === undefined || messages.length > 0) return undefined;
  if (error.code === "thread_unsupported_request") return "none";
  return use === "continue" && lost.includes(error.code) ? "create" : undefined;
}

/**
 * The answer with its place on the thread, so that a later request can go on from it, in another process too.
 * @param wholeWith renders the body of a request with the conversation up to the end of this answer
 */
export function withPlace(answer: ModelResponse, wholeWith: () => Fields): ModelResponse {
  const last = answer.messages.at(-1) as (Message & { opaque: Fields }) | undefined;
  if (!isRecord(last?.opaque?.thread)) return answer;
  const { thread, ...opaque } = last.opaque;
  const whole = wholeWith();
  const messages = whole.messages as WireMessage[];
  const isLast = answer.error === undefined && messages.at(-1)?.role === "assistant";
  const place = isLast && { thread: { ...(thread as object), digest: digestOf(whole, messages.length) } };
  const placed = { ...last, opaque: { ...opaque, ...place } } as Message;
  return { ...answer, messages: [...answer.messages.slice(0, -1), placed] };
}

/** The place of the session's last response, if this model made it on a thread. */
function lastMark(session: Message[], model: string): Mark | undefined {
  const last = session.findLast(({ role, type }) => role !== "user" && role !== "system" && type !== "tool_result");
  const { opaque } = (last ?? {}) as { opaque?: Fields };
  const isOwn = opaque?.provider === PROVIDER && opaque.model === model;
  return isOwn && isRecord(opaque.thread) ? (opaque.thread as unknown as Mark) : undefined;
}

function endOfLastResponse({ messages }: Fields): number {
  return (messages as WireMessage[]).findLastIndex(({ role }) => role === "assistant") + 1;
}

/** The blocks are those that the render cache keeps, so each is digested once. */
const digests = new WeakMap<Block, string>();

/** A digest of the first `count` messages, and of the fields that have to stay the same on a thread. */
function digestOf({ system, tools, output_config, thinking, messages }: Fields, count: number): string {
  const sent = (messages as WireMessage[])
    .slice(0, count)
    .map(({ role, content }) => [role, ...content.map((block) => digests.get(block) ?? digested(block))]);
  return digest(JSON.stringify([system, tools, output_config, thinking, sent]));
}

function digested(block: Block): string {
  const made = digest(JSON.stringify(block));
  digests.set(block, made);
  return made;
}
