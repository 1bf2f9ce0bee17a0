// The events of a run for consumers that want only some of it: the messages, or what a user interface shows while it grows.

import type {
  LoopEvent,
  Message,
  MessageDeltaEvent,
  MessageEndEvent,
  MessageEvent,
  MessageStartEvent,
  RunEndEvent,
  RunStartEvent,
} from "../../schemas/types.ts";

/** One of the five kinds of message that tell a run from its beginning to its result. @see the table in spec/events.md */
export type CoreMessage =
  | { kind: "system"; event: RunStartEvent }
  | { kind: "assistant" | "user"; event: MessageEvent }
  | { kind: "stream_event"; event: MessageStartEvent | MessageDeltaEvent | MessageEndEvent }
  | { kind: "result"; event: RunEndEvent };

/**
 * The messages of a run: `system` when it begins, `assistant` for everything that the model said, `user` for tool results and
 * what was said to the model, `result` at last. Each is the event itself, with its kind.
 * @param events a run, or whatever else its events come from
 * @param options `partial`: also `stream_event`, the pieces of messages that are under way. Default: false
 * @see EVENT-10
 */
export function onlyMessages(
  events: AsyncIterable<LoopEvent>,
  { partial = false }: { partial?: boolean } = {},
): AsyncIterable<CoreMessage> {
  return filtered(events, () => (event) => {
    switch (event.type) {
      case "run_start":
        return { kind: "system", event };
      case "message":
        return { kind: isOfModel(event.message) ? "assistant" : "user", event };
      case "message_start":
      case "message_delta":
      case "message_end":
        return partial ? { kind: "stream_event", event } : undefined;
      case "run_end":
        return { kind: "result", event };
      default:
        return undefined;
    }
  });
}

/** A piece of a message that grows. Says everything that a user interface needs to put it in its place. */
export interface Delta {
  turn: number;
  /** The message within the turn, counted from 0. */
  index: number;
  kind: "text" | "thinking" | "tool_call";
  /** Of a tool call: its id, as far as the provider gave one. */
  id?: string;
  /** Of a tool call: the tool. */
  name?: string;
  /** What comes after the pieces before: text, readable reasoning, or arguments as written. Empty where a message begins or ends. */
  delta: string;
  /** Nothing more follows. Absent before. */
  done?: true;
}

/**
 * The texts, the reasoning and the calls of a run while they grow, piece by piece, in the order in which they come: first an
 * empty piece, so that a call is seen before its arguments, and last one that is `done`. A response that was not streamed comes
 * as one piece for each message.
 * @see EVENT-6 EVENT-7
 */
export function onlyDeltas(events: AsyncIterable<LoopEvent>): AsyncIterable<Delta> {
  return filtered(events, () => {
    const growing = new Map<number, Omit<Delta, "delta" | "done">>();
    let whole = 0; // messages of this turn that came whole
    let isStreamed = false;
    return (event) => {
      switch (event.type) {
        case "turn_start":
          [whole, isStreamed] = [0, false];
          return undefined;
        case "message_start": {
          isStreamed = true;
          const place = placeOf(event.message, event.turn, event.index);
          if (place) growing.set(event.index, place);
          return place && { ...place, delta: "" };
        }
        case "message_delta": {
          const place = growing.get(event.index);
          return place && { ...place, delta: event.delta };
        }
        case "message_end": {
          const place = growing.get(event.index);
          growing.delete(event.index);
          return place && { ...place, delta: "", done: true };
        }
        case "message": {
          const place = isStreamed ? undefined : placeOf(event.message, event.turn, whole);
          if (place) whole += 1;
          return place && { ...place, delta: contentOf(event.message), done: true };
        }
        default:
          return undefined;
      }
    };
  });
}

/**
 * What `pick` makes of the events. Each iteration takes an iterator of its own, at once, so that it misses no event of a run that
 * has just been started; one that stops early lets it go.
 */
function filtered<T>(
  events: AsyncIterable<LoopEvent>,
  pick: () => (event: LoopEvent) => T | undefined,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = events[Symbol.asyncIterator]();
      const picked = pick();
      return {
        async next() {
          for (;;) {
            const { value, done } = await source.next();
            if (done) return { value: undefined, done };
            const found = picked(value);
            if (found !== undefined) return { value: found, done: false };
          }
        },
        async return() {
          await source.return?.();
          return { value: undefined, done: true };
        },
      };
    },
  };
}

function isOfModel({ role, type }: Message): boolean {
  return role === "assistant" || type === "thinking" || type === "tool_call" || type === "provider_item";
}

/** Where a message of the model stands, if it is one that is shown. */
function placeOf(message: Message, turn: number, index: number): Omit<Delta, "delta" | "done"> | undefined {
  if (message.role === "assistant") return { turn, index, kind: "text" };
  if (message.type === "thinking") return { turn, index, kind: "thinking" };
  return message.type === "tool_call"
    ? { turn, index, kind: "tool_call", id: message.id, name: message.name }
    : undefined;
}

function contentOf(message: Message): string {
  if (message.type === "tool_call") return message.raw_input ?? JSON.stringify(message.input);
  return "content" in message && typeof message.content === "string" ? message.content : "";
}
