// Keeps what a model says within the bounds of a run: how deep it is nested, and how many calls it has.

import type { InvokeModel, ModelCall } from "../../core/ports.ts";
import type { Message, ModelResponse, ToolCallMessage } from "../../../schemas/types.ts";
import { boundsOf, isDeeper, shallowJson, type Bounds } from "../../support/bounds.ts";
import type { Plugin } from "../plugin.ts";

export const bounds: Plugin = {
  name: "bounds",
  options: ["bounds"],
  attach({ options }) {
    const kept = boundsOf(options.bounds);
    return { aroundRequest: (next) => keepWithinBounds(next, kept) };
  },
};

/**
 * Arguments that are nested too deep become unreadable; a response that goes beyond a bound otherwise fails with what it had
 * until there. A stream is left as soon as it has a call too many.
 * @see LOOP-97 LOOP-99 LOOP-98
 */
export function keepWithinBounds(invokeModel: InvokeModel, bounds: Bounds): InvokeModel {
  return async (request, call) => {
    const own = new AbortController();
    const abort = () => own.abort(call.signal.reason);
    if (call.signal.aborted) abort();
    else call.signal.addEventListener("abort", abort, { once: true });
    let calls = 0;
    let beyond: string | undefined;
    const begun = new Set<number>(); // what has begun is ended, also if it is the last that is read
    const onStream: ModelCall["onStream"] = (event) => {
      if (event.type === "message_delta") return begun.has(event.index) ? call.onStream(event) : undefined;
      const message = readable(event.message, bounds.depth);
      if (event.type === "message_start" && isCall(message)) calls += 1;
      if (calls > bounds.calls) beyond ??= tooMany(bounds.calls);
      else if (isTooDeep(message, bounds.depth)) beyond ??= tooDeep(bounds.depth);
      if (beyond) own.abort(BEYOND);
      else begun.add(event.index);
      if (begun.has(event.index)) call.onStream({ ...event, message });
    };
    try {
      const response = await invokeModel(request, { ...call, bounds, signal: own.signal, onStream });
      return within(response, bounds, beyond);
    } finally {
      call.signal.removeEventListener("abort", abort);
    }
  };
}

/** A constant reason: the default one is a new error each time, with a stack trace. */
const BEYOND = "beyond a bound";

/** @param beyond why the stream was left, if it was: the response may lack what it was left for */
function within(response: ModelResponse, { depth, calls }: Bounds, beyond: string | undefined): ModelResponse {
  const messages: Message[] = [];
  let called = 0;
  for (const message of response.messages) {
    if (isCall(message)) called += 1;
    const kept = readable(message, depth);
    if (called > calls) return failed(response, messages, tooMany(calls));
    if (isTooDeep(kept, depth)) return failed(response, messages, tooDeep(depth));
    messages.push(kept);
  }
  return beyond === undefined ? { ...response, messages } : failed(response, messages, beyond);
}

/** Whether a field of a message is nested too deep; the message stands around it. */
function isTooDeep(message: Message, depth: number): boolean {
  return isDeeper(message, depth + 1);
}

/** A message whose arguments, if they are nested too deep, nobody could read. @see LOOP-97 */
function readable(message: Message, depth: number): Message {
  if (!isCall(message) || message.input === null || !isDeeper(message.input, depth)) return message;
  const raw_input = message.raw_input ?? writtenAgain(message.input);
  return {
    ...message,
    input: null,
    raw_input,
    meta: { ...message.meta, unreadable: `${NESTED} ${most("depth", depth)}` },
  };
}

/** The text of arguments. Of what is nested so deep that JSON cannot be written, the outer part has to do. */
function writtenAgain(input: object): string {
  return isDeeper(input, WRITABLE) ? shallowJson(input, WRITABLE) : JSON.stringify(input);
}

/** How deep a value may be nested so that every engine can write its JSON. */
const WRITABLE = 500;
const NESTED = "may not be nested deeper than";

function failed(response: ModelResponse, messages: Message[], message: string): ModelResponse {
  const { provider } = response;
  const error = { kind: "invalid_response", message, ...(provider !== undefined && { provider }) } as const;
  return { ...response, messages, stop_reason: "error", error };
}

function tooMany(calls: number): string {
  return `The response has more calls than ${most("calls", calls)}. None was executed.`;
}

function tooDeep(depth: number): string {
  return `The response has something nested deeper than ${most("depth", depth)}.`;
}

function most(bound: keyof Bounds, value: number): string {
  return `${value} (bounds.${bound})`;
}

function isCall(message: Message): message is ToolCallMessage {
  return message.type === "tool_call";
}
