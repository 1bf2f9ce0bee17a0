// The types of the specification, generated from schemas/ by `npm run generate`. Do not edit.
//
// Messages, parts, sessions and snapshots are open: they may carry fields that are not named here, and a program must
// preserve them. UnknownMessage and UnknownPart stand apart from Message and Part, so that the unions can be narrowed.

/** What the caller decided about one pending call of a suspended run. */
export type ResumeDecision = RespondDecision | ApproveDecision | DenyDecision | SkipDecision;
/** The closed list of error kinds. */
export type ErrorKind =
  | "invalid_request"
  | "authentication"
  | "permission"
  | "not_found"
  | "request_too_large"
  | "context_window_exceeded"
  | "rate_limit"
  | "quota"
  | "overloaded"
  | "server_error"
  | "timeout"
  | "network"
  | "stream_interrupted"
  | "invalid_response"
  | "unsupported"
  | "pause_limit"
  | "tool_fatal"
  | "tool_choice_violated"
  | "invalid_session"
  | "session_in_use"
  | "superseded"
  | "configuration"
  | "internal";
/** One thing that happened in a run, in order. */
export type LoopEvent =
  | RunStartEvent
  | RunEndEvent
  | TurnStartEvent
  | TurnEndEvent
  | ModelStartEvent
  | ModelEndEvent
  | MessageStartEvent
  | MessageDeltaEvent
  | MessageEndEvent
  | MessageEvent
  | ToolStartEvent
  | ToolEndEvent
  | ToolLateResultEvent
  | RetryEvent
  | FallbackEvent
  | WarningEvent
  | AttemptStartEvent
  | AttemptEndEvent
  | WaitStartEvent
  | WaitEndEvent
  | LimitEvent
  | ToolProgressEvent
  | SubagentEvent
  | HandoffEvent
  | SwitchModelEvent
  | CompactionEvent
  | AmendmentEvent;
/** The closed list of warnings. */
export type WarningCode =
  | "tool_use_without_calls"
  | "duplicate_id_renamed"
  | "missing_id_generated"
  | "thinking_dropped"
  | "provider_item_dropped"
  | "part_dropped"
  | "part_moved"
  | "id_mapped"
  | "empty_message_dropped"
  | "setting_dropped"
  | "hook_failed"
  | "permission_overridden"
  | "watcher_failed"
  | "guardrail_finding"
  | "compaction_failed"
  | "compaction_disabled"
  | "tool_changed";
/**
 * A name with a dot, which the specification never defines: a domain of its owner, turned round, and a word. It may stand where a list of names is closed otherwise.
 */
export type ExtensionName = string;
/** What a guardrail is asked, and what it may answer. */
export type Guardrail = GuardrailFilter | GuardrailCheck | GuardrailFinding;
/** Where in a run guardrails are asked. */
export type GuardrailPoint = "input" | "model_output" | "tool_input" | "tool_output" | "final_output";
/** How grave a finding is, for whoever reads of it. */
export type Severity = "low" | "medium" | "high" | "critical";
/** What a hook is asked, and what it may answer. */
export type Hook = HookFilter | HookCall | HookReply;
/** Where in a run hooks are called. */
export type HookPoint =
  | "run_start"
  | "user_input"
  | "turn_start"
  | "before_compaction"
  | "after_compaction"
  | "before_model"
  | "after_model"
  | "before_tool"
  | "after_tool"
  | "tool_failure"
  | "turn_end"
  | "stop"
  | "run_end";
/** One record of a journal. The records of a session, folded in order, are the state of its last run. */
export type JournalRecord = BeginRecord | TransitionRecord | ToolStartedRecord | ToolFinishedRecord;
/**
 * One entry of a session, in the generic format. A message has a role or a type. Messages are open: unknown fields are preserved, and a message of an unknown type is carried as it is.
 */
export type Message =
  | SystemMessage
  | UserMessage
  | AssistantMessage
  | ThinkingMessage
  | ToolCallMessage
  | ToolResultMessage
  | ProviderItemMessage;
/**
 * Present on every message of a response that an error, a lost stream, a cancel or an exhausted pause cut off, that a guardrail refused, or that has nothing but thinking, and on the results made up for its calls. Such messages are never sent to a model again.
 */
export type MessageStatus = "incomplete";
/** Why a tool result is what it is, for machines. suspended stands only in events: the call has no result yet. */
export type Outcome =
  | "ok"
  | "error"
  | "invalid_arguments"
  | "unknown_tool"
  | "denied"
  | "skipped"
  | "timeout"
  | "cancelled"
  | "not_executed"
  | "interrupted"
  | "suspended";
/**
 * Why the model stopped, normalized. other: the provider used a word that this version does not know; raw_stop_reason has it.
 */
export type StopReason =
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "context_window_exceeded"
  | "stop_sequence"
  | "refusal"
  | "content_filter"
  | "pause"
  | "error"
  | "interrupted"
  | "other";
/** Whether the model may, must or must not call a tool, or which one it must call. */
export type ToolChoice = ("auto" | "none" | "required") | NamedToolChoice;
/**
 * One piece of the content of a user message or of the output of a tool. Parts are open: unknown fields are preserved, and a part of an unknown type is carried as it is.
 */
export type Part = TextPart | ImagePart | DocumentPart;
/** A provider: the format in which a model is asked. Generated from the folders of the providers. */
export type ProviderName = "anthropic-messages" | "gemini" | "openai-chat" | "openai-responses";
/** Where a loop meets the kit: at a model in generic terms, or at a provider. */
export type Seam = "generic" | "anthropic-messages" | "gemini" | "openai-chat" | "openai-responses";
/**
 * How a run ended. The list is closed; budget, deadline, token_limit, tool_call_limit, error_limit, guardrail and structured_output_failed belong to optional features.
 */
export type RunStatus =
  | "completed"
  | "max_turns"
  | "budget"
  | "deadline"
  | "token_limit"
  | "tool_call_limit"
  | "error_limit"
  | "max_tokens"
  | "refused"
  | "incomplete"
  | "guardrail"
  | "stopped"
  | "cancelled"
  | "suspended"
  | "structured_output_failed"
  | "error";
/**
 * Why the model was called. initial: the run began. tool_followup: calls were answered. continuation: the response was cut off. correction: the loop asked for something else, or again. steering: somebody said something.
 */
export type StepKind = "initial" | "tool_followup" | "continuation" | "correction" | "steering";
/** The states of the state machine. */
export type Phase = "turn_boundary" | "calling_model" | "deciding" | "suspended" | "executing" | "done";
/** What was decided about one call of the batch. */
export type CallDecision = RunDecision | AnswerDecision | AskDecision;
/**
 * How an answer travels. json: one JSON body. Every other: a stream of events, as the folder of a provider frames them. Generated from the folders of the providers.
 */
export type TransportName = "json" | "sse";
/** A transport, or streamed: every one that streams. */
export type TransportFilter = "json" | "sse" | "streamed";

/**
 * Who answers: instructions, tools and limits under a name. A run is given a map of agents and the name of the active one.
 */
export interface Agent {
  /** The agent's name. */
  name: string;
  /** Sent as the first system text of every request; never stored in the session. */
  instructions?: string;
  /** The provider's name of the model. */
  model?: string;
  /** The tools that the model may call. Absent means none. */
  tools?: Tool[];
  /** How the model is asked. */
  settings?: ModelSettings;
  /** Limits of this agent; they replace the same options of the run. */
  limits?: {
    /** See the run option of the same name. */
    max_turns?: number | null;
  };
}

/** The caller answers the call. */
export interface RespondDecision {
  /** The call's id. */
  id: string;
  /** What the pending call has under this name. Absent: a call of the run itself. */
  path?: string[];
  /** output is the result of the call. */
  action: "respond";
  /** What the model reads. */
  output: string | Part[];
  /** True if the call did not succeed. Absent means false. */
  is_error?: boolean;
}

/** The call is executed. Only for a call that waits for approval. */
export interface ApproveDecision {
  /** The call's id. */
  id: string;
  /** What the pending call has under this name. Absent: a call of the run itself. */
  path?: string[];
  /** The call is executed. */
  action: "approve";
  /** What the pending call has under this name: approves or denies that very call, with those arguments. */
  input_hash: string;
  /** Arguments to execute it with instead of the model's; rules and mode are asked about them. Open. */
  input?: Record<string, unknown>;
  /**
   * The call is executed although rules or the mode deny it. Absent: what they deny is answered denied, approved or not.
   */
  override?: true;
}

/** The call is not executed, and the model is told so. */
export interface DenyDecision {
  /** The call's id. */
  id: string;
  /** What the pending call has under this name. Absent: a call of the run itself. */
  path?: string[];
  /** The call is not executed, and the model is told so. */
  action: "deny";
  /**
   * What the pending call has under this name, where it has one. Absent: nothing is compared, because nothing is executed.
   */
  input_hash?: string;
  /** Why; the model reads it. */
  reason?: string;
}

/** The call is not executed, for no reason that the model has to know. */
export interface SkipDecision {
  /** The call's id. */
  id: string;
  /** What the pending call has under this name. Absent: a call of the run itself. */
  path?: string[];
  /** The call is not executed, for no reason that the model has to know. */
  action: "skip";
}

/** Why a run ended with status error, or why a model call failed. */
export interface LoopError {
  /** Which of the closed list of kinds it is. */
  kind: ErrorKind;
  /** For people: what was expected, what came, what to do. */
  message: string;
  /** The HTTP status, where there was one. */
  status?: number;
  /** The provider that failed. */
  provider?: string;
  /** The provider's own name of the error. */
  code?: string;
  /** How long the provider asked to wait, in milliseconds. */
  retry_after_ms?: number;
  /** What the provider said about trying again, where it said something. */
  should_retry?: boolean;
}

/** The call for which the run of a subagent was started. Absent: the run is no subagent's. */
export interface ParentRun {
  /** The session of the run that has the call. */
  session_id: string;
  /** The call. */
  call_id: string;
}

/** A run began. Always the first event. */
export interface RunStartEvent {
  /** Names the kind of event. */
  type: "run_start";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The session. */
  session_id: string;
  /** The active agent. */
  agent: string;
  /** True if the run continues a suspended one, or one whose process ended. */
  resumed?: boolean;
  /** The spec_version of the session. */
  spec_version?: string;
  /** The provider that is asked. */
  provider?: string;
  /** The model that is asked first. Absent if the run does not know. */
  model?: string;
  /** The names of the active agent's tools, in their order, as far as they are known before the first turn. */
  tools?: string[];
  /** The limits that the run has. */
  limits?: RunLimits;
  /** The call for which the run of a subagent was started. Absent: the run is no subagent's. */
  parent?: ParentRun;
}

/** The limits of a run under the names of their options. A limit that the run does not have is absent. */
export interface RunLimits {
  /** See the run option of the same name. */
  max_turns?: number;
  /** See the run option of the same name. */
  budget?: string;
  /** See the run option of the same name. */
  deadline_ms?: number;
  /** See the run option of the same name. */
  max_total_tokens?: number;
  /** See the run option of the same name. */
  max_tool_calls?: number;
  /** See the run option of the same name. */
  max_failed_turns?: number;
}

/** A run ended. Always the last event. */
export interface RunEndEvent {
  /** Names the kind of event. */
  type: "run_end";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The result, without the snapshot. */
  result: RunResult;
}

/** A turn began, or a suspended turn goes on. */
export interface TurnStartEvent {
  /** Names the kind of event. */
  type: "turn_start";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** True if the turn was suspended before, or the process ended in it. */
  resumed?: boolean;
}

/** A turn ended. */
export interface TurnEndEvent {
  /** Names the kind of event. */
  type: "turn_end";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
}

/** A model call began. */
export interface ModelStartEvent {
  /** Names the kind of event. */
  type: "model_start";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** The model asked for. */
  model?: string;
}

/** A model call ended, whether it succeeded, failed or was cancelled. */
export interface ModelEndEvent {
  /** Names the kind of event. */
  type: "model_end";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** Why the model stopped; error or interrupted if it failed. */
  stop_reason: StopReason;
  /** The provider's own word. */
  raw_stop_reason?: string | null;
  /** Tokens of the call. */
  usage?: Usage;
  /** Present if the call failed. */
  error?: LoopError;
}

/** A streamed message began. Only streaming transports send it. */
export interface MessageStartEvent {
  /** Names the kind of event. */
  type: "message_start";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /**
   * Names the streamed message, counted from 0 in the order in which messages started. The order in the response may differ.
   */
  index: number;
  /** The message as far as it is known: role or type, id and name, with empty content. */
  message: Message;
}

/** A piece of a streamed message: of the text, the readable reasoning, or the arguments as written. */
export interface MessageDeltaEvent {
  /** Names the kind of event. */
  type: "message_delta";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /**
   * Names the streamed message, counted from 0 in the order in which messages started. The order in the response may differ.
   */
  index: number;
  /** The piece. */
  delta: string;
}

/** A streamed message ended, complete or cut off. */
export interface MessageEndEvent {
  /** Names the kind of event. */
  type: "message_end";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /**
   * Names the streamed message, counted from 0 in the order in which messages started. The order in the response may differ.
   */
  index: number;
}

/** A message was appended to the session. Appending every one in order rebuilds the session. */
export interface MessageEvent {
  /** Names the kind of event. */
  type: "message";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1; 0 before the first. */
  turn: number;
  /** The message. */
  message: Message;
}

/** A tool began to run. */
export interface ToolStartEvent {
  /** Names the kind of event. */
  type: "tool_start";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** The call's id. */
  id: string;
  /** The tool. */
  name: string;
  /** The validated arguments. Open. */
  input: Record<string, unknown>;
}

/** A tool ended, or the loop stopped waiting for it. */
export interface ToolEndEvent {
  /** Names the kind of event. */
  type: "tool_end";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** The call's id. */
  id: string;
  /** The tool. */
  name: string;
  /** What became of it. */
  outcome: Outcome;
}

/** A tool answered after the loop had stopped waiting; the value was discarded. */
export interface ToolLateResultEvent {
  /** Names the kind of event. */
  type: "tool_late_result";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** The call's id. */
  id: string;
  /** The tool. */
  name: string;
}

/** Something was changed or lost that a person may want to know. Never changes the run. */
export interface WarningEvent {
  /** Names the kind of event. */
  type: "warning";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1; 0 before the first. */
  turn: number;
  /** Which of the closed list of warnings it is. */
  code: WarningCode;
  /** For people. */
  message: string;
  /** With code guardrail_finding: who found it, and how grave it is. */
  guardrail?: TrippedGuardrail;
}

/** A model call failed, and will be tried again after a wait. */
export interface RetryEvent {
  /** Names the kind of event. */
  type: "retry";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** Counts the failed attempts of this call. */
  attempt: number;
  /** How long the loop waits, in milliseconds. */
  wait_ms: number;
  /** Why the call failed. */
  error: LoopError;
}

/** A model failed for good, and another one is asked. */
export interface FallbackEvent {
  /** Names the kind of event. */
  type: "fallback";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** The model that is asked now. */
  model: string;
  /** Why the call failed. */
  error: LoopError;
}

/** A request to the provider began. A model call has several if one fails or pauses. */
export interface AttemptStartEvent {
  /** Names the kind of event. */
  type: "attempt_start";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** Counts the requests of a turn from 1. */
  attempt: number;
  /** The model asked for. */
  model?: string;
}

/** A request to the provider ended, whatever became of it. */
export interface AttemptEndEvent {
  /** Names the kind of event. */
  type: "attempt_end";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** Counts the requests of a turn from 1. */
  attempt: number;
  /** Why the model stopped; error or interrupted if the request failed. */
  stop_reason: StopReason;
  /** Present if it failed. */
  error?: LoopError;
}

/** The loop waits before it tries again. */
export interface WaitStartEvent {
  /** Names the kind of event. */
  type: "wait_start";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** For how long, in milliseconds. */
  wait_ms: number;
}

/** The loop has waited, or the wait was cancelled. */
export interface WaitEndEvent {
  /** Names the kind of event. */
  type: "wait_end";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
}

/** A limit ends the run. */
export interface LimitEvent {
  /** Names the kind of event. */
  type: "limit";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn that has ended; 0 before the first. */
  turn: number;
  /** The option that sets the limit, for example max_turns. */
  limit: string;
  /** The status with which the run ends. */
  status: RunStatus;
}

/** A running tool says how far it is. */
export interface ToolProgressEvent {
  /** Names the kind of event. */
  type: "tool_progress";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** The call's id. */
  id: string;
  /** The tool. */
  name: string;
  /** What it says: any JSON value. */
  progress: unknown;
}

/** Something happened in the run of a subagent. */
export interface SubagentEvent {
  /** Names the kind of event. */
  type: "subagent_event";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** The id of the call that the subagent answers. */
  id: string;
  /** The tool. */
  name: string;
  /** What happened, as the run of the subagent tells it. */
  event: LoopEvent;
}

/** Another agent is active from the next turn on. */
export interface HandoffEvent {
  /** Names the kind of event. */
  type: "handoff";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn, counted from 1. */
  turn: number;
  /** The agent that was active. */
  from: string;
  /** The agent that is active from now on; null if none is, and the run ends. */
  to: string | null;
}

/** Another model is asked from the next turn on. */
export interface SwitchModelEvent {
  /** Names the kind of event. */
  type: "switch_model";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn that has ended; 0 before the first. */
  turn: number;
  /** The model that is asked from now on. */
  model: string;
}

/** Messages of the session were marked: session.messages[from:to] are now messages. */
export interface AmendmentEvent {
  /** Names the kind of event. */
  type: "amendment";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn that has ended; 0 before the first. */
  turn: number;
  /** Index in session.messages of the first message of the range. */
  from: number;
  /** Index of the first message after the range. */
  to: number;
  /** The messages of the range as they are now, as many as before. */
  messages: Message[];
}

/** Messages of the session were replaced by others: session.messages[from:to] by messages. */
export interface CompactionEvent {
  /** Names the kind of event. */
  type: "compaction";
  /** Counts the events of a run from 0 without gaps. */
  seq: number;
  /** The turn that has ended; 0 before the first. */
  turn: number;
  /** The strategy, or shorten_results where only large results were shortened. */
  strategy: string;
  /** Index in session.messages of the first message that was replaced. */
  from: number;
  /** Index of the first message after them that was not. */
  to: number;
  /** What stands in their place. */
  messages: Message[];
  /** How many tokens the next request was estimated to have. */
  before_tokens: number;
  /** How many it is estimated to have now. */
  after_tokens: number;
}

/** An event that the specification does not define. Whoever does not know it leaves it aside. Open. */
export interface ExtensionEvent {
  /** Names the kind of event. */
  type: ExtensionName;
  /** Its number in the run: it is counted like any other. */
  seq: number;
}

/** Where a recording comes from. */
export interface Provenance {
  /** When it was recorded, ISO 8601. */
  date: string;
  /** The model that answered. */
  model?: string;
  /** The program that recorded it, and its version. */
  recorder: string;
  /** What was replaced. */
  redacted?: string[];
}

/**
 * How a request must agree with the recorded one to be given its response. Absent: in order, and equal but for nothing.
 */
export interface ReplayTerms {
  /**
   * strict: requests come in the order of the exchanges. any: each request takes the first exchange, not yet used, that it agrees with.
   */
  order?: "strict" | "any";
  /**
   * JSON pointers into the body of requests whose values are not compared; `*` stands for any one key or index. A field that only one side has is volatile too.
   */
  volatile?: string[];
  /**
   * JSON pointers, as in volatile, whose values may differ but are of the same kind. An id that differs once stands for the same id everywhere.
   */
  like?: {
    [k: string]: "id" | "date" | "uuid" | "number" | "string";
  };
}

/** Recorded or crafted model traffic: exchanges in order. */
export interface Fixture {
  /** Version of the fixture format. */
  fixture: 1;
  /** recorded: a real server said it. crafted: a person wrote it. */
  origin: "recorded" | "crafted";
  /** What the fixture is for. Required if it is crafted. */
  why?: string;
  /** Where a recording comes from. */
  recorded?: Provenance;
  /**
   * How a request must agree with the recorded one to be given its response. Absent: in order, and equal but for nothing.
   */
  replay?: ReplayTerms;
  /** The exchanges, in order. */
  exchanges: Exchange[];
}

/** One request and its response. */
export interface Exchange {
  /** The provider whose format it is; absent where the kit does not know it. */
  provider?: string;
  /** null where the source kept only responses. */
  request: FixtureRequest | null;
  /** What the server answered. */
  response: FixtureResponse;
  /** The name that the recorder was given for the host, where it is not the provider's own. */
  upstream?: string;
  /** When the request began, in milliseconds after the recording began. */
  at_ms?: number;
  /**
   * The request came before the answers to all requests before it had come. It and the exchange before it may be asked for in any order.
   */
  overlaps?: true;
}

/** What the client asked. */
export interface FixtureRequest {
  /** The HTTP method. */
  method: string;
  /** The path with its query. */
  path: string;
  /** The request headers worth keeping, names in lower case. */
  headers?: Record<string, string>;
  /** The body, JSON or a string. */
  body?: unknown;
  /** How the JSON in body was laid out. Only beside body. Absent: as JSON.stringify does. */
  layout?: JsonLayout;
  /** The body where it is not text. Not beside body. */
  base64?: string;
}

/** What the server answered. Exactly one of body, text, events and writes is present. */
export interface FixtureResponse {
  /** The HTTP status, of a final answer. */
  status: number;
  /**
   * The response headers worth keeping, names in lower case. HTTP allows no line breaks and no control characters in a value, and no white space in a name.
   */
  headers?: Record<string, string>;
  /** A JSON body. */
  body?: unknown;
  /** How the JSON in body was laid out. Only beside body. Absent: as JSON.stringify does. */
  layout?: JsonLayout;
  /** A body that is not JSON, or JSON in a layout that none describes. */
  text?: string;
  /**
   * The events of a stream, framed as the content-type of the answer says, or as server-sent events where it says nothing; only where writing them again gives the recorded bytes.
   */
  events?: FixtureEvent[];
  /** The body as single writes of the server. */
  writes?: FixtureWrite[];
  /** Who ended the response before it was whole: the client went away, or the connection to the server was lost. */
  cut?: "client" | "server";
}

/**
 * How the JSON of a body was laid out, so that its bytes can be written again. Absent: without white space, and without needless escapes.
 */
export interface JsonLayout {
  /** What each level is indented by, up to ten marks; each value has a line of its own. */
  indent?: string;
  /** A space follows each comma and colon, as Python writes it. */
  spaced?: true;
  /** What is not ASCII is escaped. */
  ascii?: true;
  /** A line break ends it. */
  newline?: true;
}

/** One event of a stream. */
export interface FixtureEvent {
  /** Its name; absent if it has none. In a server-sent event, the event field. */
  event?: string;
  /** What it says: JSON where it serialises back identically, else a string. In a server-sent event, the data field. */
  data: unknown;
  /** When it was sent, in milliseconds after the response began. */
  at_ms?: number;
  /** Sent in one write with the event before. */
  joined?: true;
}

/** One write of the server. Exactly one of text and base64 is present. */
export interface FixtureWrite {
  /** The bytes as UTF-8. */
  text?: string;
  /** The bytes, base64. */
  base64?: string;
  /** When it was sent, in milliseconds after the response began. */
  at_ms?: number;
}

/** A guardrail, and where it is asked. */
export interface GuardrailFilter {
  /** What the result says if it trips. */
  name: string;
  /** Where. */
  points: GuardrailPoint[];
}

/** At the points of a tool: the call. */
export interface GuardedCall {
  /** The call's id. */
  id: string;
  /** The tool. */
  name: string;
  /** The arguments. Open. */
  input: Record<string, unknown>;
}

/** What a guardrail is told. */
export interface GuardrailCheck {
  /** Where in the run. */
  point: GuardrailPoint;
  /** The turn; 0 before the first. */
  turn: number;
  /** The active agent. */
  agent: string;
  /** The session of the run that asks: that of a subagent is its own. */
  session_id?: string;
  /** At input: what the user said. At model_output: what the model said. */
  messages?: Message[];
  /** At final_output: the final text. */
  text?: string;
  /** At the points of a tool: the call. */
  call?: GuardedCall;
  /** At tool_output: what the tool answered. */
  output?: string | Part[];
}

/** What a guardrail found. */
export interface GuardrailFinding {
  /** True if the run has to end. False with a reason: something was found that does not end it. */
  trip: boolean;
  /** What was found. */
  reason?: string;
  /** How grave it is. It decides nothing: that a run has to end, trip says. */
  severity?: Severity;
}

/** Which guardrail found something, and where. */
export interface TrippedGuardrail {
  /** Its name. */
  name: string;
  /** Where it was asked. */
  point: GuardrailPoint;
  /** How grave the finding is, if the guardrail said so. */
  severity?: Severity;
}

/** When a hook is called. */
export interface HookFilter {
  /** Where. */
  point: HookPoint;
  /** At the points of a tool: only for tools whose name fits; * stands for any text. Absent: for every tool. */
  tool?: string;
}

/** At the points of a tool: the call. */
export interface HookedCall {
  /** The call's id. */
  id: string;
  /** The tool. */
  name: string;
  /** The arguments, as hooks before this one changed them. Open. */
  input: Record<string, unknown>;
}

/** At the points of a compaction. */
export interface HookedCompaction {
  /** The strategy. */
  strategy: string;
  /** How many tokens the next request was estimated to have. */
  before_tokens: number;
  /** At after_compaction: how many it is estimated to have now. */
  after_tokens?: number;
}

/** What a hook is told. */
export interface HookCall {
  /** Where in the run. */
  point: HookPoint;
  /** The turn; 0 before the first. */
  turn: number;
  /** The active agent. */
  agent: string;
  /** The session of the run that asks: that of a subagent is its own. */
  session_id?: string;
  /** At user_input: what the user said. */
  message?: Message;
  /**
   * At after_model: what the model said. At before_compaction: the messages of the session, before anything of it is replaced.
   */
  messages?: Message[];
  /** At the points of a tool: the call. */
  call?: HookedCall;
  /** At after_tool and tool_failure: what the tool answered, as hooks before this one changed it. */
  output?: string | Part[];
  /** At tool_failure: what became of the call. */
  outcome?: Outcome;
  /** At stop and run_end: how the run ends. */
  status?: RunStatus;
  /** At stop: the text of the last response. At run_end: the final_text of the result. */
  final_text?: string;
  /** At the points of a compaction. */
  compaction?: HookedCompaction;
}

/** What a hook answers. What a point has no use for is ignored. */
export interface HookReply {
  /**
   * user_input, before_model, after_model: ends the run. before_tool: denies the call. before_compaction: leaves the session as it is before this turn. stop: keeps the run going. Says why.
   */
  block?: string;
  /** before_tool: the call is answered skipped. */
  skip?: boolean;
  /** before_tool: other arguments. Open. */
  input?: Record<string, unknown>;
  /** before_tool: answers the call. after_tool, tool_failure: replaces what the tool answered. */
  output?: string | Part[];
  /** With output: the answer is an error. Absent means false. */
  is_error?: boolean;
  /** user_input, before_model, after_tool, tool_failure: says this to the model before it is called. */
  add_context?: string;
}

/** The first record, and only that one: the whole state. */
export interface BeginRecord {
  /** Names the kind of record. */
  type: "begin";
  /** Version of the journal format, major.minor. A reader refuses a major version that it does not know. */
  spec_version: string;
  /** The state in which the first run began. */
  snapshot: Snapshot;
}

/** The end of the session's messages. */
export interface NewMessages {
  /** How many messages of the record before are still there, counted from the first. */
  from: number;
  /** The messages after these. */
  items: Message[];
}

/** The end of the steps. */
export interface NewSteps {
  /** How many steps of the record before are still as they were, counted from the first. */
  from: number;
  /** The steps after these. */
  items: Step[];
}

/**
 * What is different in the state since the record before: after a step, or because another run began on the session.
 */
export interface TransitionRecord {
  /** Names the kind of record. */
  type: "transition";
  /** Where in the state machine the run is now. */
  phase: Phase;
  /** Turns started. */
  turn: number;
  /** The end of the session's messages. */
  messages?: NewMessages;
  /** The end of the steps. */
  steps?: NewSteps;
  /** The fields of the session other than its messages, all of them, where one is different. Open. */
  session?: Record<string, unknown>;
  /** The other fields of the snapshot that are different, whole. Open. */
  set?: Record<string, unknown>;
  /** The fields of the snapshot that are no longer there. */
  unset?: string[];
}

/** A tool is about to be started. Written before it is. */
export interface ToolStartedRecord {
  /** Names the kind of record. */
  type: "tool_started";
  /** The id of the call. */
  id: string;
  /** The tool. */
  name: string;
}

/** A tool has ended, or is not waited for any more. Written before anything follows from it. */
export interface ToolFinishedRecord {
  /** Names the kind of record. */
  type: "tool_finished";
  /** The result of the call. */
  result: ToolResultMessage;
  /** The tool said that the run is over. */
  final?: boolean;
  /** The tool threw the error that ends the run. */
  fatal?: boolean;
  /** What the tool changed in the context variables. Open. */
  context_updates?: Record<string, unknown>;
  /** The agent that the tool handed over to; null for nobody. */
  handoff?: string | null;
  /** What the step reports of the tool. */
  report?: ToolReport;
}

/** Where a message came from. Open: applications may add fields. */
export interface Meta {
  /** The turn of the run that made the message. */
  turn?: number;
  /** The model that made the message. */
  model?: string;
  /** The provider that made the message. */
  provider?: string;
  /** The guardrail that tripped over the message. */
  guardrail?: string;
  /** Of a call whose input is null: what its arguments have to be, where they were JSON. */
  unreadable?: string;
  [k: string]: unknown;
}

/**
 * What a provider needs back unchanged: signatures, encrypted content, item ids, citations. Only the provider and model named here may read it. Open: the provider adapter decides the fields.
 */
export interface Opaque {
  /** The provider that made it, for example anthropic-messages. */
  provider: string;
  /** The model that made it. */
  model?: string;
  [k: string]: unknown;
}

/** Instructions to the model. */
export interface SystemMessage {
  /** Names the kind of message. */
  role: "system";
  /** The text. */
  content: string;
  /** Where the message came from. */
  meta?: Meta;
  /** Never present. */
  type?: undefined;
}

/** What a person, or a program on their behalf, said to the model. */
export interface UserMessage {
  /** Names the kind of message. */
  role: "user";
  /** Text, or parts in order. */
  content: string | Part[];
  /** Where the message came from. */
  meta?: Meta;
  /** Present if no person and no model wrote the message. */
  synthetic?: true;
  /** Present if the message stands for others that compaction has removed. */
  compacted?: true;
  /** Never present. */
  type?: undefined;
}

/** Text that the model wrote. */
export interface AssistantMessage {
  /** Names the kind of message. */
  role: "assistant";
  /** The text. */
  content: string;
  /** Where the message came from. */
  meta?: Meta;
  /** What the provider needs back. */
  opaque?: Opaque;
  /** Present if the response is incomplete. */
  status?: MessageStatus;
  /** Never present. */
  type?: undefined;
}

/** Reasoning of the model. The content is empty where the provider keeps it secret. */
export interface ThinkingMessage {
  /** Names the kind of message. */
  type: "thinking";
  /** The readable reasoning, or an empty string. */
  content: string;
  /** Where the message came from. */
  meta?: Meta;
  /** Signature or encrypted content. */
  opaque?: Opaque;
  /** Present if the response is incomplete. */
  status?: MessageStatus;
  /** Present if compaction shortened the content. */
  compacted?: true;
  /** Never present. */
  role?: undefined;
}

/** The model's wish to have a tool executed. */
export interface ToolCallMessage {
  /** Names the kind of message. */
  type: "tool_call";
  /** Unique in the session; the result repeats it. */
  id: string;
  /** The tool's name as the model wrote it. */
  name: string;
  /** The arguments, or null when the model's arguments were not a JSON object. */
  input: Record<string, unknown> | null;
  /**
   * The model's arguments as written; required when input is null, and present where input has a whole number that no double can hold.
   */
  raw_input?: string;
  /** Where the message came from. */
  meta?: Meta;
  /** What the provider needs back. */
  opaque?: Opaque;
  /** Present if the response is incomplete. */
  status?: MessageStatus;
  /** Present if compaction shortened the input. */
  compacted?: true;
  /** Never present. */
  role?: undefined;
}

/** The answer to a tool call. */
export interface ToolResultMessage {
  /** Names the kind of message. */
  type: "tool_result";
  /** The id of the call that it answers. */
  id: string;
  /** What the model reads: text, or parts in order. */
  output: string | Part[];
  /** True if the call did not succeed. Absent means false. */
  is_error?: boolean;
  /** Why the result is what it is. Absent means ok or error, by is_error. */
  outcome?: Outcome;
  /** Where the message came from. */
  meta?: Meta;
  /** Present if it was made up for a call of an incomplete response. */
  status?: MessageStatus;
  /**
   * Present if the loop made the result in place of a tool that did not give one. Absent for the call of the output tool that gave the output.
   */
  synthetic?: true;
  /** Present if compaction shortened the output. */
  compacted?: true;
  /** The same for programs: any JSON value. Never sent to a model. */
  data?: unknown;
  /** Never present. */
  role?: undefined;
}

/** Something a provider said that no generic message fits, kept in order and sent back to its maker unchanged. */
export interface ProviderItemMessage {
  /** Names the kind of message. */
  type: "provider_item";
  /** The provider that made it. */
  provider: string;
  /** The model that made it. */
  model?: string;
  /** The item in the provider's own format. Open. */
  item: Record<string, unknown>;
  /** Where the message came from. */
  meta?: Meta;
  /** What the provider needs back beside the item. */
  opaque?: Opaque;
  /** Present if the response is incomplete. */
  status?: MessageStatus;
  /** Never present. */
  role?: undefined;
}

/** A message of a type that this version does not define. It is preserved. */
export interface UnknownMessage {
  /** A type that this version does not define. */
  type: string;
  /** Never present. */
  role?: undefined;
}

/** One model call. */
export interface ModelRequest {
  /**
   * The agent's instructions as a system message, if it has any, then the session's messages without the incomplete ones.
   */
  messages: Message[];
  /** The tools of the active agent. */
  tools: Tool[];
  /** The provider's name of the model. */
  model?: string;
  /** The settings of the active agent. */
  settings?: ModelSettings;
  /** Absent means auto. */
  tool_choice?: ToolChoice;
  /** Absent means free text. */
  output_format?: OutputFormat;
}

/** What the model answered. */
export interface ModelResponse {
  /** thinking, assistant, tool_call and provider_item messages in the order in which the model made them. */
  messages: Message[];
  /** Why the model stopped. */
  stop_reason: StopReason;
  /** The provider's own word; null where it gave none. */
  raw_stop_reason?: string | null;
  /** Tokens of this call. */
  usage?: Usage;
  /** The model that answered, as the provider names it. */
  model?: string;
  /** The provider that answered. */
  provider?: string;
  /** Present with stop_reason error or interrupted. */
  error?: LoopError;
  /** The calls that failed before this one. Absent means none. */
  attempts?: FailedAttempt[];
}

/** A model call that failed and was followed by another one in the same turn. */
export interface FailedAttempt {
  /** The model that was asked. */
  model?: string;
  /** Why it failed. */
  error: LoopError;
  /** How long the loop waited before it tried again, in milliseconds. Absent if another model was asked instead. */
  wait_ms?: number;
  /** The tokens that were billed all the same, where the provider said so. */
  usage?: Usage;
  /** What they cost, where there are prices. Absent means nothing. */
  cost?: string | null;
}

/** This tool. */
export interface NamedToolChoice {
  /** The tool that must be called. */
  name: string;
}

/** The form that the final text must have. */
export interface OutputFormat {
  /** Names the form; letters, digits, _ and -. */
  name: string;
  /** JSON Schema of the value that the text must be. Open. */
  schema: Record<string, unknown>;
}

/** How the model thinks before it answers. */
export interface ThinkingSettings {
  /**
   * off: not at all, where the model permits it. adaptive: as much as the model finds right. budget: at most budget_tokens.
   */
  mode: "off" | "adaptive" | "budget";
  /** With mode budget, and only there: the most tokens of thinking. */
  budget_tokens?: number;
  /** Whether readable thinking is returned. Absent: the provider's default. */
  display?: "summarized" | "omitted";
}

/** How the model is asked. What is absent is left to the provider. */
export interface ModelSettings {
  /** The most tokens that one response may have. */
  max_output_tokens?: number;
  /** How much chance there is in the choice of words. */
  temperature?: number;
  /** From which share of the likeliest words is chosen. */
  top_p?: number;
  /** Texts at which the model stops; they are not part of the response. */
  stop_sequences?: string[];
  /** How much the model works on a response. */
  effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** How the model thinks. */
  thinking?: ThinkingSettings;
  /** Whether one response may have several calls. */
  parallel_tool_calls?: boolean;
  /** prefix: the provider is told that the next request begins with this one. Absent: the provider's default. */
  cache?: "off" | "prefix";
}

/** Text. */
export interface TextPart {
  /** Names the kind of part. */
  type: "text";
  /** The text. */
  text: string;
}

/** An image, given by its bytes or by a URL. Exactly one of data and url is present. */
export interface ImagePart {
  /** Names the kind of part. */
  type: "image";
  /** The media type of data, for example image/png. */
  media_type?: string;
  /** The bytes, base64. */
  data?: string;
  /** Where the provider fetches the image. */
  url?: string;
}

/** A document such as a PDF, given by its bytes or by a URL. Exactly one of data and url is present. */
export interface DocumentPart {
  /** Names the kind of part. */
  type: "document";
  /** The media type of data, for example application/pdf. */
  media_type?: string;
  /** The bytes, base64. */
  data?: string;
  /** Where the provider fetches the document. */
  url?: string;
  /** What the document is called. */
  title?: string;
}

/** A part of a type that this version does not define. It is preserved. */
export interface UnknownPart {
  /** A type that this version does not define. */
  type: string;
}

/**
 * Which calls may be executed, which must not be, and about which the caller is asked. The mode decides about every call that no rule matches: in the mode default such a call needs approval, whatever the rules say of other tools.
 */
export interface Permissions {
  /**
   * What becomes of calls for which no rule denies or asks. accept_edits: tools that edit may run. plan: only tools that change nothing may run. auto: a classifier decides. bypass: everything may run. dont_ask: as default, but nobody is asked: the call is denied.
   */
  mode?: "default" | "accept_edits" | "plan" | "dont_ask" | "auto" | "bypass";
  /**
   * The rules; their order does not matter. Rules that only ask or deny say nothing about the other tools: for these to be executed, the mode is bypass.
   */
  rules?: PermissionRule[];
}

/** What becomes of the calls that it matches. */
export interface PermissionRule {
  /** deny wins over ask, ask over allow. */
  effect: "allow" | "ask" | "deny";
  /**
   * The name of a tool, or the name and a pattern of the tool's subject: bash(npm *). * stands for any text. A subject that is no command line is compared as a path, with ., .. and // resolved. A pattern sees text alone: no links, no other spelling of a letter, and nothing of the syntax of a shell but the characters that keep commands apart. It is no sandbox.
   */
  match: string;
}

/** What tokens cost, by model. */
export interface PriceTable {
  /** The currency of every amount. */
  currency: string;
  /** When the prices were looked up, YYYY-MM-DD. */
  date?: string;
  /** The keys are model names. */
  models: Record<string, Price>;
}

/** What a million tokens cost, as decimal numbers. */
export interface Price {
  /** A million input tokens that no cache is involved in. */
  input: string;
  /** A million output tokens, reasoning included. */
  output: string;
  /** A million input tokens read from a cache. Absent: as input. */
  cache_read?: string;
  /** A million input tokens written to a cache. Absent: as input. */
  cache_write?: string;
  /** What all tokens of a call cost instead, if its prompt is long. Absent: the same. */
  long_prompt?: LongPromptPrice;
  /** Where the price was found. */
  source?: string;
}

/** What a million tokens cost in a call with a long prompt, as decimal numbers. */
export interface LongPromptPrice {
  /** The prompt is long if it has more input tokens than this, those from a cache included. */
  above: number;
  /** A million input tokens that no cache is involved in. */
  input: string;
  /** A million output tokens, reasoning included. */
  output: string;
  /** A million input tokens read from a cache. Absent: as input. */
  cache_read?: string;
  /** A million input tokens written to a cache. Absent: as input. */
  cache_write?: string;
}

/** The knobs of a run. What is absent has its default, or changes nothing. */
export interface RunOptions {
  /** How many turns the run may take. null: no limit. */
  max_turns?: number | null;
  /** How many consecutive responses with calls may be cut off by max_tokens before the run ends. */
  max_truncation_recoveries?: number;
  /** How many times in a row one paused response is continued. */
  max_pause_continuations?: number;
  /** False leaves every call to the caller: the run suspends. */
  execute_tools?: boolean;
  /** Which calls of a batch may overlap. */
  scheduling?: "barrier" | "parallel" | "serial" | "reads_first";
  /** How many tools may run at the same time. */
  max_concurrency?: number;
  /** How long one tool execution may take unless the tool says otherwise, in milliseconds. null: no limit. */
  tool_timeout_ms?: number | null;
  /** How long a cancelled run waits for the results of running tools, in milliseconds. */
  cancel_grace_ms?: number;
  /** How many tokens, input and output of all model calls together, the run may use. null: no limit. */
  max_total_tokens?: number | null;
  /** How many calls the model may make. null: no limit. */
  max_tool_calls?: number | null;
  /** How many turns in a row may have calls of which none succeeds. null: no limit. */
  max_failed_turns?: number | null;
  /** How long the run may take, in milliseconds. null: no limit. */
  deadline_ms?: number | null;
  /** What follows a text that was cut off by a token limit: the end of the run, or a request to go on. */
  on_max_tokens?: "end" | "continue";
  /** How many texts in a row are continued. */
  max_continuations?: number;
  /** What follows a response with neither text nor calls: the end of the run, or a request to say something. */
  on_empty?: "end" | "retry";
  /** How many empty responses in a row are asked about. */
  max_empty_retries?: number;
  /** Conditions under which the run stops after a batch; the first that holds names the ending. */
  stop_when?: DescribedStopCondition[];
  /** How many times a failed model call is tried again. */
  max_retries?: number;
  /** The longest wait that a provider may ask for, in milliseconds; if it asks for more, the call has failed. */
  max_retry_delay_ms?: number;
  /** The models that are asked, one after another, when the one before has failed for good. */
  fallback_models?: string[];
  /** How much the run may cost, as a decimal number in the currency of prices. null: no limit. */
  budget?: string | null;
  /** What tokens cost. Absent: costs are not counted. */
  prices?: PriceTable;
  /** Whether the model may, must or must not call a tool. */
  tool_choice?: ToolChoice;
  /** Which requests tool_choice is for; in the others it is auto. */
  tool_choice_for?: "first_turn" | "every_turn";
  /** The form that the output must have. Absent: any. */
  output_format?: OutputFormat;
  /**
   * How output_format is asked for: as the format of the final text, or as the arguments of a tool that has its name.
   */
  output_by?: "format" | "tool";
  /** How many times the model is told that its output does not have the form. */
  max_structured_retries?: number;
  /**
   * What becomes of the rest of a batch while a call of it waits for the caller: nothing of it is executed, or all that needs no decision.
   */
  approval_batch?: "atomic" | "eager";
  /** Which calls may be executed. Absent: every valid one. */
  permissions?: Permissions;
  /** How long a hook may take, in milliseconds; then it has failed. null: no limit. */
  hook_timeout_ms?: number | null;
  /** How many times in a run a hook may keep it from ending. */
  max_stop_blocks?: number;
  /** How the session is kept small enough. Absent: it is not compacted. */
  compaction?: CompactionOptions;
  /** How long a model call may go without a sign of an answer, in milliseconds; then it has failed. null: for ever. */
  model_idle_timeout_ms?: number | null;
  /** How much of an answer is read. What is absent has its default. */
  bounds?: Bounds;
  /** How long one attempt of a model call may take, in milliseconds; then it has failed. null: for ever. */
  model_timeout_ms?: number | null;
}

/** One condition. Exactly one of tool_called, text_contains, same_call and no_progress is present. */
export interface DescribedStopCondition {
  /** What the result says in stop_condition. Absent: the name of the other key. */
  name?: string;
  /** The response called this tool. */
  tool_called?: string;
  /** The text of the response contains this. */
  text_contains?: string;
  /** The last so many calls of the run have the same name and the same arguments. */
  same_call?: number;
  /** The last so many batches had no call that is new, or whose result is new, in the run. */
  no_progress?: number;
}

/** When and how a session is compacted. With strategy, exactly one of at_tokens and window is present. */
export interface CompactionOptions {
  /**
   * truncate_old, summarize, or the name of a strategy that the caller gives. Absent: only large results are shortened.
   */
  strategy?: string;
  /** The session is compacted when it is estimated to have so many tokens, or more. */
  at_tokens?: number;
  /** The same, said as how many tokens the model can read; the session is compacted at window less reserve. */
  window?: number;
  /** With window: how many tokens are left free. */
  reserve?: number;
  /** How many responses at the end, with what follows them, stay as they are. */
  keep_last_turns?: number;
  /** Results with more characters of text are shortened to at most so many. null: none is. */
  max_result_chars?: number | null;
  /** With summarize: what the model is told to write, instead of the implementation's own words. */
  instructions?: string;
}

/** What is read of an answer at most; beyond it the answer, or the arguments, are refused and the bound is named. */
export interface Bounds {
  /** Objects and lists inside one another, in arguments and elsewhere. */
  depth?: number;
  /** Calls in one response. */
  calls?: number;
  /** Bytes of a stream without a line break. */
  line_bytes?: number;
  /** Bytes of an answer, whole or streamed. */
  body_bytes?: number;
}

/** A tool that was signalled and has not ended. */
export interface RunningTool {
  /** The call's id. */
  id: string;
  /** The tool. */
  name: string;
}

/** What a run came to. Every ending of a run is one of these, never an exception. */
export interface RunResult {
  /** How the run ended. */
  status: RunStatus;
  /** Turns taken, in the unit of max_turns. */
  turns: number;
  /** Calls that the model made. */
  tool_calls: number;
  /** The agent that was active at the end. */
  agent: string;
  /** The id of the session. */
  session_id?: string;
  /** The text of the last response, its pieces joined without separator; empty if it had none. */
  final_text: string;
  /** True if the run completed although the last response had neither text nor calls. Absent means false. */
  empty?: boolean;
  /**
   * True if the run was refused before its first step: nothing was done, and nothing written down. It is no ending of the run that there is. Absent means false.
   */
  refused?: boolean;
  /** Why the model stopped last; null if it was never asked. */
  stop_reason: StopReason | null;
  /** The provider's own word for it. */
  raw_stop_reason: string | null;
  /** The sum over all model calls, those of subagents included. */
  usage: Usage;
  /** The same, by the model that answered. The keys are model names. */
  usage_by_model: Record<string, Usage>;
  /** One entry per turn, in order. */
  steps: Step[];
  /** Present if and only if the status is error. */
  error?: LoopError;
  /**
   * Present if and only if the status is stopped: the name of a condition, or requested, final_result, no_active_agent, blocked.
   */
  stop_condition?: string;
  /** Tools that ignored the signal to stop. Absent means none. */
  still_running?: RunningTool[];
  /** Present if and only if the status is suspended: the calls that wait, in call order. */
  pending?: PendingCall[];
  /** Present in the result of a suspended run, and only there: what resume needs. */
  snapshot?: Snapshot;
  /**
   * What all model calls of the run cost, as a decimal number in the currency of prices; null if the cost of one is unknown. Absent without prices.
   */
  cost?: string | null;
  /** The same, by the model that answered. The keys are model names. Absent without prices. */
  cost_by_model?: {
    [k: string]: string | null;
  };
  /** The context variables after the run. Absent if the run had none. Open. */
  context?: Record<string, unknown>;
  /**
   * The value of the form that was asked for with output_format, if the run completed: what the final text says, or what the output tool was called with.
   */
  output?: unknown;
  /** Why, in words, where a hook or a guardrail said so. */
  reason?: string;
  /** Present if and only if the status is guardrail. */
  guardrail?: TrippedGuardrail;
  /** The compactions of the run, and those that failed, in order. Absent means none. */
  compactions?: CompactionReport[];
}

/** A call that waits for a decision of the caller. */
export interface PendingCall {
  /** The call's id. */
  id: string;
  /** The tool. */
  name: string;
  /** The validated arguments. Open. */
  input: Record<string, unknown>;
  /**
   * external: the caller has to answer it. approval: the caller has to permit it, or to answer it. Absent means external.
   */
  why?: "external" | "approval";
  /** Stands for this call with these arguments; an approval or a denial repeats it. Present with why approval. */
  input_hash?: string;
  /** The ids of the calls whose subagents are around it, outermost first. Absent: a call of the run itself. */
  path?: string[];
}

/** What one turn did. */
export interface Step {
  /** The turn, counted from 1. */
  turn: number;
  /** The agent that was active. */
  agent: string;
  /** The model that answered, or, where it does not say its name or did not answer, that was asked. */
  model?: string;
  /** Why the model stopped. */
  stop_reason: StopReason;
  /** The provider's own word. */
  raw_stop_reason: string | null;
  /** Tokens of the turn. */
  usage: Usage;
  /** How many calls the response had. */
  tool_calls: number;
  /** What became of each call, in call order. */
  outcomes: Outcome[];
  /** The model calls of the turn that failed and were followed by another one. Absent means none. */
  attempts?: FailedAttempt[];
  /** Why the model was called. */
  kind?: StepKind;
  /** From the request to the end of the response, tries that failed and waits included, in milliseconds. */
  latency_ms?: number;
  /** What the response cost, failed attempts not included; null if that is unknown. Absent without prices. */
  cost?: string | null;
  /** One entry for each tool that was executed, in call order. */
  tools?: ToolReport[];
  /**
   * The instructions of the turn, where they were made by a function. Absent means that they are those of the agent.
   */
  system?: string;
  /** One entry for each subagent that answered a call of the turn, in call order. Absent means none. */
  subagents?: SubagentReport[];
}

/** One execution of a tool. */
export interface ToolReport {
  /** The call's id. */
  id: string;
  /** The tool. */
  name: string;
  /** What became of it. */
  outcome: Outcome;
  /** How long the loop waited for it, in milliseconds. */
  duration_ms: number;
  /** The size of the arguments as JSON in UTF-8. */
  input_bytes: number;
  /** The size of the output in UTF-8: of the text, or of the parts as JSON. */
  output_bytes: number;
  /** What the tool measured, by name. Absent means nothing. */
  metrics?: {
    [k: string]: number | string | boolean;
  };
}

/** One compaction, or one that failed. */
export interface CompactionReport {
  /** The turn that had ended; 0 before the first. */
  turn: number;
  /** The strategy, or shorten_results where only large results were shortened. */
  strategy: string;
  /** How many tokens the next request was estimated to have. */
  before_tokens: number;
  /** How many it was estimated to have afterwards. Absent if the compaction failed. */
  after_tokens?: number;
  /** Why it failed. Absent if it did not. */
  failed?: string;
  /** The model that was asked for a summary, as it answered. */
  model?: string;
  /**
   * Tokens of the summary. Absent if no model was asked, and if the call failed before anything was said and no token was counted.
   */
  usage?: Usage;
  /**
   * What the summary cost, failed attempts not included; null if that is unknown. Absent without prices, and if no model was asked.
   */
  cost?: string | null;
  /** The calls for the summary that failed and were followed by another one. Absent means none. */
  attempts?: FailedAttempt[];
}

/** What the run of a subagent came to, and what it took. Its own subagents are included. */
export interface SubagentReport {
  /** The id of the call that it answered. */
  id: string;
  /** The agent that was active in the end. */
  agent: string;
  /** Its session. */
  session_id: string;
  /** How its run ended, or suspended if it waits. */
  status: RunStatus;
  /** How many turns it took. */
  turns: number;
  /** The sum over its model calls. */
  usage: Usage;
  /** The same, by the model that answered. The keys are model names. */
  usage_by_model: Record<string, Usage>;
  /** What its model calls cost; null if that is unknown. Absent without prices. */
  cost?: string | null;
  /** The same, by the model that answered. The keys are model names. Absent without prices. */
  cost_by_model?: {
    [k: string]: string | null;
  };
}

/** A conversation with a model, independent of any provider. Open: unknown fields are preserved. */
export interface Session {
  /** Version of the session format, major.minor. A reader refuses a major version that it does not know. */
  spec_version: string;
  /** Names the session. */
  id: string;
  /** The messages, oldest first. */
  messages: Message[];
  /** The application's own data. Open; never sent to a model. */
  metadata?: Record<string, unknown>;
}

/** What a hook has to say. */
export interface Unsaid {
  /** What the model is to be told. */
  text: string;
  /** The call about which it is, if it is about one. */
  id?: string;
}

/** The whole state of a run between two transitions, as JSON. Open: unknown fields are preserved. */
export interface Snapshot {
  /** Version of the snapshot format, major.minor. A reader refuses a major version that it does not know. */
  spec_version: string;
  /** Where in the state machine the run is. */
  phase: Phase;
  /** The session so far. */
  session: Session;
  /** The active agent. */
  agent: string;
  /** The options in force. */
  options: RunOptions;
  /** Turns started. */
  turn: number;
  /** Consecutive responses with calls that were cut off. */
  truncations: number;
  /** Index in session.messages of the first message of the last response. */
  response_start: number;
  /** Why the last model call failed, if it did. */
  error?: LoopError;
  /** One per call of the last response, in call order; empty outside deciding, suspended and executing. */
  decisions: CallDecision[];
  /** One entry per turn so far. */
  steps: Step[];
  /**
   * The tools of the active agent by name, each with a hash of its definition, so that a change is noticed when the run goes on elsewhere. Absent means unknown.
   */
  tools?: Record<string, string>;
  /**
   * Present in phase done and suspended: why the run ended. In phase turn_boundary: why it will end, unless something keeps it going.
   */
  ending?: Ending;
  /** What hooks have to say that is not in the session yet, while the run is suspended, and in a journal. */
  unsaid?: Unsaid[];
  /**
   * Written to a journal where a hook or a guardrail has ended the run, and the calls of the response are not answered yet.
   */
  tripped?: Ending;
  /** The model that is asked instead of the agent's, if it was switched. */
  model?: string;
  /** The context variables. Absent means none. Open. */
  context?: Record<string, unknown>;
  /**
   * What else is counted in a run, by name, so that whoever resumes it goes on counting. Absent means 0. A loop that does not know a name keeps it.
   */
  counters?: {
    /**
     * How long the run has taken in all its processes, in milliseconds, without the time for which it was suspended.
     */
    elapsed_ms?: number;
    /** How many empty responses in a row were asked about, the last one after `empty_retried_turn`. */
    empty_retries?: number;
    /** The turn after which the model was last asked about an empty response. */
    empty_retried_turn?: number;
    /** The turn after which the model was last told to call a tool, because `tool_choice` wants it. */
    insisted_turn?: number;
    /** How many times the model was told that its output does not have the form. */
    structured_retries?: number;
    /** How many times a hook kept the run from ending. */
    stop_blocks?: number;
    /**
     * How many of `fallback_models` have taken the place of the one before: the model that is asked is the last of these.
     */
    fallbacks?: number;
    /** How many tokens the last request had, as its provider counted them. 0: nobody knows. */
    context_tokens?: number;
    /** How many messages of the session that count covers. */
    context_messages?: number;
    /** How many compactions in a row have failed. */
    compaction_failures?: number;
    /** The turn before which the session was last compacted, until its request was counted; then 0. */
    compacted_for_turn?: number;
    [k: string]: number | undefined;
  };
  /** The compactions so far. Absent means none. */
  compactions?: CompactionReport[];
  /**
   * Where a batch was executed in part: what became of each call that was executed, or whose subagent waits, by id. Absent otherwise.
   */
  unfinished?: Record<string, UnfinishedCall>;
}

/** The call is executed. */
export interface RunDecision {
  /** Names the decision. */
  do: "run";
  /** Arguments to execute it with instead of the model's. Open. */
  input?: Record<string, unknown>;
  /** The caller approved the call: it does not need approval again. Absent: nobody was asked. */
  approved?: true;
  /** The caller said that rules and mode do not count for this call. Absent: they do. */
  override?: true;
}

/** The call is answered without being executed. */
export interface AnswerDecision {
  /** Names the decision. */
  do: "answer";
  /** The answer. */
  result: ToolResultMessage;
}

/** The caller decides. */
export interface AskDecision {
  /** Names the decision. */
  do: "ask";
  /** True if the caller is asked whether the call may be executed. Absent: the caller is asked for its result. */
  approval?: boolean;
  /** Arguments that the caller is asked about, and with which the call is executed, instead of the model's. Open. */
  input?: Record<string, unknown>;
  /** With approval, while the run is suspended: what the pending call has under this name. */
  input_hash?: string;
}

/** Why a run ended. */
export interface Ending {
  /** How the run ended. */
  status: RunStatus;
  /** Present if and only if the status is error. */
  error?: LoopError;
  /** Present if and only if the status is stopped. */
  stop_condition?: string;
  /** Why, in words, where a hook or a guardrail said so. */
  reason?: string;
  /** Present if and only if the status is guardrail. */
  guardrail?: TrippedGuardrail;
}

/** The call was executed: what came of it, for when the batch is done. */
export interface ExecutedCall {
  /** Its result. */
  result: ToolResultMessage;
  /** The tool threw the designated fatal error. Absent means false. */
  fatal?: boolean;
  /** The tool said that the run is over. Absent means false. */
  final?: boolean;
  /** Context variables that the tool set. Open. */
  context_updates?: Record<string, unknown>;
  /** The agent that is to go on; null for none. */
  handoff?: string | null;
}

/**
 * A call of a batch of which another call, or a subagent, waits for the caller. Exactly one of executed and snapshot is present.
 */
export interface UnfinishedCall {
  /** The call was executed: what came of it, for when the batch is done. */
  executed?: ExecutedCall;
  /** The state of the subagent that waits. */
  snapshot?: Snapshot;
  /** With snapshot, while the run goes on: what the caller decided about the pending calls of the subagent. */
  decisions?: ResumeDecision[];
}

/** What a model and a loop are told about a tool. */
export interface Tool {
  /** Unique among the tools of an agent. */
  name: string;
  /** Tells the model what the tool does and when to use it. */
  description?: string;
  /** JSON Schema 2020-12 of the arguments. Open. */
  input_schema: {
    /** The arguments of a tool are always an object. */
    type: "object";
    [k: string]: unknown;
  };
  /** What the loop may assume about the tool. */
  annotations?: ToolAnnotations;
  /** How long one execution may take, in milliseconds. Absent: the run's tool_timeout_ms. */
  timeout_ms?: number;
  /** True if the loop has no handler: calls stay pending and the run suspends. Absent means false. */
  external?: boolean;
  /**
   * The agent of the run that answers the calls: a call runs this agent on a session of its own, whose only message is the argument prompt. Absent: the tool has a handler.
   */
  agent?: string;
}

/** What the loop may assume about the tool. Each is absent or false unless said otherwise. */
export interface ToolAnnotations {
  /** Changes nothing in the world. */
  read_only?: boolean;
  /** May run beside other concurrent tools. Absent: the value of read_only. */
  concurrent?: boolean;
  /** Executing a call twice has the effect of executing it once. */
  idempotent?: boolean;
  /** Changes files or other documents of the user. */
  edits?: boolean;
  /**
   * The argument that says what a call does, which patterns of permission rules are matched with: a path, an address, a command line.
   */
  subject?: string;
  /** The subject is a command line of a shell. */
  shell?: boolean;
}

/** Where a trace goes on, as the headers of W3C Trace Context say it (https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** Version, id of the trace, id of the span that is the parent, and flags. */
  traceparent: string;
  /** What tracing systems add for themselves. Absent means nothing. */
  tracestate?: string;
}

/** Tokens. null means unknown, which is not zero. */
export interface Usage {
  /** All input tokens, those read from and written to a cache included. */
  input_tokens: number | null;
  /** All output tokens, reasoning included. */
  output_tokens: number | null;
  /** The part of the input that was read from a cache. */
  cache_read_tokens: number | null;
  /** The part of the input that was written to a cache. */
  cache_write_tokens: number | null;
  /** The part of the output that was reasoning. */
  reasoning_tokens: number | null;
}
