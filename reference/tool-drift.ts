// Notices that a run goes on with other tools than it was suspended, or had died, with.

import type { EventBody, State } from "./core/ports.ts";
import type { Agent, Tool } from "./types.ts";

/** The tools of an agent by name, each with the hash of its definition. @see JOURNAL-14 */
export async function toolHashes({ tools = [] }: Agent = { name: "" }): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all(tools.map(async (tool) => [tool.name, await hashOf(tool)] as const)));
}

/**
 * One warning for each tool of the active agent that is another one, is new, or is gone. None for a snapshot without hashes.
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

async function hashOf(tool: Tool): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical(tool)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** One text for one value, as in RFC 8785: the names of an object sorted by UTF-16 code units, no white space. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}
