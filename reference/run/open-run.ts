// A run in progress: its events, its result, and what its caller can still say to it.

import type { EventBody } from "../core/ports.ts";
import { EventStream } from "../events/event-stream.ts";
import { onlyText } from "../events/filters.ts";
import { Watchers } from "../events/watchers.ts";
import { anySignal } from "../support/any-signal.ts";
import { wellFormed } from "../support/well-formed.ts";
import type { LoopEvent, Message, Part, RunResult, Session } from "../../schemas/types.ts";
import { orThrow } from "./run-error.ts";
import type { Controls, RunOutcome, RunSetup, RunSource } from "./setup.ts";

/**
 * A run in progress. Iterate it for its events; iterators created before the first `await` miss none. Nobody has to: a run whose
 * events are not read, or whose reader leaves the loop, goes on until it is done; `cancel` is what ends it.
 */
export interface Run<Output = unknown> extends AsyncIterable<LoopEvent> {
  /**
   * The result of the run. Never rejects, but with an error that `rethrow` of the setup lets through. With status `suspended` it has the snapshot that `resume` needs. Its `output` has the
   * type of the form that `outputFormat` made.
   */
  readonly result: Promise<RunResult & { output?: Output }>;
  /**
   * The result of a run that is completed, was stopped, or is suspended.
   * @throws RunError for every other status: its message says what to do, and its `result` is what `result` has
   */
  orThrow(): Promise<RunResult & { output?: Output }>;
  /** What the model says, piece by piece, without its thinking and its calls. A response that is not streamed is one piece. */
  readonly textStream: AsyncIterable<string>;
  /** The session after the run. Rejects only where `result` does; the session that was passed in is not modified. */
  readonly session: Promise<Session>;
  /** Cancels the run immediately. @see CANCEL-1 */
  cancel(): void;
  /** Ends the run after the current turn. @see LOOP-29 */
  stop(): void;
  /** Adds a user message before the next model call. Ignored once the run has ended. @see LOOP-53 */
  steer(content: string | Part[]): void;
  /** Calls another model from the next turn on. @see LOOP-66 */
  switchModel(model: string): void;
}

/** Conducts a run from its first event to its last. */
export type Executor = (source: RunSource, setup: RunSetup, controls: Controls) => Promise<RunOutcome>;

/** What starts runs, and those of their subagents. @param load gives the code that conducts them, with the first run */
export function runner(load: () => Executor | Promise<Executor>) {
  return function start<Output = unknown>(source: RunSource, setup: RunSetup<Output>): Run<Output> {
    const executor = load();
    return openRun<Output>(setup, async (controls) => (await executor)(source, setup, controls), start);
  };
}

/** A run that can be watched, steered and cancelled while `execute` executes it. */
export function openRun<Output = unknown>(
  setup: Pick<RunSetup, "signal" | "trace" | "watch">,
  execute: (controls: Controls) => Promise<RunOutcome>,
  start: Controls["start"],
): Run<Output> {
  const cancel = new AbortController();
  const emit = (event: EventBody): void => events.emit(event);
  const watchers = setup.watch || setup.trace ? new Watchers(setup.watch ?? [], setup.trace, emit) : undefined;
  const events = new EventStream(watchers && ((event) => watchers.dispatch(event)));
  const steering: Message[] = [];
  let stopping = false;
  let wantedModel: string | undefined;
  const controls: Controls = {
    signal: setup.signal ? anySignal(setup.signal, cancel.signal) : cancel.signal,
    inbox: {
      steering,
      isStopping: () => stopping,
      takeWantedModel: () => {
        const model = wantedModel;
        wantedModel = undefined;
        return model;
      },
    },
    emit,
    ...(watchers && { traceOf: (call) => watchers.traceOf(call) }),
    start,
  };
  const ended = execute(controls);
  ended.catch((error: unknown) => events.fail(error));
  const result = ended.then((outcome) => outcome.result as RunResult & { output?: Output });
  const session = ended.then((outcome) => outcome.session);
  for (const one of [result, session]) one.catch(() => {}); // a caller may await only the other, or read the events
  const iterable = { [Symbol.asyncIterator]: () => events.iterate() };
  return {
    ...iterable,
    result,
    orThrow: () => result.then(orThrow),
    textStream: onlyText(iterable),
    session,
    cancel: () => cancel.abort(),
    stop: () => void (stopping = true),
    steer: (content) => void steering.push({ role: "user", content: wellFormed(content) }), // [SESSION-33]
    switchModel: (model) => void (wantedModel = model),
  };
}
