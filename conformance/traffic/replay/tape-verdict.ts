// The verdict on a replay: which exchanges were used, and every deviation.

/** Something that a run must not have: the tape is red. */
export interface TapeProblem {
  kind: "mismatch" | "none-left" | "rule" | "elsewhere" | "server";
  /** Which request of the tape, counted from 1. */
  request: number;
  message: string;
}

/** The verdict on a replay. */
export interface TapeVerdict {
  /** At least one exchange was used, all were, and nothing went wrong. */
  passed: boolean;
  requests: number;
  used: number;
  exchanges: number;
  /** The exchanges that were not requested. */
  unused: { number: number; method: string; path: string }[];
  problems: TapeProblem[];
  /** How many problems are not listed, because there were too many. */
  more_problems?: number;
}
