// The context variables, as passed to one tool.

import type { State } from "../core/ports.ts";
import { clone } from "../support/clone.ts";

export type Variables = Record<string, unknown>;

/**
 * The variables for one tool: a copy, so that a tool cannot change the original.
 * @see TOOL-32 TOOL-35
 */
export function variablesOf({ context }: State): Variables {
  if (!context) return {}; // cloning is slow, even for nothing
  return clone(context);
}
