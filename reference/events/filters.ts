// Views of a run's events for consumers that need only part of them: whole messages, or the deltas that a user interface shows.

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

/** One of the five kinds of message that make up a run, from start to result. @see the table in spec/loop/events.md */
export type CoreMessage =
  | { kind: "system"; event: RunStartEvent }
  | { kind: "assistant" | "user"; event: MessageEvent }
  | { kind: "stream_event"; event: MessageStartEvent | MessageDeltaEvent | MessageEndEvent }
  | { kind: "result"; event: RunEndEvent };

/**
 * The messages of a run: `system` at its start, `assistant` for all model output, `user` for tool results and user input,
 * `result` at the end. Each is the event itself, with its kind.
 * @param events a run, or another source of its events
 * @param options `partial`: include `stream_event`, the deltas of partial messages. Default: false
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

/** A piece of a partial message, with everything that a user interface needs to place it. */
export interface Delta {
  turn: number;
  /** The index of the message within the turn, from 0. */
  index: number;
  kind: "text" | "thinking" | "tool_call";
  /** Of a tool call: its id, if the provider gave one. */
  id?: string;
  /** Of a tool call: the name of the tool. */
  name?: string;
  /** What to append: text, readable reasoning, or raw arguments. Empty where a message begins or ends. */
  delta: string;
  /** Set on the last piece only. */
  done?: true;
}

/**
 * The texts, reasoning and calls of a run as they stream, piece by piece, in order of arrival: first an empty piece, so that
 * a call is visible before its arguments, and last one that is `done`. A response that is not streamed yields one piece per
 * message.
 * @see EVENT-6 EVENT-7
 */
export function onlyDeltas(events: AsyncIterable<LoopEvent>): AsyncIterable<Delta> {
  return filtered(events, () => {
    const partial = new Map<number, Omit<Delta, "delta" | "done">>();
    let whole = 0; // messages of this turn that were not streamed
    let isStreamed = false;
    return (event) => {
      switch (event.type) {
        case "turn_start":
          [whole, isStreamed] = [0, false];
          return undefined;
        case "message_start": {
          isStreamed = true;
          const place = placeOf(event.message, event.turn, event.index);
          if (place) partial.set(event.index, place);
          return place && { ...place, delta: "" };
        }
        case "message_delta": {
          const place = partial.get(event.index);
          return place && { ...place, delta: event.delta };
        }
        case "message_end": {
          const place = partial.get(event.index);
          partial.delete(event.index);
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
 * The texts of the model as they stream, piece by piece: no thinking, no calls, nothing of subagents.
 * @see EVENT-6
 */
export function onlyText(events: AsyncIterable<LoopEvent>): AsyncIterable<string> {
  return filtered(
    onlyDeltas(events),
    () =>
      ({ kind, delta }) =>
        kind === "text" && delta !== "" ? delta : undefined,
  );
}

/**
 * The events mapped by `pick`, without `undefined`. Each iteration opens its own iterator immediately, so that it misses no event
 * of a run that has just started; one that stops early closes it.
 */
function filtered<E, T>(events: AsyncIterable<E>, pick: () => (event: E) => T | undefined): AsyncIterable<T> {
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

/** The place of a model message, if it is of a kind that is shown. */
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
