// What is known of a run that is walked through: as a whole, and at each point of it.

import type { LoopEvent, Message, Phase, RunOptions, StopReason, ToolCallMessage } from "../../../schemas/types.ts";

/** What is known of a run, or of several on one session, one after another. Each reader makes one of what it reads. */
export interface Trace {
  title: string;
  /** What the reader has to know about its source. */
  notes: string[];
  /** The session before the first run. */
  before: Message[];
  events: LoopEvent[];
  /** Where the last run stands, where that is known: its last transition may have emitted no event yet. */
  reached?: Phase;
  /** The instructions of the agent that begins. Absent: there are none, or they are unknown. */
  instructions?: string;
  /** The options of the run, as far as they are known. */
  options?: RunOptions;
  /** What was asked in each model call, retries included, where it was kept as it was. */
  requests?: unknown[][];
}

/** What is known of the run where one cut ends and the next begins. */
export interface Known {
  trace: Trace;
  /** The session so far. */
  messages: Message[];
  /** The last response, whose calls these are. */
  response: Message[];
  calls: ToolCallMessage[];
  stop_reason: StopReason | undefined;
  /** The names of the tools of the agent that began; empty once another agent took over. */
  tools: string[];
}
