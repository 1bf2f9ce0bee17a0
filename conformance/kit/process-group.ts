// Ends the process groups that the kit started, whatever ends the kit: nothing that it started outlives it.

import { constants } from "node:os";

const live = new Set<number>();
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Makes sure that a process group dies with the kit. @see KIT-8 */
export function watchGroup(leader: number): void {
  if (live.size === 0) listen();
  live.add(leader);
}

/** Kills what is left of a process group, and forgets it. */
export function endGroup(leader: number): void {
  signalGroup(leader, "SIGKILL");
  live.delete(leader);
  if (live.size === 0) stopListening();
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
  process.on("exit", killAll);
  for (const signal of endings) process.on(signal, endBySignal);
}

function stopListening(): void {
  process.off("exit", killAll);
  for (const signal of endings) process.off(signal, endBySignal);
}

function killAll(): void {
  for (const leader of live) signalGroup(leader, "SIGKILL");
}

function endBySignal(signal: NodeJS.Signals): void {
  killAll();
  process.exit(128 + constants.signals[signal]);
}
