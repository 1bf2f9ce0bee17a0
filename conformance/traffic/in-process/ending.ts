// What ends a tape once, whether it is asked to or its block ends.

/** `end` says what `act` says, however often it is called; the end of the block says nothing more if `end` was called before. */
export function endingWith(act: () => Promise<void>): { end(): Promise<void> } & AsyncDisposable {
  let ended: Promise<void> | undefined;
  return {
    end: () => (ended ??= act()),
    [Symbol.asyncDispose]: async () => (ended ? undefined : (ended = act())),
  };
}
