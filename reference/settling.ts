// Asks several modules what follows from a batch. Plugs into `settle`.

import type { Ports, SettleVerdict } from "./core/ports.ts";

/** Everything that one of them puts into the state is put there; the first one that ends the run does. */
export function settleAll(points: Ports["settle"][]): Ports["settle"] {
  return async (executed, state) => {
    const verdict: SettleVerdict = {};
    for (const settle of points) {
      const { by, ending } = await settle(executed, state);
      if (by) verdict.by = { ...verdict.by, ...by };
      if (ending) verdict.ending ??= ending;
    }
    return verdict;
  };
}
