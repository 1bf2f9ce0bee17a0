// The events of a run: numbered, ended by run_end, and delivered to every iterator.

import type { EventBody } from "../core/ports.ts";
import type { LoopEvent } from "../../schemas/types.ts";

/** Numbers and delivers events. Nothing is emitted after `run_end`, or after it has failed. @see EVENT-2 EVENT-3 */
export class EventStream {
  readonly #readers = new Set<Reader>();
  readonly #onEvent: ((event: LoopEvent) => void) | undefined;
  #seq = 0;
  #ended = false;
  #failure: { error: unknown } | undefined;

  /** @param onEvent receives every event synchronously, after it was queued for the iterators */
  constructor(onEvent?: (event: LoopEvent) => void) {
    this.#onEvent = onEvent;
  }

  emit(body: EventBody): void {
    if (this.#ended) return;
    const seq = this.#seq++;
    this.#ended = body.type === "run_end";
    if (this.#readers.size === 0 && !this.#onEvent) return;
    const event = { ...body, seq } as LoopEvent;
    for (const reader of this.#readers) reader.push(event);
    this.#onEvent?.(event);
  }

  /** Ends without `run_end`: each reader throws the error behind what was emitted. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = { error };
    for (const reader of this.#readers) reader.fail(this.#failure);
  }

  /** The events from now on. A reader that stops early is removed, and costs nothing more. */
  iterate(): AsyncIterator<LoopEvent, undefined> {
    const reader = new Reader(this.#ended, () => this.#readers.delete(reader));
    if (this.#failure) reader.fail(this.#failure);
    if (!this.#ended) this.#readers.add(reader);
    return reader;
  }
}

/** One consumer: queues the events that it has not read yet, or its pending reads. */
class Reader implements AsyncIterator<LoopEvent, undefined> {
  readonly #events: LoopEvent[] = [];
  readonly #remove: () => void;
  #ended: boolean;
  #failure: { error: unknown } | undefined;
  #waiting: (() => void)[] = []; // several reads may be pending at once

  constructor(ended: boolean, remove: () => void) {
    this.#ended = ended;
    this.#remove = remove;
  }

  push(event: LoopEvent): void {
    this.#events.push(event);
    if (event.type === "run_end") this.#end();
    else this.#wake();
  }

  async next(): Promise<IteratorResult<LoopEvent, undefined>> {
    while (this.#events.length === 0 && !this.#ended) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const event = this.#events.shift();
    const failure = event ? undefined : this.#failure;
    if (failure) {
      this.#failure = undefined; // once: then there is nothing more
      throw failure.error;
    }
    return event ? { value: event, done: false } : { value: undefined, done: true };
  }

  fail(failure: { error: unknown }): void {
    this.#failure = failure;
    this.#end();
  }

  async return(): Promise<IteratorResult<LoopEvent, undefined>> {
    this.#events.length = 0;
    this.#failure = undefined;
    this.#end();
    return { value: undefined, done: true };
  }

  #end(): void {
    this.#ended = true;
    this.#remove();
    this.#wake();
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
