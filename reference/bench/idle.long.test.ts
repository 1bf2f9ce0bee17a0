// A run for which nothing is configured does not pay for what could be: policy is not asked in its turns.

import { expect, test } from "vitest";
import { callsOf, callsPerTurn, type CountedRun } from "../testing/idle-calls.ts";
import { total } from "../testing/work.ts";

/** What a run has only where it is asked for. */
const POLICY = [
  "plugins/model/budget.ts",
  "plugins/model/dynamic-instructions.ts",
  "plugins/turns/dynamic-tools.ts",
  "plugins/guardrails.ts",
  "plugins/hooks/hooks.ts",
  "plugins/hooks/ask-hooks.ts",
  "state/journal-records.ts",
  "plugins/turns/continuation.ts",
  "plugins/journal.ts",
  "plugins/tools/output-tool.ts",
  "plugins/tools/permissions.ts",
  "plugins/model/structured-output.ts",
  "plugins/tools/subagents.ts",
  "plugins/model/tool-choice.ts",
  "run/early-ending.ts",
  "state/partial-batch.ts",
];
const isPolicy = (file: string) => POLICY.includes(file) || file.startsWith("plugins/compaction/");

test("no module of policy is called in a turn", async () => {
  const called = [...(await callsPerTurn("whole"))].filter(([, calls]) => calls !== 0);
  expect(called.map(([file]) => file)).toContain("core/agent-loop.ts");
  expect(called.filter(([file]) => isPolicy(file))).toEqual([]);
});

test("a run has the same calls each time: none is counted twice, or not at all", async () => {
  const [first, ...again] = await callsOf("whole", [13, 13, 13]);
  expect(again).toEqual([first, first]);
});

test("a turn takes as many calls as without these modules, but for the look at what its tools ask for", async () => {
  const [all, least] = await Promise.all([callsPerTurn("whole"), callsPerTurn("bare")]);
  expect(total(least)).toBeGreaterThan(100);
  expect(total(all) - total(least)).toBeLessThanOrEqual(3);
});

test.each<[CountedRun, string]>([
  ["with a hook", "plugins/hooks/hooks.ts"],
  ["with a guardrail", "plugins/guardrails.ts"],
  ["with permissions", "plugins/tools/permissions.ts"],
])("the module of a run %s is seen", async (run, file) => {
  expect((await callsPerTurn(run)).get(file)).toBeGreaterThan(0);
});
