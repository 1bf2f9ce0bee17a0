// The session: its initial messages, what a model request includes, and the last response.

import type {
  Agent,
  Message,
  ModelRequest,
  Outcome,
  Part,
  Session,
  ToolCallMessage,
  ToolResultMessage,
} from "../../schemas/types.ts";
import type { State } from "./ports.ts";
import { resultTexts, type Situation } from "./result-texts.ts";

/** The version of the sessions that this loop writes; it reads those of the same major version. @see SESSION-21 */
export const SPEC_VERSION = "1.0";
/** The version of the states and snapshots that it writes, counted apart from that of sessions. @see LOOP-108 */
export const SNAPSHOT_VERSION = "1.0";

/**
 * A new session with the user's input, preceded by the system message, if any.
 * @see SESSION-1
 */
export function initSession(init: { id: string; system?: string; user: string | Part[] }): Session {
  const system: Message[] = init.system === undefined ? [] : [{ role: "system", content: init.system }];
  return { spec_version: SPEC_VERSION, id: init.id, messages: [...system, { role: "user", content: init.user }] };
}

/** The state of a run that has not started. The caller's session is not modified [SESSION-3]. */
export function initState(session: Session, agent: string, options: State["options"] = {}): State {
  return {
    spec_version: SNAPSHOT_VERSION,
    phase: "turn_boundary",
    session: { ...session, messages: [...session.messages] },
    agent,
    options,
    turn: 0,
    truncations: 0,
    response_start: session.messages.length,
    decisions: [],
    steps: [],
  };
}

/** The model request: the agent's instructions, then the session without its incomplete messages. @see LOOP-1 */
export function modelRequest(state: State, agent: Agent): ModelRequest {
  const { instructions, tools = [], settings } = agent;
  const model = state.model ?? agent.model;
  const messages = state.session.messages.filter((message) => !isIncomplete(message));
  if (instructions) messages.unshift({ role: "system", content: instructions });
  return { messages, tools, ...(model !== undefined && { model }), ...(settings && { settings }) };
}

/** The messages of the last response, including the results that already follow it. */
export function lastResponse(state: State): Message[] {
  return state.session.messages.slice(state.response_start);
}

/** The calls of the last response, in call order. */
export function lastCalls(state: State): ToolCallMessage[] {
  return lastResponse(state).filter((message) => isType(message, "tool_call"));
}

/** A synthetic result for a call that was not executed. @see SESSION-8 SESSION-12 */
export function syntheticResult(
  call: Pick<ToolCallMessage, "id" | "status">,
  outcome: Outcome,
  output: string,
): ToolResultMessage {
  const result = { type: "tool_result", id: call.id, output, is_error: true, outcome, synthetic: true } as const;
  return call.status ? { ...result, status: call.status } : result;
}

/** What a synthetic result tells the model: what happened to its call, and what to do. @see SESSION-24 */
export function resultText(situation: Situation, values: Record<string, string> = {}): string {
  return resultTexts[situation].text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!);
}

export function isType<T extends string>(message: Message, type: T): message is Extract<Message, { type: T }> {
  return "type" in message && message.type === type;
}

export function isText(message: Message): message is Extract<Message, { role: "assistant" }> {
  return "role" in message && message.role === "assistant";
}

export function isIncomplete(message: Message): boolean {
  return (message as { status?: unknown }).status === "incomplete";
}
