// The loop as people import it: a run that can be watched, steered and broken off.

import type { Approve } from "../plugins/tools/approval.ts";
import type { Clock } from "../support/clock.ts";
import type { CompactionStrategy } from "../plugins/compaction/strategy.ts";
import type { EventBody, ExecutableCall, Provider } from "../core/ports.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import type { MakeInstructions } from "../plugins/model/dynamic-instructions.ts";
import type { MakeTools } from "../plugins/turns/dynamic-tools.ts";
import { EventStream } from "../events/event-stream.ts";
import type { Guardrail } from "../plugins/guardrails.ts";
import type { Hook } from "../plugins/hooks/ask-hooks.ts";
import type { Journal } from "../state/journal-records.ts";
import type { Classify } from "../plugins/tools/permissions.ts";
import { sessionOf, type SessionOrInput } from "../state/edit-session.ts";
import type { StopCondition } from "../plugins/turns/stop-conditions.ts";
import type {
  Agent,
  LoopEvent,
  Message,
  ModelSettings,
  Part,
  ResumeDecision,
  RunOptions,
  RunResult,
  RunStartEvent,
  Session,
  Snapshot,
  TraceContext,
} from "../../schemas/types.ts";
import { Watchers, type Watch } from "../events/watchers.ts";

/** An agent whose tools have handlers. Its tools and its instructions may be made anew in every turn. */
export type AgentWithTools = Omit<Agent, "tools" | "instructions"> & {
  /** @see LOOP-4 LOOP-79 */
  tools?: DefinedTool[] | MakeTools;
  /** @see LOOP-2 LOOP-74 */
  instructions?: string | MakeInstructions;
};

/** What a run needs, whether it starts or resumes. Either `agents` and `agent`, or the fields of a single agent. */
export interface RunSetup {
  provider: Provider;
  agents?: Record<string, AgentWithTools>;
  /** The active agent. Default: the only one. */
  agent?: string;
  instructions?: string | MakeInstructions;
  model?: string;
  settings?: ModelSettings;
  tools?: DefinedTool[] | MakeTools;
  options?: RunOptions;
  /** What the tools share and the model does not see: a JSON object. It is copied. @see TOOL-32 */
  context?: Record<string, unknown>;
  /** Conditions of your own, asked after those of `options.stop_when`. @see LOOP-48 */
  stopWhen?: StopCondition[];
  /** Checks of what goes in and what comes out, in this order. @see GUARDRAIL-1 */
  guardrails?: Guardrail[];
  /** Asked at the points of the run, in this order. @see HOOK-1 */
  hooks?: Hook[];
  /** Is asked about calls that need approval, while the run waits. Without it the run suspends. @see PERMISSION-11 */
  approve?: Approve;
  /** Decides about calls in permission mode `auto`. */
  classify?: Classify;
  /** Strategies of your own for `options.compaction`, beside truncate_old and summarize. @see COMPACT-20 */
  compactWith?: CompactionStrategy[];
  /** Where the run is written down while it is under way, so that `recover` can go on with it. @see JOURNAL-1 */
  journal?: Journal;
  /** Who watches the run, and the runs of its subagents: telemetry, a debugger. A run without watchers pays nothing for it. */
  watch?: Watch[];
  /** The trace that the run belongs to. Its tools are handed it, and its subagents. @see TOOL-36 */
  trace?: TraceContext;
  /** The call for which the run is started, where it is the run of a subagent. @see EVENT-21 */
  parent?: NonNullable<RunStartEvent["parent"]>;
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
  /** Has another model asked from the next turn on. @see LOOP-66 */
  switchModel(model: string): void;
}

/** Where a run begins: on a session, where another one was suspended, or where the process of another one ended. */
export type Beginning =
  | { session: Session }
  | { snapshot: Snapshot; decisions: ResumeDecision[] }
  | { journal: Journal };

/** What reaches a run from outside while it is under way. */
export interface Controls {
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
  /** What was said to the run and not appended yet, oldest first. */
  said: Message[];
  isStopping(): boolean;
  /** The model that the run was told to switch to, if it was told since this was asked last. */
  takeWantedModel(): string | undefined;
  emit(event: EventBody): void;
  /** The trace context for the tool of a call. Absent: no tool has one. */
  traceOf?(call: ExecutableCall): TraceContext | undefined;
}

/** What a run came to, and the session after it. */
export interface Conducted {
  result: RunResult;
  session: Session;
}

/**
 * Runs an agent on a session until it has nothing more to do, a limit is reached, or somebody breaks off. `input` is said first;
 * without a session it begins a new one.
 *
 * @see LOOP-1 in spec/loop.md
 */
export function agentLoop(setup: RunSetup & SessionOrInput): Run {
  return start({ session: sessionOf(setup) }, setup); // as it is now [SESSION-3]
}

/**
 * Continues a suspended run, in this process or in another, with one decision for each pending call.
 * @see LOOP-36
 */
export function resume(setup: RunSetup & { snapshot: Snapshot; decisions: ResumeDecision[] }): Run {
  return start(setup, setup);
}

/**
 * Goes on with a run whose process ended, from its journal, as if it had not: a tool that was running then is started again only
 * if it is idempotent. Where the run had ended, its result is given once more; where it was suspended, its pending calls are.
 * The setup is that of the run, except for its session, options, active agent and context, which the journal has.
 * @see JOURNAL-6
 */
export function recover(setup: RunSetup & { journal: Journal }): Run {
  return start({ journal: setup.journal }, setup);
}

/** What conducts a run is loaded with the first one: an import of the package stays cheap, and iterators can be made first. */
let conductor: Promise<typeof import("./execute-run.ts")> | undefined;

function start(beginning: Beginning, setup: RunSetup): Run {
  conductor ??= import("./execute-run.ts");
  const loaded = conductor;
  return openRun(setup, async (controls) => (await loaded).conductRun(beginning, setup, controls));
}

/** A run that can be watched, steered and broken off while `conduct` makes it what it is. */
export function openRun(
  setup: Pick<RunSetup, "signal" | "trace" | "watch">,
  conduct: (controls: Controls) => Promise<Conducted>,
): Run {
  const cancel = new AbortController();
  const emit = (event: EventBody): void => events.emit(event);
  const watchers = setup.watch || setup.trace ? new Watchers(setup.watch ?? [], setup.trace, emit) : undefined;
  const events = new EventStream(watchers && ((event) => watchers.hear(event)));
  const said: Message[] = [];
  let stopping = false;
  let wantedModel: string | undefined;
  const controls: Controls = {
    signal: setup.signal ? AbortSignal.any([setup.signal, cancel.signal]) : cancel.signal,
    said,
    isStopping: () => stopping,
    takeWantedModel: () => {
      const model = wantedModel;
      wantedModel = undefined;
      return model;
    },
    emit,
    ...(watchers && { traceOf: (call) => watchers.traceOf(call) }),
  };
  const ended = conduct(controls);
  return {
    [Symbol.asyncIterator]: () => events.iterate(),
    result: ended.then(({ result }) => result),
    session: ended.then(({ session }) => session),
    cancel: () => cancel.abort(),
    stop: () => void (stopping = true),
    steer: (content) => void said.push({ role: "user", content }),
    switchModel: (model) => void (wantedModel = model),
  };
}
