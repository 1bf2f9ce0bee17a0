// The calls of functions in runs for which nothing, or one policy alone, is configured.

import { idleSubjects, scripted } from "../bench/idle-subjects.ts";
import { readTool, TASK } from "../bench/turn-script.ts";
import { initSession } from "../core/session.ts";
import { agentLoop } from "../run/run.ts";
import type { RunSetup } from "../run/setup.ts";
import { askForWork, tellWork, type Work } from "./work.ts";

/** Has a conversation of so many turns. */
type Run = (turns: number) => Promise<unknown>;

/** The runs whose calls are counted: the two loops that nothing is configured for, and the whole one with one policy each. */
const RUNS = {
  whole: (turns) => idleSubjects({ turns, calls: 2 }).whole(),
  bare: (turns) => idleSubjects({ turns, calls: 2 }).bare(),
  "with a hook": configured({ hooks: [{ point: "after_tool", run: () => {} }] }),
  "with a guardrail": configured({
    guardrails: [{ name: "any", points: ["tool_input"], check: () => ({ trip: false }) }],
  }),
  "with permissions": configured({ options: { permissions: { mode: "bypass" } } }),
} satisfies Record<string, Run>;

function configured(policy: Partial<RunSetup>): Run {
  return (turns) =>
    agentLoop({
      ...policy,
      provider: scripted({ turns, calls: 2 }),
      session: initSession({ id: "configured", user: TASK }),
      tools: [{ ...readTool, execute: () => "read" }],
    }).result;
}

export type CountedRun = keyof typeof RUNS;

interface Question {
  name: CountedRun;
  turns: readonly number[];
}

/** The calls in each of several runs with so many turns, which are made one after the other. */
export function callsOf(name: CountedRun, turns: readonly number[]): Promise<Work[]> {
  return askForWork<Question, Work[]>(import.meta.url, { name, turns });
}

/** How many turns more the longer of two runs has. */
const MORE_TURNS = 10;

/** How many calls come with a turn more, by file. */
export async function callsPerTurn(name: CountedRun): Promise<Work> {
  const [short, long] = await callsOf(name, [3, 3 + MORE_TURNS]);
  return new Map([...long!].map(([file, calls]) => [file, (calls - (short!.get(file) ?? 0)) / MORE_TURNS]));
}

tellWork(import.meta, "functions", async ({ name, turns }: Question, count) => {
  const run: Run = RUNS[name];
  await run(2); // loads what is loaded with the first run
  const works: Work[] = [];
  for (const many of turns) works.push(await count(() => run(many)));
  return works;
});
