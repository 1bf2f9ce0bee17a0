// The table that puts the loop beside other libraries: how many lines of code the same takes with each, from the programs themselves.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./schema-files.ts";

/** The libraries, ours first, and what their programs are called. */
export const libraries = {
  "agent-loop": "this loop",
  "ai-sdk": "AI SDK",
  "openai-agents": "OpenAI Agents",
  anthropic: "Anthropic's tool runner",
} as const;

export type Library = keyof typeof libraries;

/** What is compared. */
export interface Compared {
  what: string;
  /** Why ours is longer than the shortest. */
  longer?: string;
  /** Libraries that have no such thing, and what one does there. */
  without?: Partial<Record<Library, string>>;
}

const folder = join(root, "reference/beside");

/** The rows, by the name of their programs. */
export function comparedRows(): Record<string, Compared> {
  return JSON.parse(readFileSync(join(folder, "rows.json"), "utf8")) as Record<string, Compared>;
}

/** The lines of code of a program, comments and empty lines aside; nothing if there is no such program. */
export function linesOf(row: string, library: Library): number | undefined {
  const file = join(folder, `${row}.${library}.ts`);
  if (!existsSync(file)) return undefined;
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length;
}

/** The table of reference/beside/README.md. */
export function besideTable(): string {
  const names = Object.entries(libraries) as [Library, string][];
  const cells = Object.entries(comparedRows()).map(([row, { what, longer = "", without = {} }]) => [
    what,
    ...names.map(([library]) => {
      const lines = linesOf(row, library);
      return lines === undefined ? (without[library] ?? "–") : `[${lines}](${row}.${library}.ts)`;
    }),
    longer,
  ]);
  const head = ["", ...names.map(([, name]) => name), "why ours is not the shortest"];
  return [head, head.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
