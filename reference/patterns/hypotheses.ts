// Several runs on copies of one session: to hand on, to sum up, to try and to choose. Nothing here knows the loop from inside.

import { agentLoop, type RunSetup } from "../run/run.ts";
import { UNKNOWN } from "../core/usage.ts";
import { sumOf } from "../support/money.ts";
import { addUsage } from "../state/run-result.ts";
import { forkSession } from "../state/edit-session.ts";
import type { Part, RunResult, Session, Usage } from "../../schemas/types.ts";

/** Where a run begins: a session, and what is said to it now. Without `prompt` the session has to end so that a run can start. */
export interface Start {
  session: Session;
  prompt?: string | Part[];
}

/** One run that has ended, and its session. */
export interface Branch {
  result: RunResult;
  session: Session;
}

/** What became of several runs. */
export interface Branches {
  /** The one that counts, its session under the id of the session that all began with. Absent if none does. */
  chosen?: Branch;
  /** All of them, in the order in which they were begun. */
  branches: Branch[];
  /** What all of them took, whichever was chosen. */
  usage: Usage;
  /** What all of them cost; null if that is unknown. Absent without prices. */
  cost?: string | null;
}

/**
 * Hands a task to an agent together with the history. The session that is passed in stays as it is.
 * @returns the run and the session that it went on with; never rejects
 */
export function delegate(setup: RunSetup, start: Start): Promise<Branch> {
  return runOn(setup, start, "delegated");
}

/**
 * Runs agents one after another: the first is told the prompt, each other one what the one before it said. Each has the history
 * of the start, and none of what the others did. A run that does not complete ends the chain.
 * @returns the last run as `chosen`, if every run completed
 */
export async function chain(setups: RunSetup[], start: Start): Promise<Branches> {
  const branches: Branch[] = [];
  for (const [i, setup] of setups.entries()) {
    const said = branches.at(-1)?.result.final_text;
    const branch = await runOn(setup, said === undefined ? start : { ...start, prompt: said }, `link-${i + 1}`);
    branches.push(branch);
    if (!isComplete(branch)) return summed(start, branches);
  }
  return summed(start, branches, branches.at(-1));
}

/**
 * Has an agent make one answer out of the answers of several runs. Those that did not complete say nothing.
 * @param start the prompt says what to make of the answers
 */
export function consolidate(setup: RunSetup, start: Start, branches: Branch[]): Promise<Branch> {
  const answers = branches.filter(isComplete).map(({ result }, i) => `Answer ${i + 1}:\n${result.final_text}`);
  const prompt =
    typeof start.prompt === "string" ? [{ type: "text" as const, text: start.prompt }] : (start.prompt ?? []);
  const parts = [...prompt, ...answers.map((text) => ({ type: "text" as const, text }))];
  return runOn(setup, { ...start, prompt: parts }, "consolidated");
}

/**
 * Follows several hypotheses at the same time, each on its own copy of the session, and keeps one.
 * @param setups one for each hypothesis; the same one several times lets the model try several times
 * @param choose is shown the runs that completed, in order, and says which one counts, or undefined for none
 * @returns nothing is left of the other runs but what they took
 */
export async function bestOf(
  setups: RunSetup[],
  start: Start,
  choose: (complete: Branch[]) => Branch | undefined | Promise<Branch | undefined>,
): Promise<Branches> {
  const branches = await Promise.all(setups.map((setup, i) => runOn(setup, start, `branch-${i + 1}`)));
  const complete = branches.filter(isComplete);
  return summed(start, branches, complete.length > 0 ? await choose(complete) : undefined);
}

/** The same agent, `count` times. @see bestOf */
export function bestOfN(
  setup: RunSetup,
  start: Start,
  { count, choose }: { count: number; choose: Parameters<typeof bestOf>[2] },
): Promise<Branches> {
  return bestOf(
    Array.from({ length: count }, () => setup),
    start,
    choose,
  );
}

/**
 * Tries one way after another, each from the same point, until one is accepted. A way that fails leaves nothing in the session,
 * so that the next one is not led astray by it.
 * @param accept is shown a run that completed. Default: it counts.
 */
export async function backtrack(
  setups: RunSetup[],
  start: Start,
  accept: (branch: Branch) => boolean | Promise<boolean> = () => true,
): Promise<Branches> {
  const branches: Branch[] = [];
  for (const [i, setup] of setups.entries()) {
    const branch = await runOn(setup, start, `way-${i + 1}`);
    branches.push(branch);
    if (branch.result.status === "cancelled") break;
    if (isComplete(branch) && (await accept(branch))) return summed(start, branches, branch);
  }
  return summed(start, branches);
}

async function runOn(setup: RunSetup, { session, prompt }: Start, name: string): Promise<Branch> {
  const fork = forkSession(session, `${session.id}/${name}`);
  const run = agentLoop({ ...setup, session: fork, ...(prompt !== undefined && { input: prompt }) });
  return { result: await run.result, session: await run.session };
}

function isComplete({ result }: Branch): boolean {
  return result.status === "completed";
}

function summed({ session }: Start, branches: Branch[], chosen?: Branch): Branches {
  const costs = branches.flatMap(({ result: { cost } }) => (cost === undefined ? [] : [cost]));
  return {
    ...(chosen && { chosen: { ...chosen, session: { ...chosen.session, id: session.id } } }),
    branches,
    usage: branches.reduce((sum, { result }) => addUsage(sum, result.usage), UNKNOWN),
    ...(costs.length > 0 && { cost: sumOf(costs) }),
  };
}
