// The types that only the kit needs: cases, drivers, reports. Generated from schemas/ by `npm run generate`. Do not edit.

import type {
  Agent,
  ErrorKind,
  FixtureEvent,
  GuardrailCheck,
  GuardrailFilter,
  GuardrailFinding,
  GuardrailPoint,
  HookCall,
  HookFilter,
  HookPoint,
  HookReply,
  JournalRecord,
  LoopError,
  LoopEvent,
  Message,
  ModelRequest,
  ModelResponse,
  ModelSettings,
  Part,
  PriceTable,
  ProviderName,
  ResumeDecision,
  RunOptions,
  RunResult,
  RunStatus,
  Seam,
  Session,
  Snapshot,
  StopReason,
  Tool,
  TraceContext,
  TransportFilter,
  TransportName,
  Usage,
} from "./loop.ts";

/** What the kit does. cancel and stop as strings, the others as an object with one key. */
export type Do =
  | ("cancel" | "stop")
  | {
      /** Opens the gates, one after another. */
      release?: string | string[];
      /** Moves the run's virtual clock forward, in milliseconds. */
      advance_ms?: number;
      /** Resumes the suspended run with these decisions. */
      resume?: ResumeDecision[];
      /** Says this to the run, as a user message. {{words}} are replaced. */
      steer?: string;
      /** Has this model asked from the next turn on. */
      switch_model?: string;
      /** Starts a second run on the same session while the first is under way. */
      run_again?: true;
      /**
       * Ends the process of the driver, and starts another one. What is being appended at this moment is lost (before) or kept (after).
       */
      end_process?: "before" | "after";
      /**
       * Says this in a run of its own, on another session, while the first is under way. Its model answers one text when the first has ended, and each has to be as it would be alone. {{words}} are replaced.
       */
      run_beside?: string;
    };
/** A record: by its type, or a transition by its phase. */
export type Appended =
  "begin" | "tool_started" | "tool_finished" | "turn_boundary" | "deciding" | "suspended" | "executing" | "done";
/** Where the model is. */
export type ModelAccess = GenericModel | WireModel;
/** Result of model/invoke. */
export type ModelInvokeResult = ModelResponse;
/** Result of hook/fire. */
export type HookFireResult = HookReply;
/** Result of guardrail/check. */
export type GuardrailCheckResult = GuardrailFinding;
/** What became of a variant, by the requirement that its case tests. Every selected variant has exactly one. */
export type Verdict =
  | "pass"
  | "fail"
  | "expected-fail"
  | "unexpected-pass"
  | "unsupported"
  | "not-applicable"
  | "not-run"
  | "harness-error";
/** The closed list of reasons for which a variant fails. */
export type FailureCode =
  | "assertion"
  | "invariant"
  | "unmatched_request"
  | "provider_rule"
  | "script_not_consumed"
  | "driver_crashed"
  | "crashed_beside_others"
  | "driver_timeout"
  | "protocol_error"
  | "driver_error"
  | "stuck";
/**
 * What is known of a requirement: kept and broken need that its occasion was seen; not_applicable, that there can be no occasion; not_expressible, that the driver cannot say what the case needs.
 */
export type RequirementVerdict = "kept" | "broken" | "not_seen" | "not_applicable" | "not_expressible";
/**
 * Whom a requirement protects: users of any agent (essential), those who rely on the loop of this specification (core), those who move sessions, events and results between implementations (portable), users of a feature (feature), or those who rely on the kit (kit).
 */
export type RequirementLevel = "essential" | "core" | "portable" | "feature" | "kit";
/**
 * How a user is hurt where an essential requirement is broken: a side effect that nobody asked for (executes), a failure told as success or the reverse (misreports), a conversation that the provider refuses from now on (bricks), work forgotten (loses), a secret told (leaks).
 */
export type RequirementSeverity = "executes" | "misreports" | "bricks" | "loses" | "leaks";
/** Where it is installed from. */
export interface ProbePackage {
  /** The kind of registry. */
  registry: "npm" | "pip" | "cargo" | "go";
  /** Its name there. */
  name: string;
  /** The version that was probed last. */
  version: string;
  /** The file that starts it, below the folder of the package. Absent: its only program. */
  program?: string;
  /** Scripts of the package that it needs to be whole, run after it is installed, such as install.cjs. */
  scripts?: string[];
}

/**
 * How a probe starts an agent program, and what it knows of its tools. In all texts {origin}, {work}, {home}, {prompt}, {key}, {built} and the names of the providers' hosts, such as {openai}, are replaced.
 */
export interface AgentProgram {
  /** What the program is called. */
  name: string;
  /** What it is for, where it is a program of the project. */
  why?: string;
  /** Where it is installed from. */
  package?: ProbePackage;
  /**
   * Program and arguments of what makes the program, run once in the folder of this file; {built} is an empty folder for it, here, in the commands, in env and in files. Absent: it is there.
   */
  build?: string[];
  /** Program and arguments of the first turn. A file beside this one may be named relative to it. */
  command: string[];
  /** Program and arguments of each later turn, in the same folder. Absent: it cannot be continued. */
  continue?: string[];
  /** What the user says first. Absent: a sentence of the probe. */
  prompt?: string;
  /** Variables beside those of the base URLs. */
  env?: Record<string, string>;
  /** Variables of the caller that the program gets. */
  pass?: string[];
  /** Files that are written before it starts: the text by the path. */
  files?: Record<string, string>;
  /** Tools by role, where the probe would not find them or finds others. */
  roles?: {
    /** The tool that reads a file. An empty text: none. */
    read?: string;
    /** The tool that writes a file. An empty text: none. */
    write?: string;
    /** The tool that runs a command. An empty text: none. */
    shell?: string;
  };
  /** Tools that do no harm with these arguments, by name. */
  safe?: {
    [k: string]: {};
  };
  /** It declares no tools, so that its conversation is known by nothing but its requests. */
  without_tools?: true;
  /** Several of it cannot run at a time. */
  alone?: true;
  /** Paths that it asks beside the conversation, as patterns with *; listed apart, and never red. */
  beside?: string[];
  /** How long one scenario may take. Absent: as the command line says. */
  timeout_ms?: number;
}

/** Where the point shows up in the real world. Exactly one of bug and text is present. */
export interface Why {
  /** A key of conformance/bugs.yaml. */
  bug?: string;
  /** A reason. */
  text?: string;
}

/** Narrows where the case runs. Absent: everywhere it can. */
export interface VariantFilter {
  /** Which seams. */
  seams?: ("generic" | "wire")[];
  /**
   * Which transports of the wire. streamed: every one that streams, so that a provider with a stream of its own is played, too.
   */
  transports?: TransportFilter[];
  /** Which providers of the wire. */
  providers?: ProviderName[];
}

/** One conformance case. Its id is its path under conformance/cases, without .yaml. */
export interface Case {
  /** What a correct implementation does, in one sentence. */
  title: string;
  /** The version of the suite that first had the case. */
  since: string;
  /** The last version of the suite that has the case. Absent: it stays. */
  until?: string;
  /** The requirements. The first is tested, the others are context. */
  requires: string[];
  /**
   * Requirements of which a breach in this case is one of the tested requirement: what is tested shows in them alone.
   */
  shown_by?: string[];
  /** What a driver must declare beyond core. Absent means nothing. */
  features?: string[];
  /** Reasons for the case. */
  why?: Why[];
  /** What the run starts with. */
  given: Given;
  /** One entry per model call, in order. */
  model: ModelEntry[];
  /** What the kit does on the way. */
  actions?: Action[];
  /**
   * What the user says when the run has ended, each in a run of its own, which the model answers with one text. {{words}} are replaced. Needs the feature next_message.
   */
  next?: string[];
  /** What must be observed. */
  expect: Expect;
  /** Narrows where the case runs. Absent: everywhere it can. */
  variants?: VariantFilter;
}

/** The run is written to a journal, and the kit is its store. Absent: it is not. */
export interface CaseJournal {
  /**
   * What the process is asked for that follows one that the kit has ended: to recover the run, or once more for what the other was asked for. Absent means recover.
   */
  then?: "recover" | "again";
  /**
   * Another writer takes the journal before the first append of this: it and all that follow are answered taken. Absent: nobody does.
   */
  taken?: Appended;
  /** The store fails from the first append of this: it and all that follow are answered failed. Absent: it does not. */
  fails?: Appended;
  /**
   * The store has lost the first record of this, and none behind it, when the next process reads the journal; where that is the last one, the next process writes in its place. Absent: it loses nothing.
   */
  loses?: Appended;
  /**
   * The case is played once as it is, and then once for each moment at which the driver waits for the kit: there its process is ended, and what is being appended is lost; and once more for each append, after it was kept. Absent: only actions end it.
   */
  ends?: "everywhere";
}

/** What the run starts with. Verbatim: no matchers here. */
export interface Given {
  /** The session's messages. */
  messages: Message[];
  /** The version that the session says it has. Absent: that of the kit. */
  spec_version?: string;
  /** The instructions of the only agent. */
  instructions?: string;
  /** The tools of the only agent. */
  tools?: Tool[];
  /** The tools of the only agent when the run is resumed. Absent: the same. Needs the feature tool_drift. */
  tools_on_resume?: Tool[];
  /** What each tool does, by name. A tool without an entry must be external. */
  handlers?: Record<string, Handler>;
  /** The run's options. */
  options?: RunOptions;
  /** Options that no implementation has, sent among the run's options. Open. */
  foreign_options?: Record<string, unknown>;
  /** The options with which the run is resumed. Absent: none, so that those of the snapshot count. */
  options_on_resume?: RunOptions;
  /**
   * Every resume is given the snapshot of the first suspension, also where the run was suspended again. Absent: that of the last.
   */
  resumes?: "first";
  /**
   * A merge patch (RFC 7396) that the kit applies to a snapshot before the run is resumed with it: what another implementation, or another version, would have written. Absent: the snapshot goes back as it was written. Open.
   */
  snapshot_on_resume?: Record<string, unknown>;
  /** The model of the only agent. */
  model?: string;
  /** The settings of the only agent. */
  settings?: ModelSettings;
  /** Several agents by name, instead of instructions, tools, model and settings. */
  agents?: Record<string, Agent>;
  /** With agents: the active one. */
  agent?: string;
  /** The context variables. Open. */
  context?: Record<string, unknown>;
  /** The trace that the run belongs to. */
  trace?: TraceContext;
  /** server: the provider keeps the conversation. Absent means stateless. */
  conversation?: "stateless" | "server";
  /** The hooks of the run, in order. */
  hooks?: CaseHook[];
  /** The guardrails of the run, in order. */
  guardrails?: CaseGuardrail[];
  /** The instructions of every agent are a function, and answer this. */
  dynamic_instructions?: CaseInstructions;
  /** The tools of every agent are a function, and are these of its tools. */
  dynamic_tools?: CaseTools;
  /**
   * The MCP servers of the run: the kit plays each over streamable HTTP. Their tools follow those of every agent, server by server.
   */
  mcp?: CaseMcpServer[];
  /** The run is written to a journal, and the kit is its store. Absent: it is not. */
  journal?: CaseJournal;
}

/**
 * What the kit answers when the driver executes the tool. Exactly one of output (or data, or both), returns, throw, and sequence is present.
 */
export interface Handler {
  /** The tool's output. {{words}} are replaced. */
  output?: string | Part[];
  /** The tool says that it failed, without throwing. */
  is_error?: boolean;
  /** The tool throws with this message. */
  throw?: string;
  /** With throw: the designated fatal error. */
  fatal?: boolean;
  /** Names a gate: the answer waits until an action releases it, or until the run has ended. */
  hold?: string;
  /** One handler per execution, in order; more executions than entries fail the case. */
  sequence?: Handler[];
  /** With output: the tool says that the run is over. */
  final?: boolean;
  /** With or instead of output: any JSON value for programs. */
  data?: unknown;
  /** What the tool returns instead of text or parts: any JSON value, as it is; null for nothing. */
  returns?: unknown;
  /** Context variables that the tool sets. Open. */
  context_updates?: Record<string, unknown>;
  /** The agent to which the tool hands over; null for none. */
  handoff?: string | null;
  /** What the tool measures. */
  metrics?: {
    [k: string]: number | string | boolean;
  };
  /** What the tool says while it runs, in order, before it answers. */
  progress?: unknown[];
}

/** Short for an event of Anthropic Messages or OpenAI Responses: its name is the type of its data. */
export interface NamedEvent {
  /** The data of the event. */
  named: {
    /** The type, and the name of the event. */
    type: string;
  };
}

/**
 * Short for a chunk of OpenAI Chat Completions with one choice; what is around it is the same in each chunk of the answer, and the kit writes it.
 */
export interface ChatDelta {
  /** What the choice says in this chunk. */
  delta: {};
  /** Absent: null, because the choice goes on. */
  finish_reason?: string;
  /** Which choice it is. Absent: the first, 0. */
  index?: number;
}

/** An HTTP response, verbatim. */
export interface ScriptedHttp {
  /** The HTTP status. */
  status: number;
  /** Response headers. */
  headers?: Record<string, string>;
  /** A JSON body. */
  body?: unknown;
  /** A body that is not JSON. */
  text?: string;
}

/**
 * What the model answers to one call. Exactly one of respond, text, fault, http, sse, writes, raw and reset: before_headers is present; http, sse, writes, raw and reset run on the wire only.
 */
export interface ModelEntry {
  /** What the model says, in order. May be empty. */
  respond?: ScriptedPart[];
  /** Short for respond with one text. */
  text?: string;
  /** Absent: tool_use if there are calls, else end_turn. */
  stop_reason?: StopReason;
  /** With stop_reason other: the word that the provider uses. */
  raw_stop_reason?: string;
  /** Absent: the kit makes numbers. */
  usage?: Usage;
  /** The model call fails. */
  fault?: ScriptedFault;
  /** An HTTP response, verbatim. */
  http?: ScriptedHttp;
  /**
   * Server-sent events in the provider's own format, or in one of their short forms; a string is written as it stands.
   */
  sse?: (string | FixtureEvent | NamedEvent | ChatDelta)[];
  /**
   * The body of an answer with status 200, byte for byte. Each entry is one write to the socket, and is made when the driver has dealt with the one before, where it can be asked.
   */
  writes?: ScriptedWrite[];
  /** A fixture under fixtures/, without .json; #n names one of its exchanges, counted from 1. */
  raw?: string;
  /**
   * The connection is lost. before_headers stands alone: nothing is answered. Beside respond and text, mid_stream is after the first part, or in the middle of a JSON body, and before_end is just before the event, or the last byte, that ends the answer. Beside http, sse and writes stands mid_stream: after what they write.
   */
  reset?: "before_headers" | "mid_stream" | "before_end";
  /**
   * Every later call is answered the same. Only the last entry has it: for failures after which a loop may try again.
   */
  repeat?: true;
  /**
   * The call asks for a summary of the session, and belongs to no turn. What its request has is the loop's affair. With respond, text and fault.
   */
  summary?: true;
  /**
   * The subagent that asks for it: the entries of an agent are given in order, whatever the others ask. Absent: the run itself.
   */
  agent?: string;
}

/** One write to the socket. Exactly one of text and base64 is present. */
export interface ScriptedWrite {
  /** What is written, as UTF-8. */
  text?: string;
  /** What is written, for bytes that are no text by themselves: half a letter. */
  base64?: string;
  /** So many times in a row, still as one write. */
  times?: number;
  /** Names a gate: the write waits until an action releases it. */
  hold?: string;
}

/** One thing that the model says. Exactly one key of text, thinking, tool_call, provider_item is present. */
export interface ScriptedPart {
  /** Text. */
  text?: string;
  /** Readable reasoning. */
  thinking?: string;
  /** With thinking: the provider's signature. Absent: the kit makes one. */
  signature?: string;
  /** With thinking: the provider keeps the reasoning secret. */
  redacted?: boolean;
  /** A tool call. */
  tool_call?: ScriptedCall;
  /** An item in the provider's own format; the case narrows to that provider. Open. */
  provider_item?: Record<string, unknown>;
}

/** A tool call that the model makes. */
export interface ScriptedCall {
  /**
   * The id. A string that starts with $ binds: the kit makes a random id, the same wherever the name stands. Absent or empty: the model gives no id.
   */
  id?: string;
  /** The tool. */
  name: string;
  /** The arguments. Exactly one of input and raw_input is present. Open. */
  input?: Record<string, unknown>;
  /** The arguments as the model wrote them, well-formed or not. */
  raw_input?: string;
}

/** The model call fails. */
export interface ScriptedFault {
  /** The kind of error. */
  kind: ErrorKind;
  /** What the provider says. */
  message?: string;
  /** How long the provider asks to wait, in milliseconds. */
  retry_after_ms?: number;
  /** What the model had said when it failed. Only streaming transports and the generic seam can say it. */
  after?: ScriptedPart[];
}

/** When the kit observes something, it does something. Each action fires once. */
export interface Action {
  /** What is observed. */
  when: When;
  /** What is done. */
  do: Do;
}

/**
 * Something the kit observes. Exactly one key is present, except after_parts and after_writes, of which one may stand beside request.
 */
export interface When {
  /** The n-th model call has arrived; it stays unanswered until the action is done. */
  request?: number;
  /** With request, on a streaming transport: so many parts of the answer have been written. */
  after_parts?: number;
  /**
   * With request, for an answer given as sse or writes: so many writes have been made, and the driver has dealt with them, where it can be asked. The next one waits until the action is done.
   */
  after_writes?: number;
  /** The tool, or every one of the tools, has begun to run. */
  tool_start?: string | string[];
  /** The tool has answered. */
  tool_end?: string;
  /** The run has suspended. */
  suspended?: true;
  /** The loop has said so many times that it will try again. */
  retry?: number;
  /** So many tool_progress events have arrived. */
  progress?: number;
  /** Hooks have been asked so many times. An answer that is not held waits until the action is done. */
  hook?: number;
  /** Guardrails have been asked so many times. A finding that is not held waits until the action is done. */
  guardrail?: number;
  /**
   * The functions that make instructions and tools have been asked so many times. What they make waits until the action is done, where it is not held.
   */
  evaluation?: number;
  /** The first append of this has come; it is kept when the action is done. */
  append?: Appended;
}

/** What must be observed. Only here matchers and bindings may stand. */
export interface Expect {
  /** The status of the result. */
  status?: unknown;
  /** The result, by subset. */
  result?: unknown;
  /** The messages that the run added, whole, each by subset; where the run compacts, all messages of the session. */
  session?: unknown[];
  /** The executions that the kit observed, whole, in the order in which they started: {name, input}, or a name. */
  tools?: unknown[];
  /** The model requests, whole, each by subset, in generic terms: {messages, tools, system}. */
  requests?: unknown[];
  /** How many model requests there were. */
  request_count?: number;
  /** In how many appends the records of the run came at most, over all its processes. */
  most_appends?: number;
  /** The bodies of the requests in the provider's own format, by provider, each by subset. */
  wire?: Record<string, unknown[]>;
  /** The events; usually {$contains: […]}. */
  events?: unknown;
  /** Pairs of tools that ran at the same time. */
  overlap?: [string, string][];
  /** Pairs of tools that did not run at the same time. */
  no_overlap?: [string, string][];
  /** Tools that were signalled to stop, whole, in any order. */
  aborted?: string[];
  /** The result of the run that run_again started, by subset. */
  second_result?: unknown;
  /**
   * The calls of hooks that the kit observed, whole, in order, each by subset: what hook/fire was given, as {hook, …}.
   */
  hooks?: unknown[];
  /**
   * The checks of guardrails that the kit observed, whole, in order, each by subset: what guardrail/check was given, as {guardrail, …}.
   */
  guardrails?: unknown[];
  /**
   * The evaluations of dynamic instructions that the kit observed, whole, in order, each by subset: what instructions/evaluate was given, and the text.
   */
  instructions?: unknown[];
  /**
   * The calls that MCP servers heard, whole, in order, each by subset: {server, name, arguments}, and cancelled: true if the server was told so.
   */
  mcp?: unknown[];
  /** Behaviours of which exactly one has to be seen whole, beside what else is expected; which it was is observed. */
  one_of?: ExpectedBehaviour[];
}

/** A hook, and what it answers. Exactly one of reply, throw and sequence is present. */
export interface CaseHook {
  /** Where. */
  point: HookPoint;
  /** See the hook filter. */
  tool?: string;
  /** What it answers, every time. {{words}} are replaced. */
  reply?: HookReply;
  /** It throws with this message. */
  throw?: string;
  /** Names a gate: the answer waits until an action releases it, or until the run has ended. */
  hold?: string;
  /** One answer per call, in order; the last one also for all further calls. */
  sequence?: HookReply[];
}

/** A guardrail, and what it finds. Exactly one of finding, throw and sequence is present. */
export interface CaseGuardrail {
  /** Its name. */
  name: string;
  /** Where it is asked. */
  points: GuardrailPoint[];
  /** What it finds, every time. */
  finding?: GuardrailFinding;
  /** It throws with this message. */
  throw?: string;
  /** Names a gate: the finding waits until an action releases it, or until the run has ended. */
  hold?: string;
  /** One finding per check, in order; the last one also for all further checks. */
  sequence?: GuardrailFinding[];
}

/**
 * Which tools there are each time they are evaluated, by their names. At least one of sequence and throw is present.
 */
export interface CaseTools {
  /**
   * One list of names per evaluation, in order; the last one also for all further evaluations, unless throw stands beside it. Each names tools of the active agent.
   */
  sequence?: string[][];
  /** Names a gate: the list waits until an action releases it, or until the run has ended. */
  hold?: string;
  /** It throws with this message; beside sequence, once that is used up. */
  throw?: string;
}

/** An MCP server: what it has, and what it answers. */
export interface CaseMcpServer {
  /** What the names of its tools begin with. */
  namespace: string;
  /** True: the caller trusts what the server says of its tools. Absent means false. */
  trusted?: boolean;
  /** Its tools as MCP has them. Open: they are sent as they are. */
  tools: {
    /** The server's name of the tool. */
    name: string;
    /** JSON Schema of its arguments. Open. */
    inputSchema: Record<string, unknown>;
    [k: string]: unknown;
  }[];
  /** The names of those that it lists at first. Absent: all. */
  listed?: string[];
  /** How many of them it lists at a time. Absent: all. */
  page_size?: number;
  /** What becomes of a call, by the server's names of the tools. */
  answers: Record<string, CaseMcpAnswer>;
}

/**
 * What becomes of a call at an MCP server. At most one of result, error, lost and hold is present; with none the result is empty.
 */
export interface CaseMcpAnswer {
  /** The result as MCP has it. Open: it is sent as it is. */
  result?: Record<string, unknown>;
  /** The call is answered with a JSON-RPC error. */
  error?: {
    /** The code of the JSON-RPC error. */
    code: number;
    /** Its message. */
    message: string;
  };
  /** The connection is lost before an answer, and the session with it. for_good: the server is not there any more. */
  lost?: "once" | "for_good";
  /** There is no answer until the call is cancelled, or the run has ended. */
  hold?: true;
  /** What the server says of its progress before it answers, if the call asked for it. Open: sent as it is. */
  progress?: {
    /** How far it is. */
    progress: number;
    [k: string]: unknown;
  }[];
  /** Before it answers, the server says that its list has changed; from then on it lists the tools of these names. */
  now_listed?: string[];
}

/**
 * What the instructions are each time they are evaluated. Exactly one of template, sequence and throw is present, except that throw may stand beside sequence.
 */
export interface CaseInstructions {
  /**
   * A text in which {agent}, {turn} and, for a context variable, {context.name} are replaced, every time. {{words}} too.
   */
  template?: string;
  /**
   * One text per evaluation, in order; the last one also for all further evaluations, unless throw stands beside it.
   */
  sequence?: string[];
  /** Names a gate: the text waits until an action releases it, or until the run has ended. */
  hold?: string;
  /** It throws with this message; beside sequence, once that is used up. */
  throw?: string;
}

/** One of the behaviours that are all defensible, and what shows it. */
export interface ExpectedBehaviour {
  /** What it is called: a choice of spec/policies.json, and which is made. */
  observes: Record<string, string>;
  /** What must be observed then. */
  expect: Expect;
}

/** Parameters of initialize (kit to driver): the first request, and the only one of its kind. */
export interface InitializeParams {
  /** Version of the driver protocol. */
  protocol: 1;
  /** Version of the specification that the kit tests. */
  spec: string;
}

/** Which implementation it is. */
export interface Implementation {
  /** Its name. */
  name: string;
  /** Its version. */
  version: string;
  /** The language it is written in. */
  language: string;
}

/** Result of initialize: who the driver is and what it can. */
export interface InitializeResult {
  /** Version of the driver protocol. */
  protocol: 1;
  /** Which implementation it is. */
  implementation: Implementation;
  /** How many runs may be in flight at once. Absent means 1. */
  concurrency?: number;
  /** generic, and the providers that it speaks. Those with a dot are its own; nothing is played on them. */
  seams: Seam[];
  /** The transports that it speaks on the wire. Absent means none. */
  transports?: TransportName[];
  /** The features beyond core that it has; the list is closed, see spec/features.json. */
  features?: string[];
  /**
   * What it can report: session, events, result, or single fields of the result, such as result.turns; ended, text and usage are short for result.status, result.final_text and result.usage, and usage.input_tokens is one number of it. Absent means all. What is not reported is not seen.
   */
  reports?: string[];
  /**
   * The declared policies, by name. Names and values are a closed list, see spec/policies.json. They choose the entry of a $policy and nothing else: what a driver does is observed.
   */
  policies?: Record<string, string>;
  /**
   * wire: it is sent runs with input, and answers how they ended; it is judged by what the kit sees. Absent: it is sent sessions, and reports as it declares.
   */
  level?: "wire";
  /**
   * Of a driver of level wire: what it can beside run and tool/execute. after: it goes on with a further user message. cancel: it takes cancel. limit: it takes limit. Absent means none; what needs another is not applicable.
   */
  verbs?: ("after" | "cancel" | "limit")[];
  /** What the model is called on each seam. The keys are seams. Absent, or a seam that is not there: replay. */
  models?: Record<string, string>;
}

/** The model is the kit: call model/invoke. */
export interface GenericModel {
  /** Names the seam. */
  seam: "generic";
}

/** The model is an HTTP server of the kit that speaks as the provider does. */
export interface WireModel {
  /** Names the provider. */
  seam: ProviderName;
  /** How the answer is asked for. json: one JSON body. sse: a stream of server-sent events. */
  transport: TransportName;
  /** What the provider's official SDK takes as its base URL. */
  base_url: string;
  /** What to send as the API key. */
  api_key: string;
  /** What to send as the model's name. */
  model: string;
  /**
   * stateless: every request has the whole conversation. server: the provider keeps it, a request has what is new; only with a provider that can, and needs the feature server_state. Absent means stateless.
   */
  conversation?: "stateless" | "server";
}

/** Parameters of run (kit to driver): run the loop on a session; any number of times. */
export interface RunParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** The session. The driver must not change the caller's copy. */
  session: Session;
  /** The agents by name. The keys are agent names. */
  agents: Record<string, Agent>;
  /** The active agent. */
  agent: string;
  /** The run's options. Absent means the defaults. */
  options?: SentOptions;
  /** Where the model is. */
  model: ModelAccess;
  /** virtual: time stands still and moves only by clock/advance. Needs the feature clock.virtual. Absent means real. */
  clock?: "real" | "virtual";
  /** The context variables. Absent means none. Needs the feature context. Open. */
  context?: Record<string, unknown>;
  /**
   * The hooks of the run, in order: the driver calls hook/fire for each. Absent means none. Needs the feature hooks.
   */
  hooks?: HookFilter[];
  /**
   * The guardrails of the run, in order: the driver calls guardrail/check for each. Absent means none. Needs the feature guardrails.
   */
  guardrails?: GuardrailFilter[];
  /**
   * The instructions of every agent are a function: the driver calls instructions/evaluate for each evaluation. Absent means that they are the text in agents. Needs the feature dynamic_instructions.
   */
  dynamic_instructions?: true;
  /** The trace that the run belongs to. Absent means none. Needs the feature trace. */
  trace?: TraceContext;
  /**
   * The tools of every agent are a function: the driver calls tools/evaluate for each evaluation. Absent means that they are the list in agents. Needs the feature dynamic_tools.
   */
  dynamic_tools?: true;
  /**
   * MCP servers that the driver connects with before the run begins, and disconnects from after it. Their tools follow those of every agent, server by server. Absent means none. Needs the feature mcp_tools.
   */
  mcp_servers?: McpAccess[];
  /**
   * The run is written to a journal that the kit keeps: the driver calls journal/read and journal/append. Absent means that nothing is written. Needs the feature journal.
   */
  journal?: true;
}

/**
 * Parameters of run (kit to driver): go on with a further user message where an earlier run has ended. Needs the feature next_message.
 */
export interface NextMessageParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /**
   * The run that has ended: its conversation, as the loop itself kept it, goes on, with its agents, its options and everything else that it was given.
   */
  after: string;
  /** What the user says next. */
  input: string;
  /** Where the model is: where it was in the run before. */
  model: ModelAccess;
}

/** Parameters of run (kit to driver): run the loop on what a user says; for a driver of level wire. */
export interface WireRunParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** What the user says. */
  input: string;
  /** The tools. The driver calls tool/execute for each. */
  tools: Tool[];
  /** The instructions. Absent: none. */
  instructions?: string;
  /** How many times the model may be asked. Absent: what the loop does by itself. Needs the verb limit. */
  limit?: number;
  /** Where the model is. */
  model: ModelAccess;
}

/** Result of run and resume. */
export interface RunResponse {
  /** What the run came to. Absent if the driver does not report results. */
  result?: RunResult;
  /** The session after the run. Absent if the driver does not report sessions. */
  session?: Session;
  /**
   * Of a driver of level wire: how the run ended for its caller. cut_off: the answer is not whole. error: an exception or a result that says so.
   */
  ended?: "completed" | "limit" | "refused" | "cut_off" | "cancelled" | "error";
  /** Of a driver of level wire: the final text. Absent if there is none, or the driver does not say it. */
  text?: string;
  /** Of a driver of level wire: what the caller is told of the error, for people. */
  error?: string;
  /**
   * Of a driver of level wire: why the run cannot be said in its framework. The model was not asked, and nothing was executed.
   */
  not_expressible?: string;
}

/** Parameters of resume (kit to driver): continue a suspended run. Needs the feature external_tools or approval. */
export interface ResumeParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** The snapshot of the suspended run, as the driver reported it. */
  snapshot: Snapshot;
  /** One per pending call. */
  decisions: ResumeDecision[];
  /** Options that replace those of the same names in the snapshot. Absent means those of the snapshot. */
  options?: SentOptions;
  /** The agents by name. The keys are agent names. */
  agents: Record<string, Agent>;
  /** Where the model is. */
  model: ModelAccess;
  /** As for run: the clock of the run from here on, wherever it stands. Absent means real. */
  clock?: "real" | "virtual";
  /**
   * With a virtual clock: what it shows when the run goes on, in milliseconds since the run began, the time included for which it was suspended.
   */
  clock_ms?: number;
  /**
   * The hooks of the run, in order: the driver calls hook/fire for each. Absent means none. Needs the feature hooks.
   */
  hooks?: HookFilter[];
  /**
   * The guardrails of the run, in order: the driver calls guardrail/check for each. Absent means none. Needs the feature guardrails.
   */
  guardrails?: GuardrailFilter[];
  /**
   * The instructions of every agent are a function: the driver calls instructions/evaluate for each evaluation. Absent means that they are the text in agents. Needs the feature dynamic_instructions.
   */
  dynamic_instructions?: true;
  /** The trace that the run belongs to. Absent means none. Needs the feature trace. */
  trace?: TraceContext;
  /**
   * The tools of every agent are a function: the driver calls tools/evaluate for each evaluation. Absent means that they are the list in agents. Needs the feature dynamic_tools.
   */
  dynamic_tools?: true;
  /**
   * MCP servers that the driver connects with before the run begins, and disconnects from after it. Their tools follow those of every agent, server by server. Absent means none. Needs the feature mcp_tools.
   */
  mcp_servers?: McpAccess[];
  /**
   * The run is written to a journal that the kit keeps: the driver calls journal/read and journal/append. Absent means that nothing is written. Needs the feature journal.
   */
  journal?: true;
}

/**
 * Parameters of recover (kit to driver): go on with a run whose process has ended, from its journal at the kit. Needs the feature journal.
 */
export interface RecoverParams {
  /** Names the run: that of the process that has ended. */
  run: string;
  /** The agents by name. The keys are agent names. */
  agents: Record<string, Agent>;
  /** Where the model is. */
  model: ModelAccess;
  /** As for run: the clock of the run from here on, wherever it stands. Absent means real. */
  clock?: "real" | "virtual";
  /** With a virtual clock: what it shows when the run goes on, in milliseconds since the run began. */
  clock_ms?: number;
  /**
   * The hooks of the run, in order: the driver calls hook/fire for each. Absent means none. Needs the feature hooks.
   */
  hooks?: HookFilter[];
  /**
   * The guardrails of the run, in order: the driver calls guardrail/check for each. Absent means none. Needs the feature guardrails.
   */
  guardrails?: GuardrailFilter[];
  /**
   * The instructions of every agent are a function: the driver calls instructions/evaluate for each evaluation. Absent means that they are the text in agents. Needs the feature dynamic_instructions.
   */
  dynamic_instructions?: true;
  /** The trace that the run belongs to. Absent means none. Needs the feature trace. */
  trace?: TraceContext;
  /**
   * The tools of every agent are a function: the driver calls tools/evaluate for each evaluation. Absent means that they are the list in agents. Needs the feature dynamic_tools.
   */
  dynamic_tools?: true;
  /**
   * MCP servers that the driver connects with before the run begins, and disconnects from after it. Their tools follow those of every agent, server by server. Absent means none. Needs the feature mcp_tools.
   */
  mcp_servers?: McpAccess[];
}

/**
 * Parameters of barrier (kit to driver): answer as soon as everything that the driver can do without the kit has been done. Needs the feature parallel, cancel, stop, steering, switch_model, tool_progress, session_lock, runs_at_once or clock.virtual.
 */
export interface BarrierParams {
  /** Names the run; chosen by the kit. */
  run: string;
}

/**
 * Parameters of clock/advance (kit to driver): move the virtual clock, let what is due happen, and answer. Needs the feature clock.virtual.
 */
export interface ClockAdvanceParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** How far, in milliseconds. */
  ms: number;
}

/** Parameters of cancel (kit to driver): the run is to end at once. Needs the feature cancel. */
export interface CancelParams {
  /** Names the run; chosen by the kit. */
  run: string;
}

/** Parameters of stop (kit to driver): the run is to end after its turn. Needs the feature stop. */
export interface StopParams {
  /** Names the run; chosen by the kit. */
  run: string;
}

/**
 * An empty object: the result of barrier, clock/advance and shutdown. Parameters of shutdown (kit to driver): the last request.
 */
export interface Empty {}
/** The call. Of what the loop hands to the tool nothing is changed, whatever it is. */
export interface ExecutableCall {
  /** The call's id. Absent where the loop does not tell it to its tools: the kit knows which call it is. */
  id?: string;
  /** The tool. */
  name: string;
  /** The arguments: any JSON value. A right loop hands an object to a tool. */
  input: unknown;
}

/** Parameters of tool/execute (driver to kit): the loop executes a tool, and the kit is the tool. */
export interface ToolExecuteParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** The call. Of what the loop hands to the tool nothing is changed, whatever it is. */
  call: ExecutableCall;
  /** The context variables that the tool may see. Absent means none. Open. */
  context?: Record<string, unknown>;
  /** The trace context that the tool was handed. Absent means none. */
  trace?: TraceContext;
}

/**
 * Result of tool/execute. At least one of output and data is present, or returned alone. A tool that throws answers with a JSON-RPC error instead.
 */
export interface ToolExecuteResult {
  /** What the tool returned for the model. Absent: data as JSON. */
  output?: string | Part[];
  /** The tool says that it failed. Absent means false. */
  is_error?: boolean;
  /** The run is over if every result of the batch says so. Absent means false. */
  final?: boolean;
  /** What the tool returned for programs: any JSON value. Needs the feature tool_data. */
  data?: unknown;
  /** Context variables to set. Needs the feature context. Open. */
  context_updates?: Record<string, unknown>;
  /** The agent that is to go on; null for none. Needs the feature handoff. */
  handoff?: string | null;
  /** What the tool measured. Needs the feature report. */
  metrics?: {
    [k: string]: number | string | boolean;
  };
  /**
   * Instead of the other fields: what the tool returned, any JSON value as it is; null for nothing. Needs the feature tool_data.
   */
  returned?: unknown;
}

/** The data of the JSON-RPC error that answers tool/execute when the tool throws. */
export interface ToolErrorData {
  /** Says that the tool threw, and not that the kit failed. */
  thrown: true;
  /** The designated fatal error: the run ends. Absent means false. */
  fatal?: boolean;
}

/** Parameters of tool/abort (driver to kit): the loop signals a tool to stop. */
export interface ToolAbortParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** The call's id. */
  id: string;
}

/**
 * Parameters of model/invoke (driver to kit): the loop calls the model, on the generic seam, and the kit is the model.
 */
export interface ModelInvokeParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** What the model is asked. */
  request: ModelRequest;
}

/** The data of the JSON-RPC error that answers model/invoke when the model call fails. */
export interface ModelErrorData {
  /** Why it failed. */
  error: LoopError;
  /** What the model had said before it failed. */
  partial?: Message[];
}

/** Parameters of event (driver to kit): the loop emits an event. */
export interface EventParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** What happened. */
  event: LoopEvent;
}

/**
 * Parameters of steer (kit to driver): somebody says something while the run is under way. Needs the feature steering.
 */
export interface SteerParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** What is said, as a user message. */
  content: string;
}

/** Parameters of tool/progress (kit to driver): a running tool says how far it is. Needs the feature tool_progress. */
export interface ToolProgressParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** The call's id. */
  id: string;
  /** What it says: any JSON value. */
  progress: unknown;
}

/**
 * Parameters of switch_model (kit to driver): another model is to be asked from the next turn on. Needs the feature switch_model.
 */
export interface SwitchModelParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** The model. */
  model: string;
}

/**
 * Parameters of hook/fire (driver to kit): the loop asks a hook, and the kit is the hook. One that throws answers with a JSON-RPC error. Needs the feature hooks.
 */
export interface HookFireParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** Which of the hooks of the run, counted from 0. */
  hook: number;
  /** What the hook is told. */
  call: HookCall;
}

/**
 * Parameters of guardrail/check (driver to kit): the loop asks a guardrail, and the kit is the guardrail. One that throws answers with a JSON-RPC error. Needs the feature guardrails.
 */
export interface GuardrailCheckParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** Which of the guardrails of the run, counted from 0. */
  guardrail: number;
  /** What the guardrail is told. */
  check: GuardrailCheck;
}

/**
 * Parameters of instructions/evaluate (driver to kit): the loop evaluates the instructions of an agent, and the kit is the function. One that throws answers with a JSON-RPC error. Needs the feature dynamic_instructions.
 */
export interface InstructionsEvaluateParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** The active agent. */
  agent: string;
  /** The turn that is about to begin its model call, counted from 1. */
  turn: number;
  /** The context variables as they are now. Absent means none. Open. */
  context?: Record<string, unknown>;
}

/** Result of instructions/evaluate. */
export interface InstructionsEvaluateResult {
  /** The instructions of this turn. Empty: none. */
  text: string;
}

/**
 * Parameters of tools/evaluate (driver to kit): the loop evaluates the tools of an agent, and the kit is the function. One that throws answers with a JSON-RPC error. Needs the feature dynamic_tools.
 */
export interface ToolsEvaluateParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /** The active agent. */
  agent: string;
  /** The turn that is about to begin, or that goes on after the run was suspended, counted from 1. */
  turn: number;
  /** The context variables as they are now. Absent means none. Open. */
  context?: Record<string, unknown>;
}

/** Result of tools/evaluate. */
export interface ToolsEvaluateResult {
  /** The tools of this turn. The driver calls tool/execute for those that are not external. */
  tools: Tool[];
}

/** Parameters of journal/read (driver to kit): the loop reads the journal of the run. Needs the feature journal. */
export interface JournalReadParams {
  /** Names the run; chosen by the kit. */
  run: string;
}

/** Result of journal/read. */
export interface JournalReadResult {
  /** All records that are kept, oldest first; an empty list if there are none. */
  records: JournalRecord[];
}

/**
 * Parameters of journal/append (driver to kit): the loop adds records to the journal of the run, and the kit is its store. Needs the feature journal.
 */
export interface JournalAppendParams {
  /** Names the run; chosen by the kit. */
  run: string;
  /**
   * How many records the journal has, as far as the loop knows: those that it has read, and those that it has added since.
   */
  after: number;
  /** The records, oldest first. */
  records: JournalRecord[];
}

/** Result of journal/append. */
export interface JournalAppendResult {
  /**
   * ok: the records are kept, and outlive the process. taken: another writer has added records after the first `after`, and none of these is kept. failed: none is kept, for a reason of the store.
   */
  answer: "ok" | "taken" | "failed";
}

/** Where an MCP server is reached over streamable HTTP. */
export interface McpAccess {
  /** What the names of its tools begin with. */
  namespace: string;
  /** The address of its only endpoint. */
  url: string;
  /** True: the caller trusts what the server says of its tools. Absent means false. */
  trusted?: boolean;
}

/**
 * The options of a run, as run-options.schema.json describes them. Open: an option that the implementation does not have is refused by its loop, not by its driver.
 */
export interface SentOptions {}
/**
 * The order of the events of a run as data: enough to write a checker in any language. `seq` counts every event from 0.
 */
export interface EventGrammar {
  /** What has a beginning and an end, by name. */
  pairs: Record<string, EventPair>;
  /** Where each kind of event stands. An event that is not here does not exist. */
  events: Record<string, EventRule>;
  /**
   * The status with which a run ends at a limit, by the option that sets it. A run that ends with one of them has its `limit`.
   */
  limits: Record<string, RunStatus>;
}

/**
 * An event that begins something, and the one that ends it. A pair is open from its start to its end. While a pair is open, an event may stand only if the event belongs to it, or to a pair inside or beside it.
 */
export interface EventPair {
  /** The event that begins it. */
  start: string;
  /** The event that ends it. Every start has its end. */
  end: string;
  /** The pair that is open around it. Absent: none, it is the whole. */
  in?: string;
  /** The part of the pair around it in which it begins. */
  part?: string;
  /** Its parts, in order. An event of an earlier part does not come after one of a later part. Parts may be empty. */
  parts?: string[];
  /**
   * The fields by which a start, its end and what is in between find each other, beside those of the pairs around it. An event that has the key field of an open pair around it has that pair's value.
   */
  key?: string[];
  /** The field of the start that numbers the pairs of its kind in the pair around them. */
  counted?: EventCounter;
  /** How many there are in the pair around them. Absent: any number, none included. */
  count?: EventCount;
  /**
   * The pairs that may be open at the same time without being around it or in it; its own name if several of its kind may.
   */
  beside?: string[];
  /**
   * The feature that adds it. `count.min` and `followed_by` hold where the feature is declared, or the pair is seen in the run.
   */
  feature?: string;
  /** The sentence that is broken where a start has no end, or an end no start. */
  requirement: string;
}

/** A number that goes up by one. */
export interface EventCounter {
  /** The field. */
  field: string;
  /** The first value. */
  from: number;
  /**
   * The first start may have any value if this field of it, or of the start of the pair around it, is true; the next goes on from there.
   */
  unless?: string;
}

/** How many there are. */
export interface EventCount {
  /** At least so many. */
  min?: number;
  /** At most so many. */
  max?: number;
  /** There is none if this field of the start of the pair around it is true. */
  none_if?: string;
  /** There may be fewer if a field of the end of the pair around it has one of these values. */
  unless?: Record<string, string[]>;
}

/** Where one kind of event stands: exactly one of starts, ends, of, in and anywhere is present. */
export interface EventRule {
  /** The pair that it begins; it stands where that pair stands. */
  starts?: string;
  /** The pair that it ends. */
  ends?: string;
  /** The pair, open under the same key, to which it belongs. */
  of?: string;
  /** The places in which it may stand. */
  in?: EventPlace[];
  /** It may stand between any two events of the run. */
  anywhere?: true;
  /** A pair under the same key that has ended before. */
  after?: string;
  /** At most one stands in the pair around it. Absent: any number. */
  once?: true;
  /** Its turn is the one that has ended, 0 before the first. */
  turn?: "ended";
  /** What comes next. */
  followed_by?: EventFollower;
  /** The event that comes directly before it, those aside that may stand anywhere. Absent: any. */
  follows?: string;
  /** The feature that adds it. Absent: every implementation has it, or the pair says which. */
  feature?: string;
  /** The sentence that is broken by an event of this kind in another place. */
  requirement: string;
}

/** A place in an open pair, in none of the pairs inside it. */
export interface EventPlace {
  /** The pair. */
  pair: string;
  /** The parts of it to which the event may belong: it belongs to the first that is not over. Absent: any. */
  parts?: string[];
  /** Only an event that has these values, by subset. Open. */
  only?: Record<string, unknown>;
}

/** The pair whose start comes next, apart from what may stand anywhere. */
export interface EventFollower {
  /** The pair. */
  pair: string;
  /** Not for an event with these values. Open. */
  unless?: Record<string, unknown>;
}

/**
 * What the model traffic of a program must show, in the language of a case's expect: matchers and bindings may stand.
 */
export interface Expectation {
  /**
   * The calls whose results the program sent, whole, in the order of the results, each by subset: {id, name, input, output, is_error}, or a name. Or a matcher of that list.
   */
  tools?:
    | unknown[]
    | Record<string, unknown>;
  /**
   * The model requests, whole, each by subset, in generic terms: {messages, tools, system, model, settings}. Or a matcher of that list.
   */
  requests?:
    | unknown[]
    | Record<string, unknown>;
  /** How many model requests there were. */
  request_count?: number;
  /** The bodies of the requests in the provider's own format, by provider, each by subset. */
  wire?: Record<string, unknown[]>;
  /** What the traffic comes to, by subset, as in the result of a run: {turns, tool_calls, final_text, usage, cost}. */
  result?: unknown;
  /** The most that the model calls may cost, as a decimal number in the currency of prices. */
  budget?: string;
  /** What tokens cost. Absent: the prices that the package knows. */
  prices?: PriceTable;
}

/** What an implementation is known to fail, each with its reason. Written as YAML. */
export interface KnownFailures {
  /** Version of the format. */
  known_failures: 1;
  /**
   * Requirements that are broken. A finding belongs to the first entry that names it; other findings of the same variant are not excused. Absent: none.
   */
  requirements?: KnownBreach[];
  /**
   * Checks that fail in one way, such as with a crash. A variant belongs to the first entry that names it, and everything that is wrong in it is known. Absent: none.
   */
  failures?: KnownFailure[];
}

/** Variants that fail in one way for one reason. All of them must fail, and with this code. */
export interface KnownFailure {
  /** case-id#requirement; * stands for any text. */
  check: string;
  /** Names of variants; * stands for any text. Absent means every variant of the check. */
  variants?: string[];
  /** How they fail: the code of the first failure. */
  code: FailureCode;
  /** Why they fail. */
  reason: string;
  /** Where somebody works on it. */
  issue?: string;
  /** The last day, in UTC, on which the entry counts. Absent means that it does not expire. */
  expires?: string;
}

/** A requirement that is broken, for one reason. It must be broken in each case and in each variant that is named. */
export interface KnownBreach {
  /** The requirement. */
  requirement: string;
  /** The cases that show it, whatever they test; * stands for any text. Absent means every case. */
  cases?: string[];
  /** Names of variants; * stands for any text. Absent means every variant of the cases. */
  variants?: string[];
  /** Why it is broken. */
  reason: string;
  /** Where somebody works on it. */
  issue?: string;
  /** The last day, in UTC, on which the entry counts. Absent means that it does not expire. */
  expires?: string;
}

/**
 * What an implementation says of itself in agent-loop.json: who it is, how its driver is started, what it keeps, and from what it is known to deviate.
 */
export interface Manifest {
  /** Where this schema is, for editors. */
  $schema?: string;
  /** Its name, as the driver gives it in the handshake. */
  name: string;
  /** Its version, as the driver gives it in the handshake. */
  version: string;
  /** The language it is written in. */
  language?: string;
  /** Program and arguments that start the driver. Files are relative to agent-loop.json. */
  command: string[];
  /**
   * Program and arguments that build the driver, run beside agent-loop.json before the driver is first started. Absent means that nothing is to be built.
   */
  build?: string[];
  /**
   * Environment variables of the driver, beside the few that every driver is given. The keys are their names. Absent means none.
   */
  env?: Record<string, string>;
  /** How long the driver may take until it has answered initialize, in milliseconds. Absent means 20000. */
  start_timeout_ms?: number;
  /**
   * The features that the driver declares in the handshake, in any order. Absent means that only the handshake says them.
   */
  features?: string[];
  /**
   * The profiles that it keeps but for its known failures; the list is closed, see agent-loop list profiles. Absent means that it claims none.
   */
  profiles?: string[];
  /** The file of its known failures, relative to agent-loop.json. Absent means that it has none. */
  known_failures?: string;
}

/**
 * What was measured of loops that others make, and of those of this project: one row each, with what shows every breach. Written by `agent-loop matrix`.
 */
export interface Matrix {
  /** Version of this format. */
  matrix: 1;
  /** The essential requirements, as they were when a row was last measured. */
  requirements: Record<string, MatrixRequirement>;
  /** The points at which several behaviours are right. */
  policies: Record<string, MatrixPolicy>;
  /** The cases of next-message/ that some row plays, by the last part of their id. */
  scenes: Record<string, string>;
  /** One for each framework or program in one configuration, by id. */
  rows: MatrixRow[];
}

/** An essential requirement. */
export interface MatrixRequirement {
  /** How a user is hurt where it is broken. */
  severity: RequirementSeverity;
  /** Its sentence. */
  text: string;
  /** What happens to a user where it is broken. */
  without: string;
  /** File and line of the specification. */
  at?: string;
  /** The servers that it is about, where these are not the provider's own. */
  dialect?: string;
}

/** A point at which several behaviours are right. */
export interface MatrixPolicy {
  /** What differs. */
  question: string;
  /** The choices, by name. */
  choices: Record<string, string>;
  /** The choice of this specification. */
  spec: string;
}

/** A framework or program, in one version and configuration, and what was seen of it. */
export interface MatrixRow {
  /** Its folder or file: peers/ai-sdk, agents/codex, own/reference. */
  id: string;
  /** A library around which somebody writes a program; a whole program; or a loop of this project. */
  kind: "framework" | "program" | "own";
  /** What its makers call it. */
  title: string;
  /** What the row speaks of, in one sentence. */
  configuration: string;
  /** The language that its users write, or that it is written in. */
  language: string;
  /** What was measured, the framework or program first. Empty for a loop of this project. */
  packages: PeerPackage[];
  /** When, in UTC. */
  measured_at: string;
  /** Version of the kit that measured it. */
  kit: string;
  /** Version of the specification that it was held against. */
  spec: string;
  /** A digest of what was measured, and of what measured it: as long as it is the same, so is the row. */
  fingerprint?: string;
  /** The seed of the random ids and words. */
  seed?: number;
  /** Why it was not measured. Absent: it was. */
  unavailable?: string;
  /** The providers that it was played with. */
  providers?: string[];
  /** Whether nothing but its own machine could be reached while it was measured. */
  offline?: boolean;
  /** How long it took. */
  duration_ms?: number;
  /** How many variants have which verdict. */
  variants?: Record<string, number>;
  /** What was seen of each requirement. Absent only where the row is unavailable. */
  cells?: Record<string, MatrixCell>;
  /** What became of the user's next message, by case and then by variant such as openai-chat/sse. */
  next?: {
    [k: string]: Record<string, MatrixNext>;
  };
  /** Which behaviours were observed where several are right. */
  observed?: ObservedPolicy[];
  /** What its makers, or others, hold against the row: the text of disputes.md beside its driver, in Markdown. */
  disputes?: string;
  /** What is not as in the run before. Absent: nothing, or there was none. */
  changed?: MatrixChanges;
}

/** What a row shows of one requirement. */
export interface MatrixCell {
  /** broken needs a script without kit and driver that showed the same in this run; without one it is unconfirmed. */
  outcome: "kept" | "broken" | "unconfirmed" | "not_seen" | "not_applicable" | "not_expressible";
  /** Why it was not seen, cannot apply, or cannot be expressed by the driver. */
  reason?: string;
  /** The same for each provider, before any script. */
  providers?: {
    [k: string]: "kept" | "broken" | "not_seen" | "not_applicable" | "not_expressible";
  };
  /** In how many variants it was kept. Absent: in none. */
  kept?: number;
  /** In how many variants it was broken. Absent: in none. */
  broken?: number;
  /** What happened to the user, in the variant that shows it best. */
  sentence?: string;
  /** That variant. */
  evidence?: MatrixEvidence;
  /** What shows it without kit and driver, and what that came to in this run. */
  scripts?: MatrixScript[];
}

/** The variant that shows a breach best. */
export interface MatrixEvidence {
  /** The case or scenario. */
  case: string;
  /** Provider and transport, or the program. */
  variant: string;
  /** What repeats it. */
  command: string;
  /** The exchange that shows it, counted from 1 as they were; others may be left out. */
  exchange?: number;
  /** What went over the wire, shortened where it was long. */
  exchanges?: MatrixExchange[];
  /** How many exchanges are left out. */
  left_out?: number;
  /** The error with which the run ended, as the driver reports it. */
  ended?: string;
  /** What else was wrong in it, in one line each. */
  more?: string;
}

/** A request and its answer. */
export interface MatrixExchange {
  /** Which it was, counted from 1. */
  number: number;
  /** What was sent: first line, and body. */
  request: string;
  /** What was answered. Absent: nothing. */
  response?: string;
}

/** A script that shows a breach without kit and driver. */
export interface MatrixScript {
  /** Where it is, from the folder of the project; or the command, for a program. */
  file: string;
  /** Whether it showed the breach in this run. */
  shows: boolean;
  /**
   * Its exit code: 1 is the breach, 0 that it is not there, anything else that the script is broken. Null: it did not end in time.
   */
  exit: number | null;
  /** The line that it wrote. */
  output?: string;
}

/** What became of the user's next message in one variant. */
export interface MatrixNext {
  /** broken: what the case is about, or another essential requirement, was broken in it. */
  outcome: "kept" | "broken" | "not_seen" | "not_applicable" | "not_expressible";
  /** The requirements that were broken. */
  requirements?: string[];
  /** What happened, or why it was not seen. */
  sentence?: string;
}

/** A cell that changed. */
export interface MatrixChange {
  /** The requirement. */
  requirement: string;
  /** What it was; absent in that run: -. */
  before: string;
  /** What it is. */
  after: string;
}

/** What is not as in an earlier run of the same row. */
export interface MatrixChanges {
  /** When that run was. */
  since: string;
  /** Packages with another version: ai 7.0.1 → 7.0.2. */
  versions?: string[];
  /** The cells that changed. */
  cells?: MatrixChange[];
}

/**
 * What a peer is in peer.json: a framework that somebody else makes, in one version and one configuration, and how it is installed. Its driver is described by the agent-loop.json beside it.
 */
export interface Peer {
  /** The name of its folder, and of its driver. */
  name: string;
  /** What its makers call it. */
  title: string;
  /** What the row speaks of, in one sentence: which entry points, and which settings. */
  configuration: string;
  /** The language that its users write. */
  language: "typescript" | "javascript" | "python" | "java" | "go" | "rust" | "csharp";
  /** The framework, and after it what belongs to the row, such as the packages of its providers. */
  packages: PeerPackage[];
  /** The file beside this one that fixes the version of everything that is installed. */
  lockfile: string;
  /** The programs that must be there before it can be installed. */
  needs: string[];
  /**
   * The commands, each a program and its arguments, that install it in its folder, one after another. After them it runs without a network.
   */
  install: string[][];
  /** The program and its arguments that a script of the folder repro is run with, in the folder of the peer. */
  repro: string[];
  /**
   * The essential requirements that it is known to break, in this version. For each a script in its folder repro shows it without the kit and without its driver. Absent: none.
   */
  known?: string[];
  /** Why it cannot be played. Absent: it can. */
  unavailable?: string;
}

/** A package in one version. */
export interface PeerPackage {
  /** The kind of registry that it comes from. */
  registry: "npm" | "pypi" | "maven" | "cargo" | "go" | "nuget";
  /** Its name there. */
  name: string;
  /** Its version. */
  version: string;
}

/**
 * What a scripted model does to a whole agent program, and what the program must not do then. Its name is the path of its file.
 */
export interface ProbeScenario {
  /** What a program that keeps its requirements does, in one sentence. */
  title: string;
  /** What happens, and how a user is hurt where it goes wrong, in one or two sentences. */
  story: string;
  /** How a user is hurt by the worst that it can show. */
  severity: RequirementSeverity;
  /** What the model does, one entry for each request of the conversation; afterwards it ends every turn with a text. */
  model: ProbeStep[];
  /** How the program is interrupted. Absent: it is not. */
  interrupt?: ProbeInterrupt;
  /**
   * How many turns the user takes, each but the first by the program's own way to continue. Absent: 1, and 2 after an interrupt.
   */
  turns?: number;
  /** What is judged beside what is judged in every scenario. */
  expect: ProbeExpectation[];
}

/** What the model does with one request: it says something, or the call of the model fails. */
export interface ProbeStep {
  /** The parts of its answer; none for an empty one. */
  says?: ProbePart[];
  /**
   * Why it stops, in generic words: the first that the provider of the program has. Absent: tool_use where it calls, else end_turn.
   */
  stop?: string[];
  /** Where it stops for `other`: the word on the wire. */
  raw_stop?: string;
  /** Where the connection is lost. Absent: nowhere. */
  lost?: "before_headers" | "mid_stream" | "in_text" | "in_call" | "before_end";
  /** The pieces of its calls come in turn, as their indexes say. */
  interleaved?: true;
  /** How the call of the model fails, after what it says. */
  fails?: ErrorKind;
  /** What the provider says where the call fails; {key} is the key that the program was given. Absent: a few words. */
  message?: string;
  /** How long the provider asks to wait. */
  retry_after_ms?: number;
  /** What is sent as it is, and is no answer of any provider. */
  sends?: {
    /** The status. */
    status: number;
    /** The type of the body. */
    content_type: string;
    /** The body; {error} is an error of the program's provider. */
    text: string;
  };
  /** For how many requests. Absent: for one. */
  times?: number;
}

/** A part of an answer. */
export interface ProbePart {
  /** A text. */
  text?: string;
  /** Thinking, signed or encrypted as the provider does it. */
  thinking?: string;
  /**
   * A call of the tool with that role: any is one of the others that leaves a mark; unknown, one that the program does not have.
   */
  call?: "read" | "write" | "shell" | "any" | "unknown";
  /** What its arguments are like. Absent: whole. */
  arguments?: "whole" | "cut" | "missing" | "wrong" | "extra" | "big_number";
  /** What the command of a shell does beside leaving its mark, or prints. Absent: nothing more. */
  does?: "mark" | "wait" | "huge" | "empty" | "binary" | "not_utf8";
  /** An id that other calls have, too. Absent: one of its own. */
  id?: string;
}

/** An interrupt. */
export interface ProbeInterrupt {
  /** What the program gets. */
  signal: "SIGINT" | "SIGTERM" | "SIGKILL";
  /** Whether the model is answering, or a tool is running. */
  during: "model" | "tool";
}

/** One thing that is judged. */
export interface ProbeExpectation {
  /** The requirement of the specification. */
  requirement: string;
  /** How it is judged. */
  check:
    | "not_executed"
    | "executed"
    | "executed_once"
    | "answered"
    | "asks_again"
    | "does_not_ask_again"
    | "tells"
    | "ends"
    | "sends_back"
    | "does_not_send_back"
    | "traffic"
    | "asks_at_most"
    | "keeps_secret";
  /**
   * What is looked for in the requests, for sends_back, where {prompt} is what the user said first, and for does_not_send_back; in the output as well, for keeps_secret, where {key} is the key that the program was given; how many requests, for asks_at_most.
   */
  text?: string;
  /** Which of the scripted calls, counted from 1. Absent: every one. */
  call?: number;
  /** How a user is hurt. Absent: as the scenario says. */
  severity?: RequirementSeverity;
  /** What happened to the user where it is broken, in one sentence; {tool} is the tool that was called. */
  broken: string;
}

/** One line of a report: first its header, then a line for each selected variant, last its footer. */
export interface ReportLine {
  /** What was run. */
  header?: ReportHeader;
  /** What became of a variant. */
  result?: VariantResult;
  /** What it comes to. */
  footer?: ReportFooter;
}

/** What was run, against whom. The first line of a report. */
export interface ReportHeader {
  /** Version of the report format. */
  report: 1;
  /** Version of the kit. */
  kit: string;
  /** Version of the specification. */
  spec: string;
  /** The driver, as the command line named it. */
  driver: string;
  /** The handshake of the driver. Absent if there was none. */
  implementation?: InitializeResult;
  /**
   * The profiles that the driver's agent-loop.json declares, where everything was selected: all shards together have to keep them.
   */
  profiles?: string[];
  /** Version of the suite of cases: the newest, or the one to which it was pinned. */
  suite_version?: string;
  /**
   * A digest of everything that was selected: the cases, what they say, and their variants. All shards of one run have the same.
   */
  suite: string;
  /** How many variants the report has. */
  selected: number;
  /** Requirements beyond this level were not judged. Absent: all were. */
  level?: RequirementLevel;
  /** Which part of the selection it is. Absent if it is all of it. */
  shard?: Shard;
  /** The seed of the random ids and words. Absent where shards with different ones were merged. */
  seed?: number;
  /**
   * The seeds of the splits with which each streamed variant was played again; 0 cuts after every byte. Absent: none.
   */
  splits?: number[];
  /**
   * The driver takes several runs at once, and was given one at a time: nothing is known of what only overlapping runs bring out. Absent: it was given as many as it takes, or as `--jobs` allows.
   */
  one_at_a_time?: true;
  /** When the run began, in UTC. */
  started_at: string;
}

/** One of several parts of a selection. */
export interface Shard {
  /** Which part, counted from 1. */
  index: number;
  /** How many parts there are. */
  count: number;
}

/** What it comes to. The last line of a report; a report without it was cut off. */
export interface ReportFooter {
  /** The verdicts, counted. */
  totals: Totals;
  /**
   * What is known of the requirements, counted: each has one verdict for the whole run. Absent in reports of older kits.
   */
  requirements?: RequirementTotals;
  /**
   * The behaviours that were observed, one entry for each choice of spec/policies.json of which something was seen. Absent if nothing was.
   */
  observed?: ObservedPolicy[];
  /** How long it took. */
  duration_ms: number;
  /** Why the driver never initialised. Absent if it did. */
  start_error?: string;
  /**
   * Features that the driver does not declare, though every case of theirs passes that was tried. Absent unless they were asked for.
   */
  undeclared?: string[];
  /** What is wrong beside the variants; each makes the run red. Absent if there is nothing. */
  problems?: ReportProblem[];
}

/** Something that a file says of the implementation and that is not so, such as a stale known failure. */
export interface ReportProblem {
  /** The file. */
  file: string;
  /** The line. Absent where it is about the whole file. */
  line?: number;
  /** What it says, what is so, and what to do. */
  message: string;
}

/** One thing that was wrong. */
export interface Failure {
  /** Which kind of wrong. */
  code: FailureCode;
  /** The requirement that was broken. */
  requirement?: string;
  /** What was wrong, in one line. */
  message: string;
  /** Where in the expectation, as a JSON Pointer. */
  path?: string;
  /** What was expected. */
  expected?: unknown;
  /** What came. */
  received?: unknown;
}

/** One exchange that the kit observed. */
export interface WireExchange {
  /** What the driver sent. */
  request: unknown;
  /** What the kit answered. */
  response?: unknown;
}

/** An event of a run, and when the kit heard of it. */
export interface HeardEvent {
  /** When the kit heard of it, in milliseconds since the run began. */
  at_ms: number;
  /** The event as the driver told it. */
  event: LoopEvent;
}

/** What is known of one requirement: by one variant of a case, one scenario of a program, or one recording. */
export interface Finding {
  /** The requirement. */
  requirement: string;
  /** What is known of it. */
  verdict: RequirementVerdict;
  /** How a user is hurt, where an essential requirement is broken. */
  severity?: RequirementSeverity;
  /** What happened to the user, in one sentence. Absent unless it is broken. */
  message?: string;
  /** Why it was not seen, cannot apply or cannot be expressed. */
  reason?: string;
  /** The exchange that shows it, counted from 1. */
  exchange?: number;
  /** Where in the request, the response or the expectation, as a JSON Pointer. */
  path?: string;
  /** What was expected. */
  expected?: unknown;
  /** What came. */
  received?: unknown;
  /** Why it is known to be broken, where it is listed. Absent otherwise. */
  known?: string;
}

/** One case on one seam and transport. */
export interface VariantResult {
  /** case-id#requirement. */
  check: string;
  /** The case. */
  case: string;
  /** The requirement that it tests. */
  requirement: string;
  /** generic, or provider/transport. */
  variant: string;
  /** What became of it. */
  verdict: Verdict;
  /** Why it is unsupported, not applicable or not run, or why it was expected to fail. */
  reason?: string;
  /**
   * What is known of each requirement, that of the case first. A requirement that is not listed was not seen. Absent in reports of older kits.
   */
  findings?: Finding[];
  /** Which of the behaviours that are all defensible it showed. Absent if none. */
  observed?: ObservedBehaviour[];
  /**
   * The other requirements that are kept: in a line of a report their ids stand here, instead of a finding for each.
   */
  kept?: string[];
  /** The error with which the run ended, as the driver reports it. Only where something was wrong. */
  error?: LoopError;
  /** What was wrong, of whichever requirement. Absent if nothing was. */
  failures?: Failure[];
  /** What went over the wire. Only for failures, unless details of all were asked for. */
  exchanges?: WireExchange[];
  /** The events in the order in which they came. Only for failures, unless details of all were asked for. */
  events?: HeardEvent[];
  /** The line of the case file to look at. */
  line?: number;
  /** The command that runs only this variant. */
  repro?: string;
  /** How long it took. */
  duration_ms: number;
}

/** How many variants have which verdict. selected is the sum of the others. */
export interface Totals {
  /** Variants selected. */
  selected: number;
  /** Passed. */
  pass: number;
  /** Failed. */
  fail: number;
  /** Failed as listed. */
  "expected-fail": number;
  /** Listed as failing, but passed. */
  "unexpected-pass": number;
  /** Needs a feature, seam or report that the driver does not declare, or what the case tests was not seen. */
  unsupported: number;
  /** Cannot be expressed on that seam or transport. */
  "not-applicable": number;
  /** Selected but not run. */
  "not-run": number;
  /** The kit's own fault. */
  "harness-error": number;
}

/** How many requirements have which verdict. selected is the sum of the others. */
export interface RequirementTotals {
  /** Requirements that the selected cases test, or of which something was found. */
  selected: number;
  /** Kept wherever there was occasion. */
  kept: number;
  /** Broken somewhere. */
  broken: number;
  /** Broken, but only where it is listed. */
  known: number;
  /** There was no occasion, or what shows it is not reported. */
  not_seen: number;
  /** There can be no occasion. */
  not_applicable: number;
  /** The driver cannot say what the cases need. */
  not_expressible: number;
}

/** Which of the behaviours that are all defensible a variant showed. */
export interface ObservedBehaviour {
  /** The choice that loops make differently, as spec/policies.json names it. */
  policy: string;
  /** What this loop was seen to do. */
  choice: string;
}

/**
 * What a whole run showed of one choice that loops make differently. Several choices are no fault: the loop does it in one way here, and in another there.
 */
export interface ObservedPolicy {
  /** The choice, as spec/policies.json names it. */
  policy: string;
  /** In how many variants each behaviour was seen. */
  choices: Record<string, number>;
}

/** How far a loop has come on the track. Written beside its agent-loop.json. */
export interface TrackProgress {
  /** Version of the format. */
  progress: 1;
  /**
   * The stages that the last run in which they were examined passed, by name, each with the time since when, as ISO 8601 writes it.
   */
  passed: Record<string, string>;
  /** How many hints of a stage were opened. The keys are names of stages. */
  hints: Record<string, number>;
}

/** What a run up to a stage of the track came to, for whoever gives marks. */
export interface TrackScore {
  /** Version of the format. */
  score: 1;
  /** The driver, as it was named. */
  driver: string;
  /** The version of the suite that examined it. */
  suite_version: string;
  /** Why the driver never initialised. Absent means that it did. */
  start_error?: string;
  /** How many stages passed. */
  passed: number;
  /** How many stages were examined. */
  of: number;
  /** The stages, in order. */
  stages: StageScore[];
}

/** What became of one stage. */
export interface StageScore {
  /** Its number. */
  stage: number;
  /** Its name, which stays when its number changes. */
  name: string;
  /** What it is called. */
  title: string;
  /** Everything that it demands ran and passed. */
  is_passed: boolean;
  /** How many variants passed. */
  passed: number;
  /**
   * How many variants it demands of this driver. Of a driver without a provider a stage on the wire demands none, and is not passed.
   */
  of: number;
  /** Why it is not passed: what failed first, or what the driver does not declare. Absent if it is passed. */
  missing?: string;
}

/** What stands at the head of a stage of the track: what it is called, and what examines it. Written as YAML. */
export interface TrackStage {
  /** What the stage is called. */
  title: string;
  /**
   * Where its cases are run: on the generic seam, or on the wire of each provider that the driver declares, over these transports: json, and streamed for every one that streams.
   */
  on: ("generic" | "json" | "streamed")[];
  /** Ids of cases; * stands for any text. A variant of a case belongs to the first stage that names it. */
  cases: string[];
  /**
   * The features that the driver declares from this stage on. A case that needs another one does not belong to it. Absent means no new one.
   */
  features?: string[];
  /** Where the reference does it: a file, and after # a name that it declares. */
  reference: string[];
}
