// Calls that came without an id, under the id under which the program sent them back.

import type { Message, ModelResponse, ToolCallMessage } from "../../../schemas/types.ts";
import type { GenericRequest } from "../../kit/wire/codec.ts";
import { essence } from "./essence.ts";

/** What is needed of an exchange here. */
interface Said {
  provider?: string;
  request?: Pick<GenericRequest, "messages">;
  answer?: ModelResponse;
}

/** The exchanges, with the ids that programs gave to calls without one. A call that never came back stays without. */
export function withSentIds<Exchange extends Said>(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.map((exchange, at) => {
    const { answer, request } = exchange;
    if (!answer || !request || !answer.messages.some(isUnnamed)) return exchange;
    const later = exchanges.slice(at + 1).filter(({ provider }) => provider === exchange.provider);
    for (const { request: next } of later) {
      const sent = next && callsBeyond(request.messages, next.messages);
      const messages = sent && named(answer.messages, sent);
      if (messages) return { ...exchange, answer: { ...answer, messages } };
    }
    return exchange;
  });
}

/** The calls that a request has beyond an earlier one; nothing where it is of another conversation. */
function callsBeyond(before: readonly Message[], after: readonly Message[]): ToolCallMessage[] | undefined {
  const [first] = before;
  if (!first || !after[0] || essence(first) !== essence(after[0])) return undefined;
  return after.slice(before.length).filter(isCall);
}

/** The messages with the ids of equal calls, each once, in their order; nothing where none of them is found. */
function named(messages: readonly Message[], sent: readonly ToolCallMessage[]): Message[] | undefined {
  const left = [...sent];
  const result = messages.map((message) => {
    if (!isUnnamed(message)) return message;
    const at = left.findIndex((call) => essence({ ...call, id: "" }) === essence(message));
    return at < 0 ? message : { ...message, id: left.splice(at, 1)[0]!.id };
  });
  return left.length < sent.length ? result : undefined;
}

function isUnnamed(message: Message): message is ToolCallMessage {
  return isCall(message) && message.id === "";
}

function isCall(message: Message): message is ToolCallMessage {
  return message.type === "tool_call";
}
