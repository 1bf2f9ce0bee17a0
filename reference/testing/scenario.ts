// What a model, its tools and a user do in one run, as plain data that can be generated, shrunk, printed and replayed.

import type { ErrorKind, Message, RunOptions, StopReason } from "../../schemas/types.ts";

/** One answer of the model to one request. */
export interface Answer {
  stop_reason: StopReason;
  /** Its messages; call ids are as a provider gives them, "" for none. */
  said: Message[];
  /** Milliseconds until it starts. */
  ms?: number;
  /** Characters per delta. Absent: the answer is not streamed. */
  piece?: number;
  /** Milliseconds between two deltas. */
  between?: number;
  /** All messages start before the first one continues. */
  interleaved?: boolean;
  /** Stream events after which the connection breaks. */
  breaks?: number;
  /** The call fails without output. */
  fails?: { kind: ErrorKind; retry_after_ms?: number; should_retry?: boolean };
  /** It ignores a cancel. */
  deaf?: boolean;
  /** It throws, which a provider must not. */
  throws?: boolean;
  /** It reports no usage. */
  uncounted?: boolean;
}

/** What the user does at one moment. Moments are counted from 0: see `World.moment`. */
export interface Act {
  at: number;
  does: "cancel" | "stop" | "steer";
}

/** How a suspended run is resumed, and whether wrong decisions are tried first. */
export interface Resumption {
  /** The decision on a call that is pending approval; an external call is answered, or skipped. */
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
  /** A custom stop condition, which holds or throws at its n-th evaluation, or never. */
  condition?: { holdsAt?: number; throwsAt?: number };
  /** Whether every step of the run is observed. */
  stepwise: boolean;
}
