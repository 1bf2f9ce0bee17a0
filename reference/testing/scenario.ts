// What a model, its tools and a person do in one run, as plain data: it can be generated, shrunk, printed and played again.

import type { ErrorKind, Message, RunOptions, StopReason } from "../../schemas/types.ts";

/** One answer of the model to one request. */
export interface Answer {
  stop_reason: StopReason;
  /** What it says; the ids of calls are as a provider gives them, "" for none. */
  said: Message[];
  /** Milliseconds until it begins to speak. 0: at once. */
  ms?: number;
  /** How many characters a piece of the stream has. Absent: the answer does not stream. */
  piece?: number;
  /** Milliseconds between two pieces. */
  between?: number;
  /** All messages begin before the first one goes on. */
  interleaved?: boolean;
  /** After so many pieces the connection breaks. */
  breaks?: number;
  /** The call fails before anything is said. */
  fails?: { kind: ErrorKind; retry_after_ms?: number; should_retry?: boolean };
  /** It does not hear the cancel. */
  deaf?: boolean;
  /** It throws, which a provider must not. */
  throws?: boolean;
  /** It does not count tokens. */
  uncounted?: boolean;
}

/** What a person does at one moment. Moments are counted from 0: see `World.moment`. */
export interface Act {
  at: number;
  does: "cancel" | "stop" | "steer";
}

/** How a suspended run goes on, and whether wrong decisions are tried first. */
export interface Resumption {
  /** What is decided about a call that waits for approval; one that waits for its result is answered, or skipped. */
  action: "respond" | "approve" | "edit" | "deny" | "skip";
  is_error: boolean;
  wrongFirst: "missing" | "extra" | undefined;
}

export interface Scenario {
  begin: Message[];
  instructions?: string;
  options: RunOptions;
  answers: Answer[];
  acts: Act[];
  resumptions: Resumption[];
  /** A condition of the caller's own: holds, never, or throws at the n-th time it is asked. */
  condition?: { holdsAt?: number; throwsAt?: number };
  /** Whether every step of the run is looked at, or the loop is left to itself. */
  stepwise: boolean;
}
