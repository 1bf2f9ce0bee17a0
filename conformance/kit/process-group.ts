// Ends the process groups that the kit started, whatever ends the kit: nothing that it started outlives it.

import { constants } from "node:os";

const live = new Set<number>();
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Starts the leader of a process group that dies with the kit.
 * @param start starts the process; it has no pid if it could not be started
 * @see KIT-8
 */
export function startGroup<Leader extends { pid?: number | undefined }>(start: () => Leader): Leader {
  // From before the first moment of the process, so that there is none in which the kit could die alone.
  if (live.size === 0) listen();
  const leader = start();
  if (leader.pid !== undefined) live.add(leader.pid);
  else if (live.size === 0) stopListening();
  return leader;
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
