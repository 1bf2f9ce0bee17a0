// What must be true of runs whose workers were killed and stopped: nothing lost, nothing twice, every interruption reported.

import { initSession } from "../../core/session.ts";
import { agentLoop, resume } from "../../run/run.ts";
import type { Message, Session, Snapshot, ToolResultMessage } from "../../../schemas/types.ts";
import { isOnlyOnce, setupOf, type Blows, type Note } from "./world.ts";

/** A run as its journal has it. */
export interface RunFound {
  run: string;
  snapshot?: Snapshot;
}

export interface Verdict {
  runs: number;
  /** Runs that have not ended, or not well. */
  lost: string[];
  /** Calls that were started twice, though their tool must not run twice. */
  twice: string[];
  /** Calls that were started and did not end in a living process, or whose effect is in doubt, and that the model was not sent word of. */
  unreported: string[];
  /** Runs whose session is another one than without a disturbance, results that say `interrupted` aside. */
  changed: string[];
  /** Calls during which another living process executed a call of the same run. */
  atOnce: string[];
  /** How many results say `interrupted`. */
  interrupted: number;
  /** How often another process went on with a run. */
  handovers: number;
}

/** Whether everything is as it must be. */
export function isFaultless({ lost, twice, unreported, changed, atOnce }: Verdict): boolean {
  return [lost, twice, unreported, changed, atOnce].every((faults) => faults.length === 0);
}

export async function verdictOn(
  found: RunFound[],
  notes: Note[],
  { died, frozen }: { died: Blows; frozen: Blows },
): Promise<Verdict> {
  const undisturbed = (await straight()).messages;
  const verdict: Verdict = {
    runs: found.length,
    lost: [],
    twice: [],
    unreported: [],
    changed: [],
    atOnce: [],
    interrupted: 0,
    handovers: 0,
  };
  for (const { run, snapshot } of found) {
    if (snapshot?.phase !== "done" || snapshot.ending?.status !== "completed") {
      verdict.lost.push(`${run}: ${snapshot?.phase ?? "not begun"} ${JSON.stringify(snapshot?.ending ?? {})}`);
      continue;
    }
    const mine = notes.filter((note) => note.run === run && (note.kind === "start" || note.kind === "end"));
    const { messages } = snapshot.session;
    const interrupted = new Set(messages.filter(isInterrupted).map(({ id }) => id));
    verdict.interrupted += interrupted.size;
    const restored = messages.map((message, i) => (isInterrupted(message) ? undisturbed[i] : message));
    if (JSON.stringify(restored) !== JSON.stringify(undisturbed)) verdict.changed.push(run);
    for (const call of new Set(mine.map(({ what }) => what).filter(isOnlyOnce))) {
      const count = (kind: string) => mine.filter((note) => note.kind === kind && note.what === call).length;
      if (count("start") > 1) verdict.twice.push(`${run}/${call}`);
      if (count("end") === 0 && !interrupted.has(call)) verdict.unreported.push(`${run}/${call}`);
    }
    // A call that the session has as done was executed.
    for (const message of messages)
      if (message.type === "tool_call" && !interrupted.has(message.id) && !mine.some((one) => one.what === message.id))
        verdict.unreported.push(`${run}/${message.id}`);
    const spans = spansOf(mine, died, frozen);
    verdict.handovers += spans.filter(({ pid }, i) => i > 0 && pid !== spans[i - 1]!.pid).length;
    for (const one of spans)
      for (const other of spans)
        if (one.pid < other.pid && one.from < other.to && other.from < one.to)
          verdict.atOnce.push(`${run}/${one.what} and ${other.what}`);
  }
  return verdict;
}

/** When which process was seen to execute a call: until its end, its death, or the moment from which it stood still. */
function spansOf(notes: Note[], died: Blows, frozen: Blows) {
  return notes
    .filter(({ kind }) => kind === "start")
    .map(({ pid, what, at: from }) => {
      const end = notes.find((note) => note.kind === "end" && note.pid === pid && note.what === what)?.at ?? Infinity;
      const stopped = frozen.get(pid) ?? Infinity;
      return { pid, what, from, to: Math.min(end, died.get(pid) ?? Infinity, stopped > from ? stopped : Infinity) };
    });
}

function isInterrupted(message: Message): message is ToolResultMessage {
  return message.type === "tool_result" && message.outcome === "interrupted";
}

/** The session of a run that nobody disturbs. */
async function straight(): Promise<Session> {
  const setup = setupOf("straight", { model: 0, slow: 0, quick: 0 }, { add: () => {} });
  let run = agentLoop({ ...setup, session: initSession({ id: "straight", user: "Begin." }) });
  for (let result = await run.result; result.status === "suspended"; result = await run.result) {
    const decisions = result.pending!.map(({ id, input_hash }) => ({
      id,
      action: "approve" as const,
      input_hash: input_hash!,
    }));
    run = resume({ ...setup, snapshot: result.snapshot!, decisions });
  }
  return run.session;
}
