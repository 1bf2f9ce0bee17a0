// Detects that the tools changed since a run was suspended, or its process ended.

import { hashOf } from "../support/canonical-json.ts";
import type { EventBody, State } from "../core/ports.ts";
import type { Agent } from "../../schemas/types.ts";

/** The tools of an agent by name, each with the hash of its definition. @see JOURNAL-14 */
export async function toolHashes({ tools = [] }: Agent = { name: "" }): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all(tools.map(async (tool) => [tool.name, await hashOf(tool)] as const)));
}

/**
 * One warning for each tool of the active agent that has changed, is new, or was removed. None for a snapshot without hashes.
 * @see JOURNAL-15
 */
export function toolWarnings({ tools: before, turn }: State, now: Record<string, string>): EventBody[] {
  if (!before) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names
    .filter((name) => before[name] !== now[name])
    .map((name) => ({ type: "warning", turn, code: "tool_changed", message: textOf(name, before, now) }));
}

function textOf(name: string, before: Record<string, string>, now: Record<string, string>): string {
  if (now[name] === undefined) return `The tool ${name} is gone since the run stopped. Calls of it cannot be executed.`;
  if (before[name] === undefined) return `The tool ${name} is new since the run stopped.`;
  return `The definition of the tool ${name} has changed since the run stopped. Calls that wait were made for the old one.`;
}
