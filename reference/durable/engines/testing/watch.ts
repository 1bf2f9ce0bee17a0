// A third process of the chaos test: approves what waits for approval, some time later, and notes which runs have ended.

import { setTimeout as sleep } from "node:timers/promises";
import { notesIn } from "../../../testing/chaos/world.ts";
import type { PendingCall, ResumeDecision } from "../../../index.ts";

/** What the process has to know of the engine. */
export interface Watched {
  /** What of a run waits for a decision, and the name under which it is given. */
  pending(run: string): PromiseLike<{ name: string; pending: PendingCall[] } | null | undefined>;
  decide(run: string, name: string, decisions: ResumeDecision[]): PromiseLike<unknown>;
  hasEnded(run: string): Promise<boolean>;
}

/** Looks at every run that was seen, until the process is ended. An engine that is asked in vain is asked again. */
export async function watch(file: string, engine: Watched): Promise<never> {
  const notes = notesIn(file);
  const decided = new Set<string>();
  const ended = new Set<string>();

  async function look(run: string): Promise<void> {
    if (await engine.hasEnded(run)) {
      ended.add(run);
      return notes.add("done", run, "");
    }
    const waiting = await engine.pending(run);
    if (!waiting || decided.has(`${run} ${waiting.name}`)) return;
    const approve = ({ id, input_hash = "" }: PendingCall) => ({ id, action: "approve", input_hash }) as const;
    await engine.decide(run, waiting.name, waiting.pending.map(approve));
    decided.add(`${run} ${waiting.name}`);
  }
  for (;;) {
    const seen = new Set(notes.read().flatMap(({ kind, run }) => (kind === "start" ? [run] : [])));
    await Promise.all([...seen].filter((run) => !ended.has(run)).map((run) => look(run).catch(() => {})));
    await sleep(200);
  }
}
