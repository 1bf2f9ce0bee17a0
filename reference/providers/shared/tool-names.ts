// Gives calls the names that their tools have in the session, where the provider was sent others.

import type { ModelCall, StreamEvent } from "../../core/ports.ts";
import type { Message, ModelResponse } from "../../../schemas/types.ts";

/** The names that a provider was sent, each with the tool's own name. Only those that differ. */
export type Renamed = ReadonlyMap<string, string>;

/** A listener that receives calls under the tools' own names. */
export function listenerWithOwnNames(call: ModelCall, renamed: Renamed): ModelCall {
  if (renamed.size === 0) return call;
  const own = (event: StreamEvent): StreamEvent =>
    event.type === "message_delta" ? event : { ...event, message: withOwnName(event.message, renamed) };
  return { ...call, onStream: (event) => call.onStream(own(event)) };
}

/** A response whose calls have the tools' own names. */
export function responseWithOwnNames(response: ModelResponse, renamed: Renamed): ModelResponse {
  if (renamed.size === 0) return response;
  return { ...response, messages: response.messages.map((message) => withOwnName(message, renamed)) };
}

function withOwnName(message: Message, renamed: Renamed): Message {
  const name = message.type === "tool_call" ? renamed.get(message.name) : undefined;
  return name === undefined ? message : ({ ...message, name } as Message);
}
