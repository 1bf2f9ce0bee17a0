// A run for which nothing is configured does not pay for what could be: policy is not asked in its turns.

import type { RunSetup } from "../run/setup.ts";
import { expect, test } from "vitest";
import { agentLoop } from "../run/run.ts";
import { initSession } from "../core/session.ts";
import { countCalls, type CallsByFile } from "./idle-calls.ts";
import { idleSubjects, scripted } from "./idle-subjects.ts";
import { readTool, TASK } from "./turn-script.ts";

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

/** How many calls come with a turn more, by file. */
async function callsPerTurn(run: (turns: number) => Promise<unknown>): Promise<CallsByFile> {
  await run(2); // loads what is loaded with the first run
  const [short, long] = [await countCalls(() => run(3)), await countCalls(() => run(13))];
  return new Map([...long].map(([file, calls]) => [file, (calls - (short.get(file) ?? 0)) / 10]));
}

const sum = (calls: CallsByFile) => [...calls.values()].reduce((total, count) => total + count, 0);
const whole = (turns: number) => idleSubjects({ turns, calls: 2 }).whole();
const bare = (turns: number) => idleSubjects({ turns, calls: 2 }).bare();

test("no module of policy is called in a turn", async () => {
  const called = [...(await callsPerTurn(whole))].filter(([, calls]) => calls > 0).map(([file]) => file);
  expect(called).toContain("core/agent-loop.ts");
  expect(called.filter(isPolicy)).toEqual([]);
});

test("a turn takes as many calls as without these modules, but for the look at what its tools ask for", async () => {
  const [all, least] = [sum(await callsPerTurn(whole)), sum(await callsPerTurn(bare))];
  expect(least).toBeGreaterThan(100);
  expect(all - least).toBeLessThanOrEqual(3);
});

test.each<[string, Partial<RunSetup>, string]>([
  ["a hook", { hooks: [{ point: "after_tool", run: () => {} }] }, "plugins/hooks/hooks.ts"],
  [
    "a guardrail",
    { guardrails: [{ name: "any", points: ["tool_input"], check: () => ({ trip: false }) }] },
    "plugins/guardrails.ts",
  ],
  ["permissions", { options: { permissions: { mode: "bypass" } } }, "plugins/tools/permissions.ts"],
])("the module of %s is seen where it is configured", async (_what, configured, file) => {
  const run = (turns: number) =>
    agentLoop({
      ...configured,
      provider: scripted({ turns, calls: 2 }),
      session: initSession({ id: "configured", user: TASK }),
      tools: [{ ...readTool, execute: () => "read" }],
    }).result;
  expect((await callsPerTurn(run)).get(file)).toBeGreaterThan(0);
});
