// Measures one subject on one scenario, in a process of its own, and says what it cost.

import { pathOf } from "./turn-server.ts";
import { DONE, outputOf } from "./turn-script.ts";
import type { ReadInput, Scenario } from "./turn-script.ts";
import { subjects, type Subject, type SubjectName } from "./turn-subjects.ts";

/** What a process of its own is told to measure. */
export interface Task {
  subject: SubjectName;
  scenario: Scenario;
  /** The server's. */
  url: string;
  /** Tells this measurement from others at the same server. */
  run: string;
  /** Short conversations before the clock starts, and conversations that count. */
  warmups: number;
  repeats: number;
}

/** CPU time in microseconds for each turn, user and system: of all turns, of the first fifth, and of the last. */
export interface Cost {
  turn: number;
  early: number;
  late: number;
  /** The most memory that the process had, in kilobytes. */
  peak: number;
}

/**
 * Has the conversations and measures them.
 * @throws Error if the subject did not do the work: a tool not called, a call lost, another last word
 */
export async function measure(subject: Subject, task: Omit<Task, "subject">): Promise<Cost> {
  const { scenario, warmups, repeats } = task;
  const short = { ...scenario, turns: Math.min(scenario.turns, 10) };
  await repeat(warmups, subject, short, task);
  const converse = subject(scenario, task.url + pathOf(scenario, task.run));
  const fifth = Math.floor(scenario.turns / 5);
  const spent = { turn: 0, early: 0, late: 0 };
  for (let round = 0; round < repeats; round++) {
    const called: number[] = [];
    const before = cpu();
    let [early, late] = [before, before];
    const said = await converse((input: ReadInput) => {
      called.push(input.from);
      // Where a turn's last call is executed, its request has been paid for.
      if (called.length === fifth * scenario.calls) early = cpu();
      if (called.length === (scenario.turns - fifth) * scenario.calls) late = cpu();
      return outputOf(input);
    });
    const after = cpu();
    check(scenario, called, said);
    spent.turn += after - before;
    spent.early += early - before;
    spent.late += after - late;
  }
  const per = (turns: number) => repeats * turns;
  return {
    turn: spent.turn / per(scenario.turns),
    early: spent.early / per(fifth),
    late: spent.late / per(fifth),
    peak: process.resourceUsage().maxRSS,
  };
}

async function repeat(times: number, subject: Subject, scenario: Scenario, { url, run }: Omit<Task, "subject">) {
  const converse = subject(scenario, url + pathOf(scenario, `${run}-warm`));
  for (let time = 0; time < times; time++) await converse(outputOf);
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The tool was called for each turn and call, in order, and the model got to its last word. */
function check({ calls, turns }: Scenario, called: number[], said: string): void {
  const expected = (turns - 1) * calls;
  if (called.length !== expected) throw new Error(`the tool was called ${called.length} times, expected ${expected}`);
  const wrong = called.findIndex((from, at) => from !== (Math.floor(at / calls) + 1) * 10 + (at % calls));
  if (wrong >= 0) throw new Error(`call ${wrong + 1} of the tool was not the one that the model made`);
  if (said !== DONE) throw new Error(`the last word was ${JSON.stringify(said)}, expected ${JSON.stringify(DONE)}`);
}

// As a process: does the one task that it is sent, and ends with its parent.
if (import.meta.main) {
  process.on("disconnect", () => process.exit());
  process.on("message", (task: Task) => {
    const report = (answer: Cost | { failure: string }) => process.send?.(answer, () => process.disconnect());
    measure(subjects[task.subject], task).then(report, (thrown) => report({ failure: String(thrown) }));
  });
}
