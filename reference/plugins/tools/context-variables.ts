// Variables that the tools of a run share, and that the model never sees.

import type { Executed, SettleVerdict, State } from "../../core/ports.ts";
import type { Variables } from "../../state/context-variables.ts";
import type { Plugin } from "../plugin.ts";
import { clone } from "../../support/clone.ts";

export const contextVariables: Plugin = { name: "context-variables", attach: () => ({ afterRequest: mergeUpdates }) };

/**
 * Merges the context updates of a batch, in call order, key by key.
 * @see TOOL-33
 */
function mergeUpdates(executed: Executed[], { context = {} }: State): SettleVerdict | undefined {
  const updates = executed.flatMap(({ context_updates }) => context_updates ?? []);
  if (updates.length === 0) return undefined;
  let merged: Variables = context;
  for (const update of updates) merged = { ...merged, ...(clone(update) as Variables) };
  return { by: { context: merged } };
}
