// Counts the calls of functions in a run, by the file that they stand in: the same in every run, however busy the machine is.

import { fork } from "node:child_process";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import type { RunSetup } from "../run/setup.ts";
import { initSession } from "../core/session.ts";
import { agentLoop } from "../run/run.ts";
import { idleSubjects, scripted } from "./idle-subjects.ts";
import { readTool, TASK } from "./turn-script.ts";

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

/** How many times functions of a file were called; going on after an `await` counts as one more. Names are relative to reference/. */
export type CallsByFile = ReadonlyMap<string, number>;

/** How many turns more the longer of two runs has. */
const MORE_TURNS = 10;

/** How many calls come with a turn more, by file. */
export async function callsPerTurn(name: CountedRun): Promise<CallsByFile> {
  const [short, long] = await callsOf(name, [3, 3 + MORE_TURNS]);
  return new Map([...long!].map(([file, calls]) => [file, (calls - (short!.get(file) ?? 0)) / MORE_TURNS]));
}

/**
 * What V8 counts exactly with. Otherwise a function has its counter only after some calls: where the closures of the warm-up have been
 * collected by then, the next calls of such a one do not count. And of a function that is compiled, a call may count twice.
 */
const COUNTS_ARE_EXACT = ["--no-lazy-feedback-allocation", "--max-opt=0"];

/** What the process is asked. */
interface Question {
  name: CountedRun;
  turns: readonly number[];
}

/** The calls of several runs with so many turns, one after the other in a process of their own. */
export async function callsOf(name: CountedRun, turns: readonly number[]): Promise<CallsByFile[]> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [...COUNTS_ARE_EXACT, "--expose-gc"] });
  return new Promise((resolve, reject) => {
    child.once("message", (said: string | [string, number][][]) => {
      if (typeof said === "string") reject(new Error(said));
      else resolve(said.map((calls) => new Map(calls)));
    });
    child.once("exit", (code, signal) => reject(new Error(`the count of calls ended with ${signal ?? code}`)));
    child.send({ name, turns } satisfies Question);
  });
}

async function countCalls(run: () => Promise<unknown>): Promise<[file: string, calls: number][]> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await session.post("Profiler.takePreciseCoverage"); // what was called before does not count
    await run();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const calls = new Map<string, number>();
    for (const { url, functions } of result) {
      const [, file] = /\/reference\/(.+\.ts)/.exec(url) ?? [];
      const sum = functions.reduce((total, { ranges }) => total + ranges[0]!.count, 0);
      if (file !== undefined && sum > 0) calls.set(file, (calls.get(file) ?? 0) + sum);
    }
    return [...calls];
  } finally {
    session.disconnect();
  }
}

async function countEach({ name, turns }: Question) {
  const run: Run = RUNS[name];
  await run(2); // loads what is loaded with the first run
  gc!(); // as it may happen at any time: see COUNTS_ARE_EXACT
  const counted: [file: string, calls: number][][] = [];
  for (const many of turns) counted.push(await countCalls(() => run(many)));
  return counted;
}

// As a process: counts the runs that it is told, and ends with its parent.
if (import.meta.main) {
  process.on("disconnect", () => process.exit());
  process.on("message", (question: Question) => {
    const tell = (said: [string, number][][] | string) => process.send?.(said, () => process.disconnect());
    countEach(question).then(tell, (thrown) => tell(String(thrown)));
  });
}
