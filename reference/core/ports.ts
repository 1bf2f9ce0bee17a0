// The seams of the loop: everything that it is given, and everything that touches the world. Types only.

import type {
  Agent,
  CallDecision,
  Ending,
  LoopEvent,
  Message,
  ModelRequest,
  ModelResponse,
  Part,
  Snapshot,
  ToolResultMessage,
  WarningCode,
} from "../types.ts";

/**
 * The whole state of a run between two transitions: JSON, valid against `snapshot.schema.json`.
 * A step uses up the state it is given: lists only grow, so that a long run costs no copies.
 */
export type State = Snapshot;

/** An event before it is numbered. */
export type EventBody = LoopEvent extends infer E ? (E extends LoopEvent ? Omit<E, "seq"> : never) : never;

/** A piece of a response while it streams. `index` names the message, counted from 0 in order of start. */
export type StreamEvent =
  | { type: "message_start"; index: number; message: Message }
  | { type: "message_delta"; index: number; delta: string }
  | { type: "message_end"; index: number; message: Message };

/** What a provider is handed beside the request. */
export interface ModelCall {
  /** Aborted when the run is cancelled. A provider that ignores it is abandoned, not waited for. */
  signal: AbortSignal;
  /** Hears the response while it streams. Never called by a transport that does not stream. */
  onStream(event: StreamEvent): void;
  /** Hears what the provider's format could not carry, or had to change. @see PROVIDER-3 */
  warn(code: WarningCode, message: string): void;
}

/**
 * Calls a model: renders the generic request, sends it, and parses the answer back.
 *
 * A failed call is a response too, with `stop_reason` `error` or `interrupted`, an `error`, and in `messages` what the model
 * had said so far. A thrown exception is a bug of the provider and becomes error kind `internal`.
 * @see PROVIDER-21
 */
export type InvokeModel = (request: ModelRequest, call: ModelCall) => Promise<ModelResponse>;

/** A model behind one of the provider formats. */
export interface Provider {
  /** The provider's name, for example `anthropic-messages`. */
  readonly name: string;
  readonly invokeModel: InvokeModel;
}

/** What a tool may return: text, parts, or either with `is_error` or `final`. */
export type ToolOutput = string | Part[] | { output: string | Part[]; is_error?: boolean; final?: boolean };

/** A call whose arguments were parsed and validated. */
export interface ExecutableCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** What a tool is handed beside its input. */
export interface ToolContext {
  /** Aborted when the run is cancelled or the tool's time is over. */
  signal: AbortSignal;
  call: ExecutableCall;
  /** The turn, counted from 1. */
  turn: number;
}

export type ExecuteTool = (call: ExecutableCall, context: ToolContext) => Promise<ToolOutput>;

/** What became of one execution. `fatal`: the tool threw the designated fatal error. `final`: it says that the run is over. */
export interface Executed {
  result: ToolResultMessage;
  fatal?: boolean;
  final?: boolean;
}

/** One violation of a tool's `input_schema`: where in the arguments (JSON Pointer), and what is wrong there. */
export interface InputProblem {
  pointer: string;
  message: string;
}

export type BoundaryVerdict =
  | { do: "continue" }
  | { do: "append"; messages: Message[] }
  | { do: "end"; ending: Ending };

export type SettleVerdict = { do: "continue" } | { do: "end"; ending: Ending };

export type { Ending };

/** What a run is made of. `invokeModel` and the last four are the points that everything else plugs into. */
export interface Ports {
  agents: Record<string, Agent>;
  /** Calls the model; cancelling, streaming and warnings are its own affair. Failing is a response too. */
  invokeModel(request: ModelRequest, turn: number): Promise<ModelResponse>;
  executeTool: ExecuteTool;
  emit(event: EventBody): void;
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
  validateInput(schema: Record<string, unknown>, input: Record<string, unknown>): Promise<InputProblem[]>;
  /** Between two turns: limits, stops, steering. Where `state.ending` is set the run is about to end: `append` keeps it going. */
  boundary(state: State): Promise<BoundaryVerdict>;
  /** Before a valid call: permission. */
  decide(call: ExecutableCall, state: State): Promise<CallDecision>;
  /** Around a batch: which calls overlap. Every call is run once, results are returned in call order. */
  execute(calls: ExecutableCall[], run: (call: ExecutableCall) => Promise<Executed>, state: State): Promise<Executed[]>;
  /** After a batch. */
  settle(executed: Executed[], state: State): Promise<SettleVerdict>;
}
