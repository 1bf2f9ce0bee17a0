// The ports of the loop: everything that it is given, and every side effect. Types only.

import type {
  Agent,
  Bounds,
  CallDecision,
  Ending,
  LoopError,
  LoopEvent,
  Message,
  ModelRequest,
  ModelResponse,
  Part,
  Snapshot,
  Step,
  ToolResultMessage,
  TraceContext,
  WarningCode,
} from "../../schemas/types.ts";

/**
 * The whole state of a run between two transitions: JSON, valid against `snapshot.schema.json`.
 * A step consumes the state it is given: lists only grow, so that a long run makes no copies.
 */
export type State = Snapshot;

/** An event before it is numbered. */
export type EventBody = LoopEvent extends infer E ? (E extends LoopEvent ? Omit<E, "seq"> : never) : never;

/** A piece of a response while it streams. `index` names the message, counted from 0 in order of start. */
export type StreamEvent =
  | { type: "message_start"; index: number; message: Message }
  | { type: "message_delta"; index: number; delta: string }
  | { type: "message_end"; index: number; message: Message };

/** What a provider receives in addition to the request. */
export interface ModelCall {
  /** Aborted when the run is cancelled. A provider that ignores it is abandoned, not waited for. */
  signal: AbortSignal;
  /** Receives the response while it streams. Never called by a transport that does not stream. */
  onStream(event: StreamEvent): void;
  /** Receives what had come of a stream at once when the signal aborts: nobody waits for the response then. @see CANCEL-12 */
  onCutOff?(soFar: ModelResponse): void;
  /** How much of the answer is read. Absent: the defaults. @see PROVIDER-43 */
  bounds?: Bounds;
  /** Reports what the provider's format cannot represent, or had to change. @see PROVIDER-3 */
  warn(code: WarningCode, message: string): void;
}

/**
 * Calls a model: renders the generic request, sends it, and parses the answer back.
 *
 * A failed call is also a response, with `stop_reason` `error` or `interrupted`, an `error`, and the partial output in
 * `messages`. An exception is a bug in the provider and becomes error kind `internal`.
 * @see PROVIDER-21
 */
export type InvokeModel = (request: ModelRequest, call: ModelCall) => Promise<ModelResponse>;

/** A model behind one of the provider formats. */
export interface Provider {
  /** The provider's name, for example `anthropic-messages`. */
  readonly name: string;
  /** The model that it calls by default, if known. */
  readonly model?: string;
  readonly invokeModel: InvokeModel;
}

/** What a tool may return: text, parts, or either with more. At least one of `output` and `data` is present. */
export type ToolOutput = string | Part[] | ToolReturn;

/** @see TOOL-29 TOOL-33 LOOP-52 LOOP-67 */
export interface ToolReturn {
  output?: string | Part[];
  /** The output for programs: any JSON value. Without `output`, its JSON text is what the model reads. */
  data?: unknown;
  is_error?: boolean;
  /** The run ends if every result of the batch is final. */
  final?: boolean;
  context_updates?: Record<string, unknown>;
  /** The agent that continues the run; null: none. */
  handoff?: string | null;
}

/** A call whose arguments were parsed and validated. */
export interface ExecutableCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** What a tool receives in addition to its input. */
export interface ToolContext {
  /** Aborted when the run is cancelled or the tool times out. */
  signal: AbortSignal;
  call: ExecutableCall;
  /** The turn, counted from 1. */
  turn: number;
  /** The context variables as they were before the batch. A copy. @see TOOL-32 TOOL-35 */
  context: Record<string, unknown>;
  /** The trace context of the call, for the tool to propagate. @see TOOL-36 */
  trace?: TraceContext;
  /** Metrics of the tool, for the report of the run. @see RESULT-17 */
  metrics: Record<string, number | string | boolean>;
  /** Reports progress: any JSON value. @see TOOL-31 */
  progress(value: unknown): void;
}

export type ExecuteTool = (call: ExecutableCall, context: ToolContext) => Promise<ToolOutput>;

/** One execution: its result, and what the tool requested. `fatal`: the tool threw a fatal `ToolError`. */
export interface Executed extends Pick<ToolReturn, "final" | "context_updates" | "handoff"> {
  result: ToolResultMessage;
  fatal?: boolean;
  /** Why the run cannot continue: something other than a tool threw. */
  broken?: LoopError;
}

/** One violation of a tool's `input_schema`: where in the arguments (JSON Pointer), and what is wrong there. */
export interface InputProblem {
  pointer: string;
  message: string;
}

/** `replace` changes values of the state; the point is then called again. */
export type BoundaryVerdict =
  | { do: "continue" }
  | { do: "append"; messages: Message[] }
  | { do: "replace"; by: Partial<Pick<State, "session" | "model" | "response_start">> }
  | { do: "end"; ending: Ending };

/** What follows a batch: changes of the state, the end of the run, both, or neither. The next boundary decides on an ending in `by`. */
export interface SettleVerdict {
  by?: Partial<Pick<State, "agent" | "context" | "ending">>;
  ending?: Ending;
}

/** A response, with fields for its entry in the run's steps. */
export type Answer = ModelResponse & { notes?: Partial<Step> };

export type { Ending };

/** The ports of a run. `invokeModel` and the last five are the points that everything else plugs into. */
export interface Ports {
  agents: Record<string, Agent>;
  /** Calls the model. It handles cancellation, streaming and warnings itself. A failure is also a response. */
  invokeModel(request: ModelRequest, turn: number, state: State): Promise<Answer>;
  executeTool(call: ExecutableCall, context: Pick<ToolContext, "signal" | "turn">, state: State): Promise<ToolOutput>;
  emit(event: EventBody): void;
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
  validateInput(schema: Record<string, unknown>, input: unknown): Promise<InputProblem[]>;
  /** Between two turns: limits, stops, steering. If `state.ending` is set, the run is about to end; `append` continues it. */
  boundary(state: State): Promise<BoundaryVerdict>;
  /** Before a valid call: permission. */
  decide(call: ExecutableCall, state: State): Promise<CallDecision>;
  /** Around a batch: which calls overlap. Every call is run once; results are returned in call order. */
  execute(calls: ExecutableCall[], run: (call: ExecutableCall) => Promise<Executed>, state: State): Promise<Executed[]>;
  /** After a batch. */
  settle(executed: Executed[], state: State): Promise<SettleVerdict>;
  /** After every step except the one to `calling_model`: persists the state. The next step waits for it. */
  checkpoint(state: State): Promise<void>;
}
