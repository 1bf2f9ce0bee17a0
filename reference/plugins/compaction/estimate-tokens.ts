// Estimates the tokens of the next request: the provider's last count, plus a guess for later messages.

import type { InvokeModel, Ports, State } from "../../core/ports.ts";
import { isIncomplete } from "../../core/session.ts";
import { count, counted } from "../../state/counters.ts";
import type { Agent, Message, Part } from "../../../schemas/types.ts";

const CHARS_PER_TOKEN = 4;
const MEDIA_TOKENS = 250;

/** @see COMPACT-3 */
export function estimateTokens(state: State, agents: Record<string, Agent>): number {
  const reported = counted(state, "context_tokens");
  if (reported > 0) return reported + tokensIn(state.session.messages.slice(counted(state, "context_messages")));
  const { instructions = "", tools = [] } = agents[state.agent] ?? {};
  const declared = tools.map((tool) => `${tool.name}${tool.description ?? ""}${JSON.stringify(tool.input_schema)}`);
  const fixed = [instructions, ...declared].reduce((sum, text) => sum + text.length, 0);
  return Math.ceil(fixed / CHARS_PER_TOKEN) + tokensIn(state.session.messages);
}

/** A guess for messages that no provider has counted yet. Incomplete ones are not sent, and count as 0. */
export function tokensIn(messages: readonly Message[]): number {
  let chars = 0;
  let media = 0;
  const read = (content: string | Part[]) => {
    if (typeof content === "string") return void (chars += content.length);
    for (const part of content) {
      if (part.type === "text") chars += (part.text as string).length;
      else media += 1;
    }
  };
  for (const message of messages) {
    if (isIncomplete(message)) continue;
    if ("content" in message) read(message.content as string | Part[]);
    else if (message.type === "tool_call")
      chars += `${message.name}${message.raw_input ?? JSON.stringify(message.input)}`.length;
    else if (message.type === "tool_result") read(message.output);
    else chars += JSON.stringify(message).length;
  }
  return Math.ceil(chars / CHARS_PER_TOKEN) + media * MEDIA_TOKENS;
}

/** Discards the provider's count, which is invalid once a message of that request has changed. */
export function forgetReported(state: State): void {
  count(state, "context_tokens", 0);
  count(state, "context_messages", 0);
}

/** Keeps the size of each request as reported by the provider. */
export interface Meter {
  /** Innermost: reads every response. */
  aroundRequest(invokeModel: InvokeModel): InvokeModel;
  /** Outermost: knows the session of the request. */
  aroundModel(invokeModel: Ports["invokeModel"]): Ports["invokeModel"];
}

/** Of several requests for one response the last counts: it has the session, and what the response has said before it paused. */
export function contextMeter(): Meter {
  let inputTokens = 0;
  let first = 0; // messages of the first request
  let paused = 0; // messages that the last one has beyond them
  return {
    aroundRequest: (invokeModel) => async (request, call) => {
      const answer = await invokeModel(request, call);
      first ||= request.messages.length;
      if (answer.error) return answer;
      inputTokens = answer.usage?.input_tokens ?? 0;
      paused = request.messages.length - first;
      return answer;
    },
    aroundModel: (invokeModel) => async (request, turn, state) => {
      inputTokens = first = paused = 0;
      const answer = await invokeModel(request, turn, state);
      count(state, "context_tokens", inputTokens);
      count(state, "context_messages", inputTokens > 0 ? state.session.messages.length + paused : 0);
      return answer;
    },
  };
}
