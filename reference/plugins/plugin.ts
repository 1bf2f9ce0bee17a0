// What plugs into a run: one shape for everything that is not the core.

import type {
  Agent,
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
  ToolResultMessage,
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
 * Decides one thing about a run: a limit, a retry, a permission, a journal. The plug-ins of a run stand in one order, each around
 * the next: on the way in (a turn begins, a call is made) the outer one acts first, on the way out (it ended) the inner one does.
 */
export interface Plugin<Setup = object> {
  /** Unique in a run; named in errors, and in `replaces`, `outside` and `inside`. */
  readonly name: string;
  /** The run options that it reads. Setting one of them where the plug-in is replaced is refused. */
  readonly options?: readonly (keyof RunOptions)[];
  /** The fields of the setup that it reads. The same holds for them. */
  readonly setup?: readonly (keyof Setup & string)[];
  /** Takes the place of this one. */
  readonly replaces?: string;
  /** Stands just outside of this one. Default: with the other plug-ins of the user, between `hooks` and `dynamic-instructions`. */
  readonly outside?: string;
  /** Stands just inside of this one. */
  readonly inside?: string;
  /**
   * Asked once, before the run begins. Returns what is in force for this run; nothing: the run pays nothing for it.
   * What is remembered between points lives in this closure; what must outlive the process, in the state.
   */
  attach(run: RunContext<Setup>): Points | undefined | void;
}

/** Where a plug-in acts. Every point is optional. What a point throws ends the run with error kind `internal`. */
export interface Points {
  /** Why the run must not begin. The outermost reason counts. */
  refuses?: LoopError | undefined;
  /** The agents as the model is to see them. */
  agents?(agents: Record<string, Agent>): Record<string, Agent>;

  /** Before the run begins, when nobody has refused it: takes what it needs. An error refuses the run. Outermost first. */
  prepare?(state: State): Promise<LoopError | undefined>;
  /** The run has begun. Outermost first. */
  begin?(state: State): Promise<void> | void;
  /** The run has ended, and can be changed no more. Innermost first. */
  end?(state: State): Promise<void> | void;
  /** Gives back what it took, once, before the result is known, whatever became of the run. Never throws. */
  release?(): void;

  /** Between two turns. */
  betweenTurns?: {
    /** May the run go on? The outermost that ends it says how. */
    check?: Boundary | undefined;
    /** Something to say, or to replace, before the next turn. Outermost first. */
    beforeTurn?: Boundary | undefined;
    /** The run would end: a reason to go on? Innermost first. */
    beforeEnd?: Boundary | undefined;
    /** The run would end, and a check forbids another turn: does it end otherwise? Innermost first. */
    lastWord?: Boundary | undefined;
  };

  /** Around the model call of a turn. */
  aroundModel?(next: Ports["invokeModel"]): Ports["invokeModel"];
  /** Around one request to the provider. `aside`: it belongs to no turn (a summary); nothing of it is streamed or told. */
  aroundRequest?(next: InvokeModel, aside: boolean): InvokeModel;
  /** Around the decision about one call whose arguments are valid. */
  beforeCall?(next: Ports["decide"]): Ports["decide"];
  /** The last word about a call that is to be executed, whatever was decided: the result of one that must not be. */
  forbids?(call: ExecutableCall, state: State): ToolResultMessage | undefined;
  /** Around the execution of a batch. Returns one entry for each of its calls, in their order. */
  aroundBatch?(next: Ports["execute"]): Ports["execute"];
  /** Around one tool. */
  aroundTool?(next: RunTool): RunTool;
  /** What follows from a batch. The outermost that ends the run does so; what each puts into the state is put there. */
  afterBatch?: Settle | undefined;
  /** As `afterBatch`, but asked only where a tool asked for something beside its result. */
  afterRequest?: Settle | undefined;
  /** Keeps the state, if it is to outlive the process. */
  checkpoint?: Ports["checkpoint"];

  /** Answers what `run.ask` asks. */
  ask?: Ask;
  /** What is remembered here, and not in the state, and has to outlive the process. */
  memory?(): Partial<State>;
  /** What was seen of a tool of the batch; undefined: it was not started. */
  measured?(call: ExecutableCall): Measured | undefined;
  /** The calls that were signalled to stop, and whose tools have not ended. */
  stillRunning?(): { id: string; name: string }[];
}

/** What a plug-in is told of its run, and what it may ask of it. */
export interface RunContext<Setup = object> {
  /** What the caller gave. A plug-in sees its own part of it. */
  readonly setup: Setup;
  readonly provider: Provider;
  readonly options: RunOptions;
  /** Why what the run was to begin with cannot be used, if it cannot. */
  readonly refused: LoopError | undefined;
  /** The state in which the run begins. Later states are handed to the points. */
  readonly state: State;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The agents as they are now. */
  readonly agents: ResolvedAgents;
  /** What reaches the run from outside while it is under way. */
  readonly inbox: Inbox;
  /** What the journal had when the run began. */
  readonly folded: Folded | undefined;
  /** The turn of which the model is being asked. */
  readonly turn: number;
  emit: Ports["emit"];
  validateInput: Ports["validateInput"];
  /** The agents as the model sees them. To be asked when the run has begun. */
  declared(): Record<string, Agent>;
  /** How long the run has taken so far, in milliseconds, in all its processes. */
  elapsed(): number;
  /** What `memory` of every plug-in comes to. */
  memory(): Memory;
  /** Ends the run from inside a point. To be asked for in `attach`. */
  earlyEnding(): EarlyEnding;
  /** Asks the model aside of the turns, through every `aroundRequest`. */
  request: InvokeModel;
  /** Asks the hooks of a point. */
  ask: Ask;
  /** Runs another agent. It has of this run what a subagent has. @see SUBAGENT-4 */
  start(child: ChildRun): ChildHandle;
  measured(call: ExecutableCall): Measured | undefined;
}

/** What reaches a run from outside while it is under way. */
export interface Inbox {
  /** What was said to the run and not appended yet, oldest first. */
  readonly steering: Message[];
  isStopping(): boolean;
  /** The model that the run was told to switch to, if it was told since this was asked last. */
  takeWantedModel(): string | undefined;
}

/** How a run ends before its time. The calls of the response are not executed any more. @see HOOK-12 */
export interface EarlyEnding {
  /** The run is to end like this. The first one that says so counts. */
  end(ending: Ending): void;
  /** How the run is to end, if somebody said so. */
  ending(): Ending | undefined;
}

/** What must outlive the process and is not in the state. `elapsed_ms`: in all processes. */
export type Memory = Partial<Pick<State, "unsaid">> & { tripped: State["tripped"] | undefined; elapsed_ms: number };

/** The run of a subagent: a new one, or one that waited. */
export interface ChildRun {
  agent: string;
  agents: Record<string, AgentWithTools>;
  parent: NonNullable<RunStartEvent["parent"]>;
  options: RunOptions;
  signal: AbortSignal;
  context?: Record<string, unknown>;
  trace?: TraceContext;
  /** What the tool says of the run; it counts before all others. */
  own: SubagentSetup | undefined;
  from: { session: Session } | { snapshot: Snapshot; decisions: ResumeDecision[] };
}

export interface ChildHandle extends AsyncIterable<LoopEvent> {
  readonly result: Promise<RunResult>;
}

/** What one check says. `limit`: the option whose limit was reached. */
export type Verdict = BoundaryVerdict & { limit?: string };

/** Asked between two turns. Where `state.ending` is set, the run is about to end. */
export type Boundary = (state: State) => Verdict | Promise<Verdict>;

/** What a plug-in makes of a batch; undefined: nothing. */
export type Settle = (executed: Executed[], state: State) => SettleVerdict | undefined;

/** Executes one call. @throws ToolError, or anything: it becomes the result of the call */
export type RunTool = (call: ExecutableCall, context: ToolContext, state: State) => Promise<ToolOutput>;

/** Asks every hook of the point of a call, and joins what they say. */
export type Ask = (call: HookCall) => Promise<HookReply>;

/** A message of the loop to the model. @see LOOP-44 LOOP-46 LOOP-61 LOOP-64 */
export function say(content: string): Verdict {
  return { do: "append", messages: [{ role: "user", content, synthetic: true }] };
}
