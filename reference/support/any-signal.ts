// A signal that follows others, also where the platform cannot combine signals: the sandboxes of some workflow engines.

/** Aborts, with the same reason, when one of the signals does. */
export function anySignal(...signals: AbortSignal[]): AbortSignal {
  return typeof AbortSignal === "function" && "any" in AbortSignal ? AbortSignal.any(signals) : following(signals);
}

/** Lives as long as the signals do: only for sandboxes, where they live as long as the run. */
export function following(signals: readonly AbortSignal[]): AbortSignal {
  const any = new AbortController();
  for (const signal of signals) {
    const follow = () => any.abort(signal.reason);
    if (signal.aborted) follow();
    else signal.addEventListener("abort", follow, { once: true });
  }
  return any.signal;
}
