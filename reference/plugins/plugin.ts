// The plug-in interface: one shape for everything that is not the core.

import type {
  Agent,
  CallDecision,
  Ending,
  HookCall,
  HookReply,
  LoopError,
  LoopEvent,
  Message,
  ResumeDecision,
  RunOptions,
  RunResult,
  RunStartEvent,
  Session,
  Snapshot,
  TraceContext,
} from "../../schemas/types.ts";
import type {
  BoundaryVerdict,
  ExecutableCall,
  Executed,
  InvokeModel,
  Ports,
  Provider,
  SettleVerdict,
  State,
  ToolContext,
  ToolOutput,
} from "../core/ports.ts";
import type { Folded } from "../state/journal-records.ts";
import type { Measured } from "../state/tool-report.ts";
import type { Clock } from "../support/clock.ts";
import type { SubagentSetup } from "../tools/define-tool.ts";
import type { AgentWithTools, ResolvedAgents } from "../tools/agents.ts";

/**
 * Controls one aspect of a run: a limit, a retry, a permission, a journal. The plug-ins of a run have one order, each wrapping
 * the next: on the way in (a turn starts, a call is made) the outer one acts first; on the way out (it ended), the inner one.
 */
export interface Plugin<Setup = object> {
  /** Unique in a run; named in errors, and in `replaces`, `outside` and `inside`. */
  readonly name: string;
  /**
   * The run options that it reads. If it is replaced, a run that sets one of them is refused. An option of your own that no plug-in
   * names is refused, too.
   */
  readonly options?: readonly (keyof RunOptions | (string & {}))[];
  /** The setup fields that it reads, with the same rule. */
  readonly setup?: readonly (keyof Setup & string)[];
  /** The plug-in that it replaces. */
  readonly replaces?: string;
  /** Stands directly outside of this one. By default, a plug-in stands between `hooks` and `dynamic-instructions`. */
  readonly outside?: string;
  /** Stands directly inside of this one. */
  readonly inside?: string;
  /**
   * Called once, before the run starts. Returns its points for this run; if it returns nothing, the run pays nothing for it.
   * Data shared between points lives in this closure; what must outlive the process, in the state.
   */
  attach(run: RunContext<Setup>): Points | undefined | void;
}

/** Where a plug-in acts. Every point is optional. A point that throws ends the run with error kind `internal`. */
export interface Points {
  /** Why the run must not start. The outermost reason wins. */
  refuses?: LoopError | undefined;
  /** Changes the agents as the model sees them. */
  agents?(agents: Record<string, Agent>): Record<string, Agent>;

  /** Acquires resources before the run starts, unless it was refused. A returned error refuses the run. Outermost first. */
  prepare?(state: State): Promise<LoopError | undefined>;
  /** The run has started. Outermost first. */
  begin?(state: State): Promise<void> | void;
  /** The run has ended and can no longer be changed. Innermost first. @param finalText that of the result, computed only for those who ask */
  end?(state: State, finalText: () => string): Promise<void> | void;
  /** Releases the resources, once, before `run_end`, however the run ended. Must not throw. */
  release?(): void;

  /** Between two turns. */
  betweenTurns?: {
    /** May the run continue? The outermost ending wins. Called again after `beforeTurn` and `beforeEnd`, which take their time. */
    check?: Boundary | undefined;
    /** Messages to append, or state to replace, before the next turn. Outermost first. */
    beforeTurn?: Boundary | undefined;
    /** What has come while every `beforeTurn` was asked, and none had anything: messages to append before the next turn. */
    meanwhile?: Boundary | undefined;
    /** The run is about to end: a reason to continue? Innermost first. */
    beforeEnd?: Boundary | undefined;
    /** The run is about to end, and a check forbids another turn: a different ending? Innermost first. */
    lastWord?: Boundary | undefined;
  };

  /** Around the model call of a turn. */
  aroundModel?(next: Ports["invokeModel"]): Ports["invokeModel"];
  /** Around one request to the provider. `aside`: it belongs to no turn (a summary), is not streamed and emits no events of a turn. */
  aroundRequest?(next: InvokeModel, aside: boolean): InvokeModel;
  /** Around the decision about one call whose arguments are valid. */
  beforeCall?(next: Ports["decide"]): Ports["decide"];
  /**
   * Reviews a decision to execute a call, with the arguments with which it would be executed. Returns another decision if it must
   * not stand. Outermost first; the first other decision counts.
   */
  review?(call: ExecutableCall, decision: RunDecision, state: State, when: ReviewTime): Awaitable<CallDecision>;
  /** Around the execution of a batch. Returns one entry per call, in call order. */
  aroundBatch?(next: Ports["execute"]): Ports["execute"];
  /** Around one tool. */
  aroundTool?(next: RunTool): RunTool;
  /** What follows a batch. The outermost ending wins; all changes of the state apply. */
  afterBatch?: Settle | undefined;
  /** As `afterBatch`, but called only if a tool requested something in addition to its result. */
  afterRequest?: Settle | undefined;
  /** Persists the state. */
  checkpoint?: Ports["checkpoint"];
  /** Why the state could not be persisted, if so: the error with which the run ends. Without it, the kind is `internal`. */
  failure?(): LoopError | undefined;

  /** Handles `run.ask`. */
  ask?: Ask;
  /** What must outlive the process but is held here, not in the state. */
  memory?(): Partial<State>;
  /** The measurements of a tool of the batch; undefined: it was not started. */
  measured?(call: ExecutableCall): Measured | undefined;
  /** The calls whose tools were signalled to stop and have not ended. */
  stillRunning?(): { id: string; name: string }[];
  /** Whether the result must leave out the text of the last response: the run was cut off before it was looked at. @see GUARDRAIL-21 HOOK-32 */
  keepsBack?(state: State): boolean;
}

/** What a run offers to its plug-ins. */
export interface RunContext<Setup = object> {
  /** The caller's setup. A plug-in sees its own part of it. */
  readonly setup: Setup;
  readonly provider: Provider;
  readonly options: RunOptions;
  /** Why the source of the run cannot be used, if so. */
  readonly refused: LoopError | undefined;
  /** The initial state. Later states are passed to the points. */
  readonly state: State;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The current agents. */
  readonly agents: ResolvedAgents;
  /** Input to the run while it is in progress. */
  readonly inbox: Inbox;
  /** Whether somebody is asked about calls or results while a batch is executed: a guardrail, or a plug-in of the caller. */
  asksInBatch(): boolean;
  /** The contents of the journal when the run started. */
  readonly folded: Folded | undefined;
  /** The turn of the current model call. */
  readonly turn: number;
  emit: Ports["emit"];
  validateInput: Ports["validateInput"];
  /** The agents as the model sees them. Available once the run has started. */
  declared(): Record<string, Agent>;
  /** The elapsed time of the run in all its processes, in milliseconds. */
  elapsed(): number;
  /** The merged `memory` of all plug-ins. */
  memory(): Memory;
  /** Ends the run from inside a point. Call it in `attach`. */
  earlyEnding(): EarlyEnding;
  /** Calls the model outside of the turns, through every `aroundRequest`. */
  request: InvokeModel;
  /** Calls the hooks of a point. */
  ask: Ask;
  /** Runs another agent, which inherits what a subagent inherits. @see SUBAGENT-4 */
  start(child: ChildRun): ChildHandle;
  measured(call: ExecutableCall): Measured | undefined;
}

/** Input to a run while it is in progress. */
export interface Inbox {
  /** Steering messages that are not appended yet, oldest first. */
  readonly steering: Message[];
  isStopping(): boolean;
  /** Takes the model passed to `switchModel` since the last call, if any. */
  takeWantedModel(): string | undefined;
}

/** Ends a run early. The calls of the response are no longer executed. @see HOOK-12 */
export interface EarlyEnding {
  /** Sets the ending. The first one wins. */
  end(ending: Ending): void;
  /** The ending, if set. */
  ending(): Ending | undefined;
}

/** What must outlive the process and is not in the state. `elapsed_ms`: of all processes. */
export type Memory = Partial<Pick<State, "unsaid">> & { tripped: State["tripped"] | undefined; elapsed_ms: number };

/** The run of a subagent: new, or resumed. */
export interface ChildRun {
  agent: string;
  agents: Record<string, AgentWithTools>;
  parent: NonNullable<RunStartEvent["parent"]>;
  options: RunOptions;
  signal: AbortSignal;
  context?: Record<string, unknown>;
  trace?: TraceContext;
  /** The tool's own setup for the run; it takes precedence. */
  own: SubagentSetup | undefined;
  from: { session: Session } | { snapshot: Snapshot; decisions: ResumeDecision[] };
}

export interface ChildHandle extends AsyncIterable<LoopEvent> {
  readonly result: Promise<RunResult>;
}

/** The decision to execute a call. */
export type RunDecision = Extract<CallDecision, { do: "run" }>;

/**
 * When a decision is reviewed: as soon as it was made (also that of a process that ended), or when a suspended run is resumed, for
 * each call that was not executed before.
 */
export type ReviewTime = "decided" | "resumed";

type Awaitable<T> = T | Promise<T>;

/** The verdict of one check. `limit`: the option whose limit was reached. */
export type Verdict = BoundaryVerdict & { limit?: string };

/** Called between two turns. If `state.ending` is set, the run is about to end. */
export type Boundary = (state: State) => Verdict | Promise<Verdict>;

/** What follows a batch; undefined: nothing. */
export type Settle = (executed: Executed[], state: State) => SettleVerdict | undefined;

/** Executes one call. @throws ToolError, or anything: it becomes the result of the call */
export type RunTool = (call: ExecutableCall, context: ToolContext, state: State) => Promise<ToolOutput>;

/** Calls every hook of a point, and merges the replies. */
export type Ask = (call: HookCall) => Promise<Asked>;

/** What all hooks of a point said: `contexts` has what each of them adds. @see HOOK-37 */
export type Asked = Omit<HookReply, "add_context"> & { contexts?: string[] };

/** A verdict that appends a follow-up. @see LOOP-44 LOOP-46 LOOP-61 LOOP-64 */
export function followUp(content: string): Verdict {
  return { do: "append", messages: [{ role: "user", content, synthetic: true }] };
}
