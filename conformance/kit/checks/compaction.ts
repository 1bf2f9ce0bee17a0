// Checks compacted messages against the originals: which may be missing, and which may be shorter.

import type { Failure, Message, Part, ThinkingMessage, ToolResultMessage } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { Observation } from "../observed/observation.ts";

/** What is known of the compaction of a run. */
export interface Compaction {
  /** The ids of the calls that did not succeed; not every wire marks it on a result. */
  failed: ReadonlySet<string>;
  /** False on a wire, where no marks are sent. */
  hasMarks: boolean;
  /** Nothing is left out, only shortened. */
  onlyShortens: boolean;
  /** Whether the loop itself said a message that no mark tells from those of a person. */
  isOwn?(message: Message): boolean;
  /** The latest user message that a person wrote, where marks say which that is. */
  latest?: Message;
  /** The most characters of a result; absent: results are not shortened. */
  maxChars?: number;
}

/** A message, or a part of a user message: where user messages are joined, only their parts can be distinguished. */
type Piece = { message: Message; part?: Part };

/** What the case asks for, or undefined if nothing may be compacted. @param whole everything that was said */
export function compactionOf(seen: Observation, whole: readonly Message[], hasMarks: boolean): Compaction | undefined {
  const { compaction } = seen.filled.case.given.options ?? {};
  if (!compaction) return undefined;
  const { strategy, max_result_chars: most = 50_000 } = compaction;
  const failed = new Set(whole.flatMap((message) => (isFailed(message) ? [message.id] : [])));
  const isOwn = (message: Message) => seen.expected.isOwn(message);
  return { failed, hasMarks, isOwn, onlyShortens: strategy !== "summarize", ...(most !== null && { maxChars: most }) };
}

/**
 * The first thing that no compaction of `whole` can have made; empty if one can.
 * @param where says in front of the message what was compared
 */
export function checkCompacted(
  whole: readonly Message[],
  received: readonly Message[],
  where: string,
  known: Compaction,
): Failure[] {
  const problem = problemOf(piecesOf(whole), piecesOf(received), known);
  if (!problem) return [];
  const [requirement, message, seen] = problem;
  return [breach(requirement, `${where}: ${message}`, seen)];
}

/** Whether `later` begins with everything that is in `earlier`. */
export function goesOn(earlier: readonly Message[], later: readonly Message[]): boolean {
  const [before, after] = [piecesOf(earlier), piecesOf(later)];
  return before.every((piece, at) => isSame(piece, after[at]));
}

type Problem = [requirement: string, message: string, seen: { expected?: unknown; received?: unknown }];

function problemOf(whole: Piece[], received: Piece[], known: Compaction): Problem | undefined {
  const first = whole.findIndex(({ message }) => message.role === "user");
  const head = whole.findLastIndex(({ message }) => message === whole[first]?.message) + 1;
  const last = startOfLastResponse(whole);
  const tail = whole.length - last;
  const end = received.length - tail;
  for (let at = 0; at < head; at += 1)
    if (!isSame(whole[at]!, received[at]))
      return ["COMPACT-5", "the first user request is missing or was changed", shown(whole[at], received[at])];
  if (last < head || end < head)
    return ["COMPACT-6", "the last response is missing", shown(whole[last], received[head])];
  for (let at = 0; at < tail; at += 1) {
    const [wanted, actual] = [whole[last + at]!, received[end + at]!];
    if (isSame(wanted, actual) || isShorterResult(wanted, actual, known)) continue;
    return ["COMPACT-6", "the last response, or what follows it, was changed", shown(wanted, actual)];
  }
  const isAsked = (piece: Piece) => isOfPerson(piece) && !known.isOwn?.(piece.message);
  const latest = known.hasMarks ? whole.findLast(isAsked)?.message : undefined;
  return problemBetween(whole.slice(head, last), received.slice(head, end), { ...known, ...(latest && { latest }) });
}

function problemBetween(whole: Piece[], received: Piece[], known: Compaction): Problem | undefined {
  let next = 0;
  for (const actual of received) {
    const same = whole.findIndex((wanted, at) => at >= next && isSame(wanted, actual));
    const at = same >= 0 ? same : whole.findIndex((wanted, index) => index >= next && isShorter(wanted, actual, known));
    if (at < 0 && actual.message.role === "user" && !known.onlyShortens) {
      const { synthetic, compacted } = actual.message;
      if (known.hasMarks && (synthetic !== true || compacted !== true))
        return [
          "COMPACT-11",
          "the replacement of other messages is not marked",
          shown({ message: { role: "user", content: "(a summary)", synthetic: true, compacted: true } }, actual),
        ];
      continue;
    }
    if (at < 0) return unknownProblem(whole, actual);
    if (known.hasMarks && same < 0 && (actual.message as { compacted?: unknown }).compacted !== true)
      return ["COMPACT-11", "a shortened message is not marked", shown(undefined, actual)];
    const problem = lossProblem(whole.slice(next, at), known);
    if (problem) return problem;
    next = at + 1;
  }
  return lossProblem(whole.slice(next), known);
}

/** Something that was not said, nor is a shorter form of it. */
function unknownProblem(whole: Piece[], actual: Piece): Problem {
  const { message } = actual;
  const wanted = whole.find(
    (one) =>
      "id" in message && one.message.type === message.type && (one.message as { id?: unknown }).id === message.id,
  );
  const seen = shown(wanted, actual);
  if (message.type === "thinking") return ["COMPACT-8", "thinking was changed instead of being kept or dropped", seen];
  if (message.type === "tool_call")
    return ["COMPACT-10", "a call is neither the original nor a shortened form of it", seen];
  if (message.type === "tool_result")
    return [
      isFailed(wanted?.message) ? "COMPACT-9" : "COMPACT-18",
      "a result is neither the original nor a shortened form of it",
      seen,
    ];
  return ["LOOP-1", "a message is not part of the session", seen];
}

function lossProblem(lost: Piece[], { failed, onlyShortens, latest }: Compaction): Problem | undefined {
  const request = latest && lost.find(({ message }) => message === latest);
  if (request)
    return ["COMPACT-26", "the latest user message that a person wrote is missing", shown(request, undefined)];
  const error = lost.find(({ message }) => message.type === "tool_result" && failed.has(message.id as string));
  if (error) return ["COMPACT-9", "the result of a failed call is missing", shown(error, undefined)];
  const system = lost.find(({ message }) => message.role === "system");
  if (system) return ["COMPACT-5", "a system message is missing", shown(system, undefined)];
  return onlyShortens && lost[0] ? ["COMPACT-13", "a message is missing", shown(lost[0], undefined)] : undefined;
}

function isShorter(wanted: Piece, actual: Piece, known: Compaction): boolean {
  const [one, other] = [wanted.message, actual.message];
  if (one.type === "thinking" && other.type === "thinking")
    return (
      ![one, other].some((thought) => isSealed(thought as ThinkingMessage)) &&
      isPrefix(other.content as string, one.content as string)
    );
  if (one.type === "tool_call" && other.type === "tool_call") {
    const { _compacted, preview, ...more } = (other.input ?? {}) as Record<string, unknown>;
    const isShort = _compacted === true && typeof preview === "string" && Object.keys(more).length === 0;
    return isShort && one.id === other.id && one.name === other.name && JSON.stringify(one.input).length > 200;
  }
  return isShorterResult(wanted, actual, known);
}

/** Whether a result of a tool that succeeded stands there shortened. @see COMPACT-18 */
export function isShortened(whole: ToolResultMessage, actual: ToolResultMessage, seen: Observation): boolean {
  const known = compactionOf(seen, [whole], true);
  return known !== undefined && isShorterResult({ message: whole }, { message: actual }, known);
}

function isShorterResult(
  { message: one }: Piece,
  { message: other }: Piece,
  { failed, maxChars }: Compaction,
): boolean {
  if (one.type !== "tool_result" || other.type !== "tool_result" || one.id !== other.id) return false;
  if (maxChars === undefined || failed.has(one.id as string)) return false;
  const [before, after] = [one as ToolResultMessage, other as ToolResultMessage];
  const isMedia = ({ type }: Part) => type !== "text";
  const sameMedia =
    matchData(partsOf(before.output).filter(isMedia), partsOf(after.output).filter(isMedia)).length === 0;
  // A loop counts characters as its language does: the most that they can be before, and the fewest that they can be after.
  const [most, fewest] = [textOf(before).length, [...textOf(after)].length];
  return sameMedia && most > maxChars && fewest <= maxChars && fewest > 0;
}

/** Whether a text is the beginning of another one, with or without a sign that something was left out. */
function isPrefix(text: string, whole: string): boolean {
  return text.length < whole.length && text.length > 0 && whole.startsWith(text.slice(0, 50));
}

function isSame({ message, part }: Piece, actual: Piece | undefined): boolean {
  if (!actual || (part === undefined) !== (actual.part === undefined)) return false;
  return matchData(part ?? message, actual.part ?? actual.message).length === 0;
}

function startOfLastResponse(pieces: Piece[]): number {
  const end = pieces.findLastIndex(isAssistant);
  return pieces.findLastIndex((piece, at) => at <= end && !isAssistant(piece)) + 1;
}

/** Whether the model said it. */
function isAssistant({ message: { role, type } }: Piece): boolean {
  return role === "assistant" || type === "thinking" || type === "tool_call" || type === "provider_item";
}

/** Whether a person wrote it for the model, by its marks. */
function isOfPerson({ message }: Piece): boolean {
  const { role, synthetic, compacted } = message as { role?: unknown; synthetic?: unknown; compacted?: unknown };
  return role === "user" && synthetic !== true && compacted !== true;
}

function isFailed(message: Message | undefined): message is ToolResultMessage {
  if (message?.type !== "tool_result") return false;
  return message.is_error === true || ((message.outcome as string | undefined) ?? "ok") !== "ok";
}

function isSealed({ opaque }: ThinkingMessage): boolean {
  return Object.keys(opaque ?? {}).some((key) => key !== "provider" && key !== "model");
}

function piecesOf(messages: readonly Message[]): Piece[] {
  return messages.flatMap((message): Piece[] =>
    message.role === "user"
      ? partsOf(message.content as string | Part[]).map((part) => ({ message, part }))
      : [{ message }],
  );
}

function partsOf(content: string | Part[]): Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function textOf({ output }: ToolResultMessage): string {
  return partsOf(output)
    .map((part) => (part.type === "text" ? String(part.text) : ""))
    .join("");
}

function shown(wanted: Piece | undefined, actual: Piece | undefined): Problem[2] {
  return {
    ...(wanted && { expected: wanted.part ?? wanted.message }),
    ...(actual && { received: actual.part ?? actual.message }),
  };
}
