// One run at a time on a session, in this process.

import type { Plugin } from "../plugin.ts";

/** @see LOOP-72 */
export const sessionLock: Plugin = {
  name: "session-lock",
  attach({ state: { session } }) {
    const release = takeSession(session.id);
    if (release) return { release };
    const message = `Another run on the session ${session.id} is under way. Wait until it has ended, or fork the session under another id.`;
    return { refuses: { kind: "session_in_use", message } };
  },
};

const underWay = new Set<string>();

/** Takes the session, until the function that is returned gives it back; undefined if another run has it. */
function takeSession(id: string): (() => void) | undefined {
  if (underWay.has(id)) return undefined;
  underWay.add(id);
  return () => void underWay.delete(id);
}
