// Ends a tape exactly once, explicitly or at the end of its block.

/** `end` returns or throws what `act` does, however often it is called; the end of the block adds nothing after an explicit `end`. */
export function endingWith(act: () => Promise<void>): { end(): Promise<void> } & AsyncDisposable {
  let ended: Promise<void> | undefined;
  return {
    end: () => (ended ??= act()),
    [Symbol.asyncDispose]: async () => (ended ? undefined : (ended = act())),
  };
}
