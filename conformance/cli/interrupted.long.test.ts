// Each command that keeps a process running, interrupted while it runs: one line says how far it came, and nothing is left.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { packagePath } from "../kit/base/package-root.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-interrupted-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = packagePath("fixtures/openai-chat/weather-loop.json");
const fakeDriver = packagePath("conformance/kit/testing/fake-driver.ts");
const driver = (token: string) => `${process.execPath} ${fakeDriver} silent ${token}`;
const program = (token: string) => ["--", process.execPath, "-e", "setInterval(() => undefined, 1000)", token];

/** How each is called, with a token by which its process is known, and what it says. */
const commands: Record<string, [args: (token: string) => string[], said: RegExp]> = {
  test: [(token) => ["test", "-d", driver(token)], /^The driver never initialised: it was ended before/m],
  coverage: [(token) => ["coverage", "-d", driver(token)], /^interrupted after 0 variants; nothing is certified/m],
  "driver check": [
    (token) => ["driver", "check", "-d", driver(token)],
    /^interrupted after 0 steps, 0 of them wrong$/m,
  ],
  "show --step": [
    (token) => ["show", "stop/end-turn-text", "--step", "-d", driver(token)],
    /^interrupted while .* played stop\/end-turn-text; nothing of it is shown$/m,
  ],
  repro: [
    (token) => ["repro", "stop/end-turn-text", "generic", "-d", driver(token)],
    /^# stop\/end-turn-text .*: broken off$/m,
  ],
  probe: [(token) => ["probe", ...program(token)], /^interrupted after 0 of \d+ scenarios, none broken so far/m],
  record: [
    (token) => ["record", "--out", join(folder, "never.json"), ...program(token)],
    /never\.json was not written: nothing was recorded/,
  ],
  replay: [(token) => ["replay", fixture, ...program(token)], /weather-loop\.json: failed, 0 of 2 exchanges used/],
};

/** Processes whose command line has the token, but for the kit's own. */
function isAlive(token: string): boolean {
  return readdirSync("/proc").some((pid) => {
    const line = commandLine(pid);
    return line.includes(token) && !line.includes(main);
  });
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

describe.concurrent("interrupted", () => {
  it.for(Object.entries(commands))("%s", async ([name, [args, said]], { expect }) => {
    const token = `interrupted-${name.replaceAll(/\W/g, "")}-${process.pid}`;
    const kit = spawn(process.execPath, [main, ...args(token)], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [kit.stdout, kit.stderr]) stream.on("data", (data: Buffer) => (printed += data.toString()));
    const exit = new Promise<number | null>((resolve) => kit.on("close", resolve));
    await expect.poll(() => isAlive(token), { timeout: 120_000 }).toBe(true);
    kit.kill("SIGINT");
    expect(await exit, printed).toBe(128 + constants.signals.SIGINT);
    expect(printed).toMatch(said);
    expect(printed).not.toMatch(/^ {4}at /m);
    await expect.poll(() => isAlive(token)).toBe(false);
  });
});

it("leaves no file", () => expect(readdirSync(folder)).toEqual([]));
