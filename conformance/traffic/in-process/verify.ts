// Turns a verdict into what a test understands: nothing, or an error that says what went otherwise than recorded.

import type { TapeVerdict } from "../replay/tape-verdict.ts";
import { describeVerdict } from "../replay/tape-messages.ts";

/** A replay or a recording that did not go as it must. The message says what was recorded, what came and what to do. */
export class ReplayError extends Error {
  override readonly name = "ReplayError";
}

/** @throws ReplayError unless the tape passed @see REPLAY-6 */
export function verify(name: string, verdict: TapeVerdict): void {
  if (!verdict.passed) throw new ReplayError(describeVerdict(name, verdict).join("\n"));
}
