// Allows one run at a time on a session in this process.

import type { Plugin } from "../plugin.ts";

/** @see LOOP-72 */
export const sessionLock: Plugin = {
  name: "session-lock",
  attach({ state: { session } }) {
    const release = lockSession(session.id);
    if (release) return { release };
    const message = `Another run on the session ${session.id} is under way. Wait until it has ended, or fork the session under another id.`;
    return { refuses: { kind: "session_in_use", message } };
  },
};

const locked = new Set<string>();

/** Locks the session. @returns the function that releases it; undefined if another run holds it */
function lockSession(id: string): (() => void) | undefined {
  if (locked.has(id)) return undefined;
  locked.add(id);
  return () => void locked.delete(id);
}
