// Everything that the kit saw and was told of one run; expectations and invariants are judged on nothing else.

import type {
  Failure,
  InitializeResult,
  LoopEvent,
  Message,
  ModelResponse,
  RunResult,
  Session,
  Tool,
  WireExchange,
} from "../../reference/types.ts";
import type { FilledCase } from "./fill-case.ts";
import type { ExpectedSession, ToolAnswer } from "./expected-session.ts";
import type { ScriptedResponse } from "./codec.ts";
import type { Variant } from "./variant.ts";

/** A model request, in generic terms. */
export interface ObservedRequest {
  /** Leading system messages, joined with a blank line; absent if there are none. */
  system?: string;
  messages: Message[];
  tools: Pick<Tool, "name" | "description" | "input_schema">[];
  /** The body on the wire. */
  body?: unknown;
}

/** One execution of a tool. Starts and ends are counted by one clock that ticks with every observation. */
export interface Execution {
  id: string;
  name: string;
  input: Record<string, unknown>;
  start: number;
  /** Absent while the tool runs. */
  end?: number;
  answer?: ToolAnswer;
}

/** A model answer that was sent whole. */
export interface GivenAnswer {
  /** Absent for bytes that the kit does not understand. */
  response?: ScriptedResponse;
  /** The generic messages that a correct adapter makes of it. */
  messages: Message[];
  stopReason?: ModelResponse["stop_reason"];
}

/** What there is to say about one run. */
export interface Observation {
  filled: FilledCase;
  variant: Variant;
  driver: InitializeResult;
  /** The API key that the driver was given; it may appear nowhere. */
  apiKey?: string;
  requests: ObservedRequest[];
  executions: Execution[];
  /** Ids of the calls whose tools were signalled to stop. */
  aborted: string[];
  /** The events, one list for the run and one for each resume. */
  events: LoopEvent[][];
  /** What the driver returned, once for the run and once for each resume. */
  results: { result?: RunResult; session?: Session }[];
  /** The model's whole answers, in order. */
  answers: GivenAnswer[];
  /** Something cut the run short or in: its ending is not derived, only what the case says of it. */
  disturbed: boolean;
  expected: ExpectedSession;
  exchanges: WireExchange[];
  /** What was found wrong while the run went on. */
  failures: Failure[];
}

/** Whether calls may be open at the end: the run is suspended, or it was and refused to be resumed. */
export function waitsForCaller({ results }: Observation): boolean {
  const last = results.at(-1)?.result;
  return last?.status === "suspended" || (results.length > 1 && last?.error?.kind === "configuration");
}
