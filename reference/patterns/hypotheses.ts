// Several runs on copies of one session: delegation, chains, consolidation, best of N, backtracking. Uses only the public API.

import { agentLoop } from "../run/run.ts";
import { UNKNOWN } from "../core/usage.ts";
import type { RunSetup } from "../run/setup.ts";
import { sumOf } from "../support/money.ts";
import { addUsage } from "../state/run-result.ts";
import { forkSession } from "../state/edit-session.ts";
import type { Part, RunResult, Session, Usage } from "../../schemas/types.ts";

/** Where a run begins: a session and a prompt. Without `prompt`, the session must end so that a run can start. */
export interface Start {
  session: Session;
  prompt?: string | Part[];
}

/** A finished run and its session. */
export interface Branch {
  result: RunResult;
  session: Session;
}

/** The results of several runs. */
export interface Branches {
  /** The branch that was chosen, its session under the id of the original session. Absent if none was. */
  chosen?: Branch;
  /** All branches, in the order in which they started. */
  branches: Branch[];
  /** The total usage of all branches. */
  usage: Usage;
  /** The total cost of all branches; null if unknown. Absent without prices. */
  cost?: string | null;
}

/**
 * Delegates a task to an agent, with the history. The given session is not modified.
 * @returns the run and its session; never rejects
 */
export function delegate(setup: RunSetup, start: Start): Promise<Branch> {
  return runOn(setup, start, "delegated");
}

/**
 * Runs agents one after another: the first gets the prompt, each later one the final text of its predecessor. Each has the history
 * of the start, but not that of the others. A run that does not complete ends the chain.
 * @returns the last run as `chosen`, if every run completed
 */
export async function chain(setups: RunSetup[], start: Start): Promise<Branches> {
  const branches: Branch[] = [];
  for (const [i, setup] of setups.entries()) {
    const prompt = branches.at(-1)?.result.final_text;
    const branch = await runOn(setup, prompt === undefined ? start : { ...start, prompt }, `link-${i + 1}`);
    branches.push(branch);
    if (!isComplete(branch)) return summed(start, branches);
  }
  return summed(start, branches, branches.at(-1));
}

/**
 * Has an agent combine the answers of several runs into one. Runs that did not complete are ignored.
 * @param start its prompt says how to combine them
 */
export function consolidate(setup: RunSetup, start: Start, branches: Branch[]): Promise<Branch> {
  const answers = branches.filter(isComplete).map(({ result }, i) => `Answer ${i + 1}:\n${result.final_text}`);
  const prompt =
    typeof start.prompt === "string" ? [{ type: "text" as const, text: start.prompt }] : (start.prompt ?? []);
  const parts = [...prompt, ...answers.map((text) => ({ type: "text" as const, text }))];
  return runOn(setup, { ...start, prompt: parts }, "consolidated");
}

/**
 * Follows several hypotheses concurrently, each on its own copy of the session, and keeps one.
 * @param setups one per hypothesis; repeat a setup to let the model try several times
 * @param choose gets the completed runs, in order, and returns one of them, or undefined for none
 * @returns the chosen run, and the usage of all
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
 * Tries one setup after another, each from the same point, until a run is accepted. A failed attempt leaves nothing in the session,
 * so it cannot mislead the next one.
 * @param accept decides on a completed run. Default: accept it.
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
