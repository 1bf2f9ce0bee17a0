// What a driver leaves behind is found even while it is only beginning.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { Mark } from "./stray-processes.ts";

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The test has killed it.
    }
  }
});

/** A process without an environment, as one is that is between its start and its program, and then one with this. */
function startLate(environment: string) {
  // No program in between, which would have an environment without it.
  const script = `sleep 0.05; ${environment} exec sleep 1000`;
  const child = spawn("/bin/sh", ["-c", script], { detached: true, env: {}, stdio: "ignore" });
  started.push(child.pid!);
  return child;
}

/** A mark whose driver has begun, and is there. */
function markOfADriver(): { mark: Mark; assignment: string } {
  const mark = new Mark();
  const driver = spawn("/bin/sh", ["-c", "sleep 1000"], { detached: true, env: { ...mark.environment } });
  started.push(driver.pid!);
  mark.noteLeader(driver.pid!);
  const [[name, id]] = Object.entries(mark.environment) as [[string, string]];
  return { mark, assignment: `${name}=${id}` };
}

it.runIf(existsSync("/proc"))("a process that has no environment yet is looked at again [KIT-8]", async () => {
  const { mark, assignment } = markOfADriver();
  const late = startLate(assignment);
  const ended = once(late, "exit");
  mark.killBearers(20_000);
  expect(await ended).toEqual([null, "SIGKILL"]);
});

it.runIf(existsSync("/proc"))("one with another mark is left alone", () => {
  const { mark } = markOfADriver();
  const late = startLate("AGENT_LOOP_DRIVER=another");
  mark.killBearers(20_000);
  expect(late.exitCode ?? late.signalCode).toBeNull();
  expect(process.kill(late.pid!, 0)).toBe(true);
});
