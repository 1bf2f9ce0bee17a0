// What a file holds, of what can be shown as a conversation.

import type { Fixture, LoopEvent, Session, Snapshot } from "../../../schemas/types.ts";

/** What a file holds, of what can be shown. */
export type Shown =
  | { type: "Fixture"; value: Fixture }
  | { type: "Session"; value: Session }
  | { type: "Snapshot"; value: Snapshot }
  | { type: "Event"; value: LoopEvent[] };
