// The loop as people import it: a run that can be watched, steered and broken off.

import type { Clock } from "./clock.ts";
import type { EventBody, Provider } from "./core/ports.ts";
import type { DefinedTool } from "./define-tool.ts";
import { EventStream } from "./event-stream.ts";
import type { StopCondition } from "./stop-conditions.ts";
import type {
  Agent,
  LoopEvent,
  Message,
  Part,
  ResumeDecision,
  RunOptions,
  RunResult,
  Session,
  Snapshot,
} from "./types.ts";

/** An agent whose tools have handlers. */
export type AgentWithTools = Omit<Agent, "tools"> & { tools?: DefinedTool[] };

/** What a run needs, whether it starts or resumes. Either `agents` and `agent`, or the fields of a single agent. */
export interface RunSetup {
  provider: Provider;
  agents?: Record<string, AgentWithTools>;
  /** The active agent. Default: the only one. */
  agent?: string;
  instructions?: string;
  model?: string;
  tools?: DefinedTool[];
  options?: RunOptions;
  /** Conditions of your own, asked after those of `options.stop_when`. @see LOOP-48 */
  stopWhen?: StopCondition[];
  /** Cancels the run when it aborts. */
  signal?: AbortSignal;
  clock?: Clock;
  /** A number from 0 to 1, for the jitter of retries. Default: Math.random. */
  random?: () => number;
  /** Makes ids for calls that came without one. */
  newId?: () => string;
}

/** A run in progress. Iterate it for its events; iterators that are made before the first `await` miss none. */
export interface Run extends AsyncIterable<LoopEvent> {
  /** What the run came to. Never rejects. With status `suspended` it has the snapshot that `resume` needs. */
  readonly result: Promise<RunResult>;
  /** The session after the run. Never rejects; the session that was passed in is not touched. */
  readonly session: Promise<Session>;
  /** Breaks off at once. @see CANCEL-1 */
  cancel(): void;
  /** Lets the turn finish first. @see LOOP-29 */
  stop(): void;
  /** Says something to the model before it is called again. After the end of the run nobody hears it. @see LOOP-53 */
  steer(content: string | Part[]): void;
}

/** Where a run begins: on a session, or where another one was suspended. */
export type Beginning = { session: Session } | { snapshot: Snapshot; decisions: ResumeDecision[] };

/** What reaches a run from outside while it is under way. */
export interface Controls {
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
  /** What was said to the run and not appended yet, oldest first. */
  said: Message[];
  isStopping(): boolean;
  emit(event: EventBody): void;
}

/**
 * Runs an agent on a session until it has nothing more to do, a limit is reached, or somebody breaks off.
 *
 * @see LOOP-1 in spec/loop.md
 */
export function agentLoop(setup: RunSetup & { session: Session }): Run {
  const { session } = setup;
  return start({ session: { ...session, messages: [...session.messages] } }, setup); // as it is now [SESSION-3]
}

/**
 * Continues a suspended run, in this process or in another, with one decision for each pending call.
 * @see LOOP-36
 */
export function resume(setup: RunSetup & { snapshot: Snapshot; decisions: ResumeDecision[] }): Run {
  return start(setup, setup);
}

function start(beginning: Beginning, setup: RunSetup): Run {
  const cancel = new AbortController();
  const events = new EventStream();
  const said: Message[] = [];
  let stopping = false;
  const controls: Controls = {
    signal: setup.signal ? AbortSignal.any([setup.signal, cancel.signal]) : cancel.signal,
    said,
    isStopping: () => stopping,
    emit: (event) => events.emit(event),
  };
  // What conducts a run is loaded with the first one: an import of the package stays cheap, and iterators can be made first.
  const ended = import("./conduct-run.ts").then(({ conductRun }) => conductRun(beginning, setup, controls));
  return {
    [Symbol.asyncIterator]: () => events.iterate(),
    result: ended.then(({ result }) => result),
    session: ended.then(({ session }) => session),
    cancel: () => cancel.abort(),
    stop: () => void (stopping = true),
    steer: (content) => void said.push({ role: "user", content }),
  };
}
