// The processes of the benchmark: the server, and one for each measurement. They end with this one.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Cost, Task } from "./turn-measure.ts";

const pathTo = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Starts the server; resolves to its address. */
export async function startServer(): Promise<{ url: string; stop(): void }> {
  const server = fork(pathTo("./turn-server.ts"));
  const url = await new Promise<string>((resolve, reject) => {
    server.once("message", (said) => resolve(String(said)));
    server.once("exit", (code) => reject(new Error(`the server ended with ${code} before it said where it is`)));
  });
  return { url, stop: () => void server.kill() };
}

/**
 * Measures in a process of its own. `nodeOptions` are for profiling, for example `--cpu-prof`.
 * @throws Error with what the subject did wrong
 */
export async function measureApart(task: Task, nodeOptions: string[] = []): Promise<Cost> {
  const child = fork(pathTo("./turn-measure.ts"), { execArgv: nodeOptions });
  const answer = await new Promise<Cost | { failure: string }>((resolve, reject) => {
    child.once("message", (said) => resolve(said as Cost | { failure: string }));
    child.once("exit", (code, signal) => reject(new Error(`the measurement ended with ${signal ?? code}`)));
    child.send(task);
  });
  if ("failure" in answer) throw new Error(`${task.subject}: ${answer.failure}`);
  return answer;
}
