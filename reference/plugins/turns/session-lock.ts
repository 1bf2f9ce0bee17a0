// One run at a time on a session, in this process.

const underWay = new Set<string>();

/**
 * Takes the session, until the function that is returned gives it back; undefined if another run has it.
 * @see LOOP-72
 */
export function takeSession(id: string): (() => void) | undefined {
  if (underWay.has(id)) return undefined;
  underWay.add(id);
  let isHeld = true;
  return () => {
    if (isHeld) underWay.delete(id);
    isHeld = false; // the session may be another run's by now
  };
}
