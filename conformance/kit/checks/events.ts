// Checks the events of a run against their grammar and against everything else observed of the run.

import type { Failure, LoopEvent, Message, ToolCallMessage } from "../../../schemas/types.ts";
import { goesOn } from "./compaction.ts";
import { checkGrammar } from "./event-grammar.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import { wellFormed } from "../base/well-formed.ts";
import { isMcpTool } from "../suite/mcp-tools.ts";
import type { Observation } from "../observed/observation.ts";
import { rebuildSession } from "../observed/session-from-events.ts";
import { isAgentTool } from "../observed/subruns.ts";
import { isStreamedVariant, reports } from "../suite/variant.ts";

/** Everything that is wrong with the events of a finished run. */
export function checkEvents(seen: Observation): Failure[] {
  const { features = [] } = seen.driver;
  const grammar = seen.events.flatMap((events) => checkGrammar(events, { features }));
  if (grammar.length > 0) return grammar;
  // What a process said that has ended is not whole.
  if (seen.journal?.ended) return checkRunEnd(seen);
  return [
    ...checkRebuilds(seen),
    ...checkRunEnd(seen),
    ...checkToolEvents(seen),
    ...checkProgress(seen),
    ...checkStreamed(seen),
    ...checkAttempts(seen),
    ...checkHandoffs(seen),
    ...checkChanges(seen),
  ];
}

/** @see EVENT-10 */
function checkRebuilds(seen: Observation): Failure[] {
  const session = seen.results.at(-1)?.session;
  if (!session) return [];
  const before = { ...session, messages: wellFormed(seen.filled.case.given.messages) };
  const rebuilt = rebuildSession(before, seen.events.flat());
  return matchData(session.messages, rebuilt.messages, "", true)
    .slice(0, 3)
    .map(({ path, expected, received, message }) =>
      breach("EVENT-10", `the message events do not rebuild the session: /messages${path} ${message}`, {
        path: `/messages${path}`,
        expected,
        received,
      }),
    );
}

/** @see EVENT-11 */
function checkRunEnd(seen: Observation): Failure[] {
  if (!reports(seen.driver, "result")) return [];
  return seen.events.flatMap((events, index) => {
    const end = events.at(-1);
    const result = seen.results[index]?.result;
    if (end?.type !== "run_end" || !result) return [];
    const { snapshot: _, ...expected } = result;
    return matchData(expected, end.result, "", true)
      .slice(0, 3)
      .map(({ path, expected: wanted, received, message }) =>
        breach("EVENT-11", `run_end has a result that differs from the run's: ${path} ${message}`, {
          path,
          expected: wanted,
          received,
        }),
      );
  });
}

/** @see EVENT-9 */
function checkToolEvents(seen: Observation): Failure[] {
  const started = seen.events
    .flat()
    .flatMap((event) => (event.type === "tool_start" ? [{ id: event.id, name: event.name, input: event.input }] : []))
    .filter(({ name }) => !isAgentTool(seen, name) && !isMcpTool(seen.filled.case.given, name));
  const executed = seen.executions.map(({ id, name, input }) => ({ id, name, input }));
  const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
  const differing = matchData(executed.sort(byId), started.sort(byId), "", true);
  return differing.length === 0
    ? []
    : [breach("EVENT-9", "the tool_start events are not the executions", { expected: executed, received: started })];
}

/** @see TOOL-31 */
function checkProgress(seen: Observation): Failure[] {
  if (!seen.driver.features?.includes("tool_progress")) return [];
  const reported = seen.events
    .flat()
    .flatMap((event) => (event.type === "tool_progress" ? [{ id: event.id, progress: event.progress }] : []));
  return seen.executions.flatMap(({ id, name }) => {
    const sent = seen.progress.filter((one) => one.id === id);
    const received = reported.filter((one) => one.id === id);
    // Where the run was cut short, what was said last may have come too late.
    const expected = seen.disturbed ? sent.slice(0, received.length) : sent;
    if (matchData(expected, received, "", true).length === 0) return [];
    const message = `the tool_progress events of ${name} are not the progress that it reported`;
    return [breach("TOOL-31", message, { expected, received })];
  });
}

/**
 * Each request has its attempt, and each attempt its request. One that a cancel ended may not have come so far, nor one on the
 * wire that failed; and where the server keeps the conversation, the adapter may have to send more requests in the same attempt
 * [PROVIDER-34].
 * @see EVENT-13
 */
function checkAttempts(seen: Observation): Failure[] {
  if (!seen.driver.features?.includes("retry")) return [];
  const ends = seen.events.flat().flatMap((event) => (event.type === "attempt_end" ? [event] : []));
  const requests = seen.requests.filter(({ summary }) => !summary).length; // a summary is asked for outside of the turns
  const unasked = seen.variant.seam === "generic" ? ["interrupted"] : ["interrupted", "error"];
  const answered = ends.filter(({ stop_reason }) => !unasked.includes(stop_reason)).length;
  const mayAskAgain = seen.filled.case.given.conversation === "server";
  if (answered <= requests && (requests <= ends.length || mayAskAgain)) return [];
  const message = `the model was asked ${requests} times, but the events report ${ends.length} attempts`;
  return [breach("EVENT-13", message, { expected: requests, received: ends.length })];
}

/** Nobody takes over whom no tool has named. @see EVENT-16 */
function checkHandoffs(seen: Observation): Failure[] {
  const reported = seen.events.flat().filter(({ type }) => type === "handoff").length;
  const requested = seen.executions.filter(({ answer }) => answer?.returned?.handoff !== undefined).length;
  if (reported <= requested) return [];
  const message = `${reported} handoff events were reported, but tools handed over ${requested} times`;
  return [breach("EVENT-16", message, { expected: requested, received: reported })];
}

/** The messages without the system text, which another agent or another turn may have otherwise. @see LOOP-67 LOOP-74 */
function withoutSystem({ messages }: Observation["requests"][number]): Message[] {
  return messages.slice(messages.findIndex(({ role }) => role !== "system"));
}

/** What was sent once is sent again, or an event says that it was replaced. @see COMPACT-21 */
export function checkChanges(seen: Pick<Observation, "requests" | "events" | "filled">): Failure[] {
  const turnRequests = seen.requests.filter(({ summary }) => !summary);
  const changes = turnRequests.filter(
    (request, at) => at > 0 && !goesOn(withoutSystem(turnRequests[at - 1]!), withoutSystem(request)),
  ).length;
  const reported = seen.events.flat().filter(({ type }) => type === "compaction").length;
  if (changes <= reported || !seen.filled.case.given.options?.compaction) return [];
  const message = `what was sent to the model changed ${changes} times, but the events report ${reported} compactions`;
  return [breach("COMPACT-21", message, { expected: changes, received: reported })];
}

interface StreamedMessage {
  message: Message;
  text: string;
}

/** @see EVENT-7 */
function checkStreamed(seen: Observation): Failure[] {
  const failures: Failure[] = [];
  const isStreaming = isStreamedVariant(seen.variant) && (seen.driver.features ?? []).includes("streaming");
  for (const turn of turnsOf(seen.events.flat())) {
    const streamed = streamedIn(turn);
    if (streamed.length === 0 && !isStreaming) continue;
    for (const message of turn.flatMap((event) =>
      event.type === "message" && hasText(event.message) ? [event.message] : [],
    )) {
      const at = streamed.findIndex((candidate) => isSame(candidate, message));
      if (at >= 0) streamed.splice(at, 1);
      else
        failures.push(
          breach("EVENT-7", "no streamed message adds up to a message of the response", {
            expected: message,
            received: streamed,
          }),
        );
    }
    const extra = streamed.find(({ text }) => text !== "");
    if (extra) failures.push(breach("EVENT-7", "a streamed message is not in the response", { received: extra }));
  }
  return failures.slice(0, 3);
}

function turnsOf(events: readonly LoopEvent[]): LoopEvent[][] {
  const turns: LoopEvent[][] = [];
  for (const event of events) {
    if (event.type === "turn_start") turns.push([]);
    turns.at(-1)?.push(event);
  }
  return turns;
}

function streamedIn(turn: readonly LoopEvent[]): StreamedMessage[] {
  const byIndex = new Map<number, StreamedMessage>();
  for (const event of turn) {
    if (event.type === "message_start") byIndex.set(event.index, { message: event.message, text: "" });
    if (event.type === "message_delta") byIndex.get(event.index)!.text += event.delta;
  }
  return [...byIndex.values()];
}

/** Whether a message is made of text, reasoning or arguments, which is what is streamed. */
function hasText(message: Message): boolean {
  if (message.type === "thinking") return message.content !== "";
  return message.role === "assistant" || message.type === "tool_call";
}

function isSame({ message, text }: StreamedMessage, whole: Message): boolean {
  if (message.role !== whole.role || message.type !== whole.type) return false;
  if (whole.role === "assistant" || whole.type === "thinking") return text === whole.content;
  return (
    whole.type === "tool_call" &&
    message.type === "tool_call" &&
    message.name === whole.name &&
    isWrittenAs(text, whole)
  );
}

/** Whether the pieces of the arguments are what the call says. What a custom tool is given is a text, and no JSON. */
function isWrittenAs(text: string, { input, raw_input }: ToolCallMessage): boolean {
  if (input === null) return text === raw_input;
  if (matchData({ input: text }, input, "", true).length === 0) return true;
  if (text.trim() === "") return Object.keys(input).length === 0;
  try {
    return matchData(JSON.parse(text), input, "", true).length === 0;
  } catch {
    return false;
  }
}
