// The API reference: sentences beside ids, names through modules, and a page with all of them.

import { expect, it } from "vitest";
import { apiPage } from "./api-page.ts";
import { exportsOf } from "./declarations.ts";
import { withSentences } from "./see-sentences.ts";

const sentences = new Map([
  ["LOOP-1", "The loop MUST go on."],
  ["TOOL-2", "The loop MUST execute it."],
]);
const sentenceOf = (id: string) => sentences.get(id);

it("an id has its sentence, on a line of its own where the comment has lines", () => {
  const text = "/**\n * Runs.\n * @see LOOP-1 TOOL-2\n */\n/** Ends. @see LOOP-1 */\n/** @see https://x.example */";
  expect(withSentences(text, sentenceOf)).toBe(
    "/**\n * Runs.\n * @see LOOP-1: The loop MUST go on.\n * @see TOOL-2: The loop MUST execute it.\n */\n/** Ends. @see LOOP-1: The loop MUST go on. */\n/** @see https://x.example */",
  );
});

it("an id that is no requirement is a mistake", () => {
  expect(() => withSentences("/** @see LOOP-9999 */", sentenceOf)).toThrow("@see LOOP-9999 names no requirement");
});

it("a text that has the sentences already stays as it is", () => {
  const once = withSentences("/** Ends. @see LOOP-1 */", sentenceOf);
  expect(withSentences(once, sentenceOf)).toBe(once);
});

const modules: Record<string, string> = {
  "/dist/index.d.ts": `export { run, type Run as TheRun } from "./run.ts";\nexport type * from "./types.ts";\n`,
  "/dist/run.d.ts": `import type { Event } from "./event.ts";
/** What is running. */
export interface Run {
    /** Ends it. */
    stop(): void;
}
interface Hidden {
    x: 1;
}
/**
 * Runs once.
 * @see LOOP-1: The loop MUST go on.
 */
export declare function run(input: string): Run;
export declare function run(input: string[], hidden?: Hidden): Run;
`,
};

it("names are found through modules, with their comments, their members and their overloads", () => {
  const found = exportsOf("/dist/index.d.ts", (file) => modules[file]!);
  expect(found.map(({ name, text }) => [name, text])).toEqual([
    ["run", "Runs once.\n@see LOOP-1: The loop MUST go on."],
    ["TheRun", "What is running."],
  ]);
  expect(found[0]!.code.split("\n")).toHaveLength(2);
  expect(found[1]!.code).toContain("/** Ends it. */");
});

it("a name that nothing declares is a mistake", () => {
  const read = () => `export { nothing } from "./run.ts";\n`;
  const once = (file: string) => (file === "/a.d.ts" ? read() : "");
  expect(() => exportsOf("/a.d.ts", once)).toThrow("/run.d.ts declares no nothing");
});

it("the page has every name, and every option with its default", () => {
  const exports = exportsOf("/dist/index.d.ts", (file) => modules[file]!);
  const page = apiPage([{ specifier: "agent-loop-spec/one", exports }]);
  expect(page).toContain("- [`agent-loop-spec/one`](#agent-loop-specone)");
  expect(page).toMatch(/^### TheRun\n\nWhat is running\.\n\n```ts\nexport interface Run \{/m);
  expect(page).toMatch(/^\| `max_turns` .*20/m);
  expect(page).toMatch(/`tool_timeout_ms`.*milliseconds/);
});
