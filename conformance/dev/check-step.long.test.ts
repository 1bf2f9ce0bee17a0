// What a step has started ends with the process that plays it, whatever signal ends that.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { describe, it } from "vitest";
import { isAlive } from "../kit/testing/is-alive.ts";
import { root } from "./schema-files.ts";

/** Plays one step that never ends. */
const script = `
  import { runCheckStep } from "./conformance/dev/check-step.ts";
  await runCheckStep({ name: "endless", commands: [["node", "-e", "setInterval(() => undefined, 1000)"]], fix: "none" });`;

const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];

/** Only Linux says here what a process has started. */
describe.runIf(existsSync("/proc")).concurrent("a step in the midst of which", () => {
  it.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s comes leaves nothing behind", async (signal, { expect }) => {
    const player = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: root, stdio: "ignore" });
    const exit = once(player, "exit");
    await expect.poll(() => childrenOf(player.pid!), { timeout: 30_000 }).toHaveLength(1);
    const [step] = childrenOf(player.pid!);
    player.kill(signal);
    expect(await exit).toEqual([128 + constants.signals[signal], null]);
    await expect.poll(() => isAlive(step!), { timeout: 30_000 }).toBe(false);
  });
});
