// Asks several modules what follows from a batch. Plugs into `settle`.

import type { Executed, Ports, SettleVerdict, State } from "../core/ports.ts";

/** What one module makes of a batch; undefined: nothing. */
export type Settle = (executed: Executed[], state: State) => SettleVerdict | undefined;

/**
 * Everything that one of them puts into the state is put there; the first one that ends the run, at once or at the boundary, does so.
 * @param before asked about every batch; what a run does not have is undefined, and is not asked
 * @param ofTools follow what tools ask for beside their results
 * @param after as `before`
 */
export function settleAll(
  before: (Settle | undefined)[],
  ofTools: Settle[],
  after: (Settle | undefined)[],
): Ports["settle"] {
  const points: Settle[] = [];
  for (const settle of before) if (settle) points.push(settle);
  points.push(...ofTools);
  for (const settle of after) if (settle) points.push(settle);
  const isAlwaysAsked = points.length > ofTools.length;
  return async (executed, state) => (isAlwaysAsked || executed.some(asks) ? joined(points, executed, state) : NOTHING);
}

const NOTHING: SettleVerdict = {};

/** Whether something follows from an execution. Most do not. */
function asks({ final, context_updates, handoff, broken }: Executed): boolean {
  return final === true || context_updates !== undefined || handoff !== undefined || broken !== undefined;
}

function joined(points: Settle[], executed: Executed[], state: State): SettleVerdict {
  const verdict: SettleVerdict = {};
  for (const settle of points) {
    const { by, ending } = settle(executed, state) ?? {};
    const earlier = verdict.ending ?? verdict.by?.ending;
    if (by) verdict.by = { ...verdict.by, ...by };
    if (ending && !earlier) verdict.ending = ending;
  }
  return verdict;
}
