// Allows one run at a time on a session: in this process, or wherever the lock of the caller says.

import type { LoopError } from "../../../schemas/types.ts";
import type { Plugin, Points } from "../plugin.ts";

/** Frees a session for the next run. Must not throw. */
export type ReleaseSession = () => void;

/** Locks a session. Returns what releases it; nothing, if another run has it. */
export type LockSession = (sessionId: string) => ReleaseSession | undefined | Promise<ReleaseSession | undefined>;

export interface SessionLockSetup {
  /**
   * What keeps a second run away from a session. Default: a lock in this process, which only the end of the run releases. Give your own
   * where several processes run, and `false` where something else has made sure of it: a lease of a store, or an engine that gives
   * a run up without ending it. Subagents inherit it.
   * @see LOOP-72
   */
  lock?: false | LockSession;
}

/** @see LOOP-72 */
export const sessionLock: Plugin<SessionLockSetup> = {
  name: "session-lock",
  setup: ["lock"],
  attach({ setup: { lock }, state: { session } }) {
    if (lock === false) return undefined;
    if (lock) return lockedBy(lock, session.id);
    const release = lockSession(session.id);
    return release ? { release } : { refuses: inUse(session.id) };
  },
};

/** The lock of the caller is asked last: a run that is refused anyway does not take it. */
function lockedBy(lock: LockSession, id: string): Points {
  let release: ReleaseSession | undefined;
  return {
    async prepare() {
      release = await lock(id);
      return release ? undefined : inUse(id);
    },
    release: () => release?.(),
  };
}

const locked = new Set<string>();

/** Locks the session. @returns the function that releases it; undefined if another run holds it */
function lockSession(id: string): ReleaseSession | undefined {
  if (locked.has(id)) return undefined;
  locked.add(id);
  return () => void locked.delete(id);
}

function inUse(id: string): LoopError {
  const message = `Another run on the session ${id} is under way. Wait until it has ended, or fork the session under another id.`;
  return { kind: "session_in_use", message };
}
