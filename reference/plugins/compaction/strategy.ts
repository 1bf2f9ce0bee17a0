// The compaction strategy: it receives a session, and returns a replacement for a part of it. Types only.

import type { CompactionOptions, Message } from "../../../schemas/types.ts";

/** The input of a strategy. */
export interface CompactionTask {
  /** The messages of the session. Read-only. */
  messages: readonly Message[];
  /** Index of the first response that is kept; earlier messages are old. 0 if nothing is old. */
  keepFrom: number;
  /** The estimated tokens of the next request, and the threshold of compaction. */
  tokens: number;
  atTokens: number;
  options: CompactionOptions;
  /**
   * Calls the model of the run for a text, with retries. Its cost counts.
   * @throws an Error if the response fails, is empty, or is cut off
   */
  ask(messages: Message[]): Promise<string>;
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
}

/** Replaces `messages[from:to]` of the session. */
export interface Replacement {
  from: number;
  to: number;
  messages: Message[];
}

/**
 * A way to make a session smaller. It returns undefined if it has nothing to do, and throws if it fails. Its replacement is
 * checked before it is applied.
 * @see COMPACT-20
 */
export interface CompactionStrategy {
  name: string;
  compact(task: CompactionTask): Replacement | undefined | Promise<Replacement | undefined>;
}
