// Keeps what each message was rendered to, so that a longer session renders only what is new in it.

import type { Message } from "../../../schemas/types.ts";

/** What one adapter rendered, by message. `F` is what it makes of one message. */
export interface RenderCache<F> {
  /** What `render` makes of this message for this model, from the cache if it is there. `render` sees only the message and the model. */
  getOrRender(message: Message, model: string, render: () => F): F;
  /**
   * Takes a conversation into a state, message by message, going on where an earlier, shorter form of the same conversation
   * ended. `key` says what else the state depends on. Only `take` may change the state.
   */
  follow<S>(conversation: Message[], key: string, begin: () => S, take: (message: Message, state: S) => void): S;
}

interface Kept<F> {
  fields: Message;
  model: string;
  rendered: F;
}

/** How far a conversation was taken, with its messages as they were. */
interface Followed {
  key: string;
  messages: Message[];
  /** What was read of them, in one list: it is gone through with every request, which an object for each would slow down. */
  read: unknown[];
  state: unknown;
}

/**
 * A cache that drops a message with the message itself, and a conversation with its first message. Messages keep their
 * identity from turn to turn and are not changed; one that got another value in one of its fields all the same is rendered anew.
 * @see PROVIDER-13
 */
export function createRenderCache<F>(): RenderCache<F> {
  const fragments = new WeakMap<Message, Kept<F>>();
  const conversations = new WeakMap<Message, Followed>();
  return {
    getOrRender(message, model, render) {
      const kept = fragments.get(message);
      if (kept && kept.model === model && hasSameFields(kept.fields, message)) return kept.rendered;
      const rendered = render();
      fragments.set(message, { fields: { ...message }, model, rendered });
      return rendered;
    },
    follow<S>(conversation: Message[], key: string, begin: () => S, take: (message: Message, state: S) => void): S {
      const [first] = conversation;
      if (!first) return begin();
      const known = conversations.get(first);
      const followed: Followed =
        known && goesOn(known, conversation, key) ? known : { key, messages: [], read: [], state: begin() };
      conversations.delete(first); // if a message cannot be taken, nothing goes on from a state that has half of it
      const state = followed.state as S;
      for (let at = followed.messages.length; at < conversation.length; at += 1) {
        const message = conversation[at]!;
        take(message, state);
        followed.messages.push(message);
        recordRead(message, followed.read);
      }
      conversations.set(first, followed);
      return state;
    },
  };
}

function hasSameFields(a: object, b: object): boolean {
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key in one) if (one[key] !== other[key]) return false;
  for (const key in other) if (!(key in one)) return false;
  return true;
}

function goesOn({ key, messages, read }: Followed, conversation: Message[], asked: string): boolean {
  if (key !== asked || messages.length > conversation.length) return false;
  for (let at = 0; at < messages.length; at += 1) if (messages[at] !== conversation[at]) return false;
  return areAsRead(messages, read);
}

/** How many values are recorded of each message, whatever its type is. */
const WIDTH = 6;

/** Records what adapters read of a message. Another field that one reads must be added here and below. */
function recordRead(message: Message, read: unknown[]): void {
  const { type, opaque } = message as { type?: string; opaque?: unknown };
  switch (message.type) {
    case "tool_result":
      return void read.push(type, opaque, message.id, message.output, message.is_error, undefined);
    case "tool_call":
      return void read.push(type, opaque, message.id, message.name, message.input, message.raw_input);
    case "provider_item":
      return void read.push(type, opaque, message.provider, message.model, message.item, undefined);
    default:
      return void read.push(type, opaque, message.role, message.content, undefined, undefined);
  }
}

/** Whether all that was read of these messages is still in them. Each field by its name: a loop is several times as slow. */
function areAsRead(messages: Message[], read: unknown[]): boolean {
  for (let place = 0, at = 0; place < messages.length; place += 1, at += WIDTH) {
    if (!isAsRead(messages[place]!, read, at)) return false;
  }
  return true;
}

function isAsRead(message: Message, read: unknown[], at: number): boolean {
  const { type, opaque } = message as { type?: string; opaque?: unknown };
  if (type !== read[at] || opaque !== read[at + 1]) return false;
  const [a, b, c, d] = [at + 2, at + 3, at + 4, at + 5];
  switch (message.type) {
    case "tool_result":
      return message.id === read[a] && message.output === read[b] && message.is_error === read[c];
    case "tool_call":
      return (
        message.id === read[a] && message.name === read[b] && message.input === read[c] && message.raw_input === read[d]
      );
    case "provider_item":
      return message.provider === read[a] && message.model === read[b] && message.item === read[c];
    default:
      return message.role === read[a] && message.content === read[b];
  }
}
