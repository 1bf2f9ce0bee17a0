// What a compaction strategy is: it is shown a session, and answers with what should stand in place of a part of it. Types only.

import type { CompactionOptions, Message } from "../../../schemas/types.ts";

/** What a strategy is told. */
export interface CompactionTask {
  /** The messages of the session. To be read only. */
  messages: readonly Message[];
  /** Index of the first message of the responses that stay: what stands before it is old. 0 where nothing is old. */
  keepFrom: number;
  /** How many tokens the next request is estimated to have, and from how many on the session is compacted. */
  tokens: number;
  atTokens: number;
  options: CompactionOptions;
  /**
   * Asks the model of the run for a text, with retries. What it costs is counted.
   * @throws an Error if there is no answer, or an empty one, or one that was cut off
   */
  ask(messages: Message[]): Promise<string>;
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
}

/** `messages[from:to]` of the session are to be replaced by these. */
export interface Replacement {
  from: number;
  to: number;
  messages: Message[];
}

/**
 * A way to make a session smaller. It answers with nothing where it has nothing to do, and throws where it failed. Whatever it
 * answers is checked before it is used.
 * @see COMPACT-20
 */
export interface CompactionStrategy {
  name: string;
  compact(task: CompactionTask): Replacement | undefined | Promise<Replacement | undefined>;
}
