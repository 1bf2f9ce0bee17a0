// That a provider is its own folders, and hardly a line beside them: the latest that was added is counted, and each line has its reason.

import { expect, it } from "vitest";
import { sharedLines } from "./shared-lines.ts";

/** The provider that was added last. */
const provider = "gemini";

/** The most lines outside of its own that a further provider may change. */
const most = 10;

/** How many lines of a file name it, and why they are not found in a folder. */
const allowed: Readonly<Record<string, readonly [lines: number, because: string]>> = {
  "conformance/agents/programs/naive-sdk.ts": [
    1,
    "one program, with a function for each SDK: what somebody writes first",
  ],
  "conformance/drivers/go/driver/model_access.go": [2, "Go links what is imported by name, and the table names it"],
  "conformance/drivers/python/providers.py": [1, "the one list of the Python driver"],
  "conformance/kit/testing/odd-loop.ts": [1, "what the adapters of the reference ask for, not what providers are"],
  "reference/bench/README.md": [1, "the head of a table of measured numbers"],
  "spec/loop/README.md": [1, "the list of the chapters, each with what it says"],
};

it("names the provider that was added last in at most ten shared lines, and in none without a reason", () => {
  const found = sharedLines(provider);
  const where = found.map(({ path, number, text }) => `${path}:${number} ${text}`);
  const counts = Object.fromEntries(Object.entries(allowed).map(([path, [lines]]) => [path, lines]));
  const seen: Record<string, number> = {};
  for (const { path } of found) seen[path] = (seen[path] ?? 0) + 1;
  expect(seen, `say it in its folders, or give a reason here:\n${where.join("\n")}`).toEqual(counts);
  expect(found.length).toBeLessThanOrEqual(most);
});

it("does not name a provider that there is not", () => {
  expect(sharedLines("no-such-provider")).toEqual([]);
});
