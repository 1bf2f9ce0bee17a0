// The processes of the measurement of memory: the server, and one for each wire. They end with this one.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Kept, KeptTask } from "./kept-measure.ts";

const pathTo = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Starts the server; resolves to its address. */
export async function startFates(): Promise<{ url: string; stop(): void }> {
  const server = fork(pathTo("./kept-server.ts"));
  const url = await new Promise<string>((resolve, reject) => {
    server.once("message", (said) => resolve(String(said)));
    server.once("exit", (code) => reject(new Error(`the server ended with ${code} before it said where it is`)));
  });
  return { url, stop: () => void server.kill() };
}

/**
 * Measures in a process of its own, in which nothing else is held.
 * @throws Error with what went wrong
 */
export async function measureKeptApart(task: KeptTask): Promise<Kept> {
  const child = fork(pathTo("./kept-measure.ts"));
  const answer = await new Promise<Kept | { failure: string }>((resolve, reject) => {
    child.once("message", (said) => resolve(said as Kept | { failure: string }));
    child.once("exit", (code, signal) => reject(new Error(`the measurement ended with ${signal ?? code}`)));
    child.send(task);
  });
  if ("failure" in answer) throw new Error(answer.failure);
  return answer;
}

/** What one call may leave behind, in bytes. */
export const MOST_KEPT = 1000;

/** What is wrong with a measurement; empty if nothing is. */
export function wrongWith({ bytes, listeners, sockets, socketsBefore }: Kept): string[] {
  return [
    ...(bytes < MOST_KEPT ? [] : [`${Math.round(bytes)} bytes kept a call, expected less than ${MOST_KEPT}`]),
    ...(listeners === 0 ? [] : [`${listeners} listeners left on the signal of all runs, expected none`]),
    ...(sockets <= socketsBefore + 1 ? [] : [`${sockets} sockets open after ${socketsBefore}`]),
  ];
}
