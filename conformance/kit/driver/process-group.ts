// Ends what the kit started, whatever ends the kit: each process group, and what it left outside of itself.

import { constants } from "node:os";
import { Mark } from "./stray-processes.ts";

const live = new Map<number, Mark>();
const endings = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Says last words when a signal ends the kit, and ends it. */
type LastWords = (signal: NodeJS.Signals) => void;
let lastWords: LastWords | undefined;

/**
 * Starts the leader of a process group that dies with the kit.
 * @param start starts the process, with the mark in its environment; it has no pid if it could not be started
 * @see KIT-8
 */
export function startGroup<Leader extends { pid?: number | undefined }>(
  start: (marked: Readonly<Record<string, string>>) => Leader,
): Leader {
  // Registered before the process starts, so that the kit can never die and leave it behind.
  listen();
  const mark = new Mark();
  const leader = start(mark.environment);
  if (leader.pid !== undefined) {
    mark.noteLeader(leader.pid);
    live.set(leader.pid, mark);
  } else stopListening();
  return leader;
}

/** Kills what is left of a process group, and what left it, and forgets it. */
export function endGroup(leader: number): void {
  killGroup(leader);
  live.delete(leader);
  stopListening();
}

/**
 * Lets somebody speak when a signal ends the kit: what was started is killed then, and the process goes on until he ends it. A second
 * signal ends it at once.
 * @returns takes the words back
 */
export function beforeEnding(speak: LastWords): () => void {
  lastWords = speak;
  listen();
  return () => {
    lastWords = undefined;
    stopListening();
  };
}

/** Sends a signal to every process of a group; false if there is none left. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
}

function listen(): void {
  if (process.listeners("exit").includes(killAll)) return;
  process.on("exit", killAll);
  for (const signal of endings) process.on(signal, endBySignal);
}

function stopListening(): void {
  if (live.size > 0 || lastWords) return;
  process.off("exit", killAll);
  for (const signal of endings) process.off(signal, endBySignal);
}

function killGroup(leader: number): void {
  signalGroup(leader, "SIGKILL");
  live.get(leader)?.killBearers();
}

function killAll(): void {
  for (const leader of live.keys()) killGroup(leader);
}

function endBySignal(signal: NodeJS.Signals): void {
  killAll();
  const speak = lastWords;
  lastWords = undefined;
  if (speak) return speak(signal);
  process.exit(128 + constants.signals[signal]);
}
