// Keeps track of what a server has of a conversation: marks its responses, and finds the last mark that still holds.

import { digest } from "../shared/fingerprint.ts";
import type { Fields } from "./parts.ts";
import { ownOf } from "./assistant.ts";
import type { Provider, StreamEvent } from "../../core/ports.ts";
import type { Message, ModelRequest, ModelResponse } from "../../../schemas/types.ts";

/** A conversation as it was rendered: each message with a digest of its item, empty where nothing is sent of it. */
export interface Printed {
  message: Message;
  print: string;
}

/** A response that the server has, with everything before it, and where in the conversation it ends. */
export interface Kept {
  response_id: string;
  end: number;
}

/** What stands for the rendered item of a message. */
export function printOf(item: Fields | undefined): string {
  return item === undefined ? "" : digest(JSON.stringify(item));
}

/**
 * The last response that this model made, that the server stored, and that has not been changed since, nor anything before it.
 * A response that nobody marked may be known to another server, or belong to another conversation.
 * @see RESPONSES-11 RESPONSES-24
 */
export function lastKept(conversation: readonly Printed[], model: string): Kept | undefined {
  let kept: Kept | undefined;
  let before = "";
  for (let at = 0; at < conversation.length;) {
    const response_id = responseIdOf(conversation[at]!, model);
    let end = at + 1;
    if (response_id !== undefined)
      while (end < conversation.length && responseIdOf(conversation[end]!, model) === response_id) end += 1;
    const response = conversation.slice(at, end);
    const holds = response.every(({ message, print }) => ownOf(message, model)?.conversation === markOf(before, print));
    if (response_id !== undefined && holds) kept = { response_id, end };
    before = upTo(response, before);
    at = end;
  }
  return kept;
}

function responseIdOf({ message }: Printed, model: string): string | undefined {
  const { response_id } = ownOf(message, model) ?? {};
  return typeof response_id === "string" ? response_id : undefined;
}

/** What stands for a conversation up to some message. */
export function upTo(conversation: readonly Printed[], before = ""): string {
  return conversation.reduce((sum, { print }) => (print === "" ? sum : digest(sum + print)), before);
}

function markOf(before: string, print: string): string {
  return digest(`${before}/${print}`);
}

/** How the adapter renders for a server that keeps the conversation. */
export interface Keeping {
  /** Sends what the server does not have yet. */
  continuing: Provider;
  /** Sends everything. */
  whole: Provider;
  /** What stands for the conversation of a request, and whether a response is referred to in it. */
  read(request: ModelRequest): { model: string; sum: string; refers: boolean };
  /** What stands for a message of the model. */
  print(message: Message, model: string): string;
}

/**
 * The provider whose server keeps the conversation. Where the server says that it does not have the response that it was
 * referred to, it is asked once more, with everything.
 * @see PROVIDER-33 PROVIDER-34 RESPONSES-24 RESPONSES-25
 */
export function keptByServer({ continuing, whole, read, print }: Keeping): Provider {
  return {
    ...continuing,
    async invokeModel(request, call) {
      const { model, sum, refers } = read(request);
      const marked = (message: Message) => withMark(message, model, markOf(sum, print(message, model)));
      const onStream = (event: StreamEvent) =>
        call.onStream(event.type === "message_end" ? { ...event, message: marked(event.message) } : event);
      const listening = { ...call, onStream };
      const first = await continuing.invokeModel(request, listening);
      const answer = refers && isForgotten(first) ? await whole.invokeModel(request, listening) : first;
      return { ...answer, messages: answer.messages.map(marked) };
    },
  };
}

function withMark(message: Message, model: string, conversation: string): Message {
  const known = ownOf(message, model);
  if (known?.response_id === undefined) return message;
  return Object.assign({ ...message }, { opaque: { ...known, conversation } }) as Message;
}

/** Servers say it with a code of its own, some only with the status. */
function isForgotten({ error, messages }: ModelResponse): boolean {
  return messages.length === 0 && (error?.code === "previous_response_not_found" || error?.status === 404);
}
