// Variables that the tools of a run share, and that the model never sees. Plugs into `settle`.

import type { Executed, SettleVerdict, State } from "../../core/ports.ts";

type Variables = Record<string, unknown>;

/**
 * The variables for one tool: a copy, so that what a tool does to it changes nothing.
 * @see TOOL-32 TOOL-35
 */
export function variablesOf({ context }: State): Variables {
  if (!context) return {}; // to clone even nothing takes long
  return structuredClone(context);
}

/**
 * Merges what the tools of a batch want to change, in call order, key by key.
 * @see TOOL-33
 */
export function mergeUpdates(executed: Executed[], { context = {} }: State): SettleVerdict | undefined {
  const updates = executed.flatMap(({ context_updates }) => context_updates ?? []);
  if (updates.length === 0) return undefined;
  let merged: Variables = context;
  for (const update of updates) merged = { ...merged, ...(structuredClone(update) as Variables) };
  return { by: { context: merged } };
}
