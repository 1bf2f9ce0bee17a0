// Reads a session or a snapshot as what can be walked through.

import type { Session, Snapshot, ToolResultMessage } from "../../../schemas/types.ts";
import { playScript } from "./play-script.ts";
import { runsOf, turnsOf } from "./script.ts";
import type { Script, Turn } from "./script.ts";
import type { Trace } from "./trace.ts";

/** The runs of a session. */
export async function readSession(title: string, { id, messages }: Session): Promise<Trace> {
  const { before, turns } = turnsOf(messages);
  const script: Script = { id, agent: "main", options: {}, runs: runsOf(before, turns) };
  return {
    title,
    notes: ["A session has no stop reasons, no instructions and no ending: stop reasons are what follows fits."],
    before,
    ...(await playScript(script)),
  };
}

/** The run of a snapshot, to where it stands. Its steps, where it has them, say why the model stopped. */
export async function readSnapshot(title: string, snapshot: Snapshot): Promise<Trace> {
  const { session, agent, options, phase, turn, ending } = snapshot;
  const { turns } = turnsOf(session.messages);
  const answered = phase === "calling_model" ? turn - 1 : turn;
  const run = turns.slice(Math.max(0, turns.length - answered));
  const begun = session.messages.length - run.reduce((sum, one) => sum + lengthOf(one), 0);
  const earlier = session.messages.slice(0, begun);
  addSteps(run, answered, snapshot);
  addBatch(run.at(-1), snapshot);
  const script: Script = {
    id: session.id,
    agent,
    options,
    runs: [{ history: earlier, turns: run, until: phase, ...(ending && phase === "done" && { ending }) }],
  };
  return {
    title,
    notes: [`A snapshot of a run in phase ${phase}.`],
    before: earlier,
    options,
    ...(await playScript(script)),
  };
}

/** @param answered the last turn that has a response; those that were compacted away are not in the run */
function addSteps(run: readonly Turn[], answered: number, { steps }: Snapshot): void {
  for (const { turn, stop_reason, raw_stop_reason, usage } of steps) {
    const response = run[turn - 1 - answered + run.length]?.response;
    if (response) Object.assign(response, { stop_reason, raw_stop_reason, usage });
  }
}

/** What was decided about the last batch, and what of it is executed already. */
function addBatch(last: Turn | undefined, { decisions, unfinished = {} }: Snapshot): void {
  if (!last) return;
  if (decisions.length > 0) last.decisions = decisions;
  for (const [id, call] of Object.entries(unfinished)) last.results.push(call.executed?.result ?? waiting(id));
}

/** A subagent has not answered. */
function waiting(id: string): ToolResultMessage {
  return { type: "tool_result", id, output: "", is_error: true, outcome: "suspended", synthetic: true };
}

function lengthOf({ response, results, later }: Turn): number {
  return response.messages.length + results.length + later.length;
}
