// Everything that the kit observed of one run; expectations and invariants are judged on nothing else.

import type {
  Failure,
  GuardrailCheck,
  GuardrailFinding,
  HookCall,
  InitializeResult,
  InstructionsEvaluateParams,
  JournalRecord,
  LoopEvent,
  Message,
  ModelResponse,
  ModelSettings,
  OutputFormat,
  RunResponse,
  RunResult,
  Session,
  Tool,
  ToolChoice,
  WireExchange,
  ToolsEvaluateParams,
} from "../../../schemas/types.ts";
import type { FilledCase } from "../suite/fill-case.ts";
import type { ExpectedSession, ToolAnswer } from "./expected-session.ts";
import type { ScriptedResponse } from "../wire/codec.ts";
import type { Variant } from "../suite/variant.ts";

/** A model request, in generic terms. */
export interface ObservedRequest {
  /** Leading system messages, joined with a blank line; absent if there are none. */
  system?: string;
  messages: Message[];
  tools: Pick<Tool, "name" | "description" | "input_schema">[];
  /** The settings of the agent; absent if there are none. */
  settings?: ModelSettings;
  tool_choice?: ToolChoice;
  output_format?: OutputFormat;
  /** It asks for a summary, and belongs to no turn. */
  summary?: true;
  /** The body on the wire. */
  body?: unknown;
  /** The body with what it leaves out because the server keeps it; absent if it leaves nothing out. */
  whole?: unknown;
}

/** One execution of a tool. Starts and ends are counted by one clock that ticks with every observation. */
export interface Execution {
  id: string;
  name: string;
  /** What the loop handed to the tool; of a right loop an object. */
  input: unknown;
  /** The context variables that the tool may see; absent if there are none. */
  context?: Record<string, unknown>;
  /** After how many resumes of the run it began. */
  resumes: number;
  /** How many processes of the driver had been ended when it began. */
  life: number;
  start: number;
  /** Absent while the tool runs. */
  end?: number;
  answer?: ToolAnswer;
  /** Its answer came while the loop still waited for it. */
  counts?: true;
}

/** A model answer that was sent whole. */
export interface GivenAnswer {
  /** Absent for bytes that the kit does not understand. */
  response?: ScriptedResponse;
  /** The generic messages that a correct adapter makes of it. */
  messages: Message[];
  /** The stop reason that a correct loop reports. */
  stopReason?: ModelResponse["stop_reason"];
}

/** What a guardrail found, and where. One that threw has tripped. */
export interface Finding extends GuardrailFinding, Pick<GuardrailCheck, "point"> {
  name: string;
  /** The id of the call, at the points of a tool. */
  call?: string;
}

/** A call of a tool of an MCP server. */
export interface McpCall {
  server: string;
  /** The server's name of the tool. */
  name: string;
  arguments: Record<string, unknown>;
  /** The server was notified that the call is cancelled. */
  cancelled?: true;
}

/** The journal of a run, of which the kit is the store. */
export interface ObservedJournal {
  /** All records that were kept, by whatever process. */
  records: JournalRecord[];
  /** In how many appends they came. */
  appends: number;
  /** How many processes of the driver the kit has ended. */
  ended: number;
  /** How many records were kept since a process was asked last. */
  appendedLast: number;
  /** Whether that process has asked the model, a tool or a function of the case: then it was not refused. */
  isUnderWay: boolean;
  /** The calls that were executed by a process that ended before their result was kept. */
  interrupted: Set<string>;
}

/** Everything observed of one run. */
export interface Observation {
  /** The ids of the calls whose subagents are around it, and its own, outermost first; empty for the run of the case. */
  path: string[];
  /** The runs of all subagents, in the order in which they were called. What they ask and execute is in the lists of the run too. */
  subruns: Subrun[];
  filled: FilledCase;
  /** The id of the session that the driver was given. Absent for a subagent: its session is made by the loop. */
  sessionId?: string;
  variant: Variant;
  driver: InitializeResult;
  /** The API key that the driver was given; it may appear nowhere. */
  apiKey?: string;
  requests: ObservedRequest[];
  executions: Execution[];
  /** Ids of the calls whose tools were signalled to stop. */
  aborted: string[];
  /** The calls of hooks, in the order in which they came. */
  hooks: ({ hook: number } & HookCall)[];
  /** The checks of guardrails, in the order in which they came. */
  guardrails: ({ guardrail: number } & GuardrailCheck)[];
  /** What the guardrails found, in the order in which they said it. */
  findings: Finding[];
  /** The evaluations of instructions: the arguments of the function, before which request, counted from 1, its text unless it threw, and whether it has answered. */
  instructions: (Omit<InstructionsEvaluateParams, "run"> & { before: number; text?: string; hasEnded: boolean })[];
  /** The evaluations of tools: the arguments of the function, after how many resumes, before which request, and what it made. */
  toolsets: (Omit<ToolsEvaluateParams, "run"> & { resumes: number; before: number; tools: Tool[] })[];
  /** Present if the case has a journal. */
  journal?: ObservedJournal;
  /** The calls that MCP servers received, in order. */
  mcpCalls: McpCall[];
  /** Which tools each MCP server lists now, by namespace, where its list has changed. */
  mcpListed: Map<string, readonly string[]>;
  /** What running tools said of their progress. */
  progress: { id: string; progress: unknown }[];
  /** The events, one list for the run and one for each resume. */
  events: LoopEvent[][];
  /** What the driver returned, once for the run and once for each resume. */
  results: { result?: RunResult; session?: Session }[];
  /** What the driver returned for the run that the case started beside this one. */
  second?: { result?: RunResult; session?: Session };
  /** What the driver returned for each further message of the user, in order. */
  next: { result?: RunResult; session?: Session }[];
  /** The requests with the user's next messages that the provider takes, in generic terms. */
  nextRequests: Pick<ObservedRequest, "messages">[];
  /** How a driver of level wire says that the run ended. */
  ended?: NonNullable<RunResponse["ended"]>;
  /** The model's summaries, which belong to no turn; a call for one that failed has no response. */
  summaries: { response?: ScriptedResponse }[];
  /** The model's whole answers, in order. */
  answers: GivenAnswer[];
  /** How often the model was asked again, beyond what the case has, because its last answer was lost. */
  askedAfterLoss: number;
  /** Something interrupted the run: only the case defines its ending, nothing is derived. */
  disturbed: boolean;
  /** Its time was over while a tool ran, and that it ends for, whatever else was a reason. @see LOOP-105, LOOP-110 */
  ranOutOfTime?: true;
  expected: ExpectedSession;
  exchanges: WireExchange[];
  /** Failures found during the run. */
  failures: Failure[];
}

/** Everything observed of the run of a subagent. */
export interface Subrun extends Observation {
  agent: string;
  /** The run that called it. */
  within: Observation;
  /** Its last answer was given. */
  hasEnded: boolean;
}

/** Whether calls may be open at the end: the run is suspended, or it was and refused to be resumed. */
export function waitsForCaller({ results }: Observation): boolean {
  const last = results.at(-1)?.result;
  return last?.status === "suspended" || (results.length > 1 && last?.error?.kind === "configuration");
}
