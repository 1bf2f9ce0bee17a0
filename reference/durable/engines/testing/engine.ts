// What the chaos test has to know of an engine.

import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Side } from "../../../testing/chaos/campaign.ts";
import type { RunFound } from "../../../testing/chaos/verdict.ts";
import type { durable } from "../../index.ts";

/** An engine that was started for the test. `side.end` ends it. */
export interface Started {
  side: Side;
  /** How long a worker is stopped, in milliseconds: longer than the engine leaves a run with one that gives no sign of life. */
  freezeMs: number;
}

export interface EngineTest {
  /** Why it cannot be tested here, if so, and what to do. */
  missing: string | undefined;
  /** @param notes the file of notes; files of its own are in the folder */
  start(folder: string, notes: string): Promise<Started>;
}

/** Starts a program of this folder that ends with this process. */
export function startProgram(name: string, ...given: string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return spawn(process.execPath, [file, ...given], { stdio: ["pipe", "ignore", "inherit"] });
}

/** A run as its workflow has returned it. */
export function foundIn(run: string, ended: Awaited<ReturnType<typeof durable>> | undefined): RunFound {
  if (!ended) return { run };
  const snapshot = { phase: "done", session: ended.session, ending: { status: ended.result.status } };
  return { run, snapshot: snapshot as NonNullable<RunFound["snapshot"]> };
}
