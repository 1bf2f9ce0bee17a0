// The variables that the tools of a run share, as one tool gets them.

import type { State } from "../core/ports.ts";

export type Variables = Record<string, unknown>;

/**
 * The variables for one tool: a copy, so that what a tool does to it changes nothing.
 * @see TOOL-32 TOOL-35
 */
export function variablesOf({ context }: State): Variables {
  if (!context) return {}; // to clone even nothing takes long
  return structuredClone(context);
}
