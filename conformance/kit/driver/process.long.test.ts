// What a driver leaves outside of its process group ends with the driver, and with the kit; where it cannot be found, the kit ends all the same.
// How a driver ends is seen as it was, however late the kit sees it.

import { spawn } from "node:child_process";
import type { StdioOptions } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { isAlive } from "../testing/is-alive.ts";
import { DriverProcess } from "./process.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-process-"));
afterAll(() => rmSync(folder, { recursive: true }));
const module = fileURLToPath(new URL("process.ts", import.meta.url));

interface Leaving {
  name: string;
  /** What the process that is left has of its driver. */
  has: { env?: object; stdio?: StdioOptions };
  thenDriver: "exits" | "stays";
}

/** Starts a kit with a driver that leaves a process behind. */
function startKit({ name, has, thenDriver }: Leaving) {
  const pidFile = join(folder, `${name}.pid`);
  const driver = join(folder, `${name}.mjs`);
  writeFileSync(
    driver,
    `import { spawn } from "node:child_process";
    import { writeFileSync } from "node:fs";
    const stay = "setInterval(() => undefined, 1000)";
    // What the kit writes comes after it has seen what streams there are, as its first message does.
    process.stdin.once("data", () => {
      const left = spawn(process.execPath, ["-e", stay], { detached: true, ...${JSON.stringify(has)} });
      writeFileSync(${JSON.stringify(pidFile)}, String(left.pid));
      ${thenDriver === "exits" ? "process.exit(1)" : "setInterval(() => undefined, 1000)"};
    });`,
  );
  const script = `
    import { DriverProcess } from ${JSON.stringify(module)};
    const nobody = { line() {}, unreadable() {}, exit() {} };
    const driver = new DriverProcess({ argv: [process.execPath, ${JSON.stringify(driver)}] }, nobody);
    driver.write("leave it");
    await driver.ended;`;
  const kit = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  const leftPid = () => Number(existsSync(pidFile) ? readFileSync(pidFile, "utf8") : 0);
  return { kit, ended: once(kit, "exit"), leftPid };
}

/** Only on Linux can be found who left a process group. */
describe.runIf(existsSync("/proc")).concurrent("what a driver leaves outside of its process group ends", () => {
  it.for([
    { name: "with the driver by its mark", has: { stdio: "ignore" } as const, thenDriver: "exits" as const },
    {
      name: "with the driver by its streams",
      has: { env: {}, stdio: "inherit" } as const,
      thenDriver: "exits" as const,
    },
  ])("$name [KIT-8]", async (leaving, { expect }) => {
    const { ended, leftPid } = startKit(leaving);
    expect(await ended).toEqual([0, null]);
    expect(leftPid()).toBeGreaterThan(0);
    await expect.poll(() => isAlive(leftPid())).toBe(false);
  });
  it.for(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)(
    "with the kit that %s ends [KIT-8]",
    async (signal, { expect }) => {
      const { kit, ended, leftPid } = startKit({ name: signal, has: { stdio: "ignore" }, thenDriver: "stays" });
      await expect.poll(leftPid, { timeout: 30_000 }).toBeGreaterThan(0);
      kit.kill(signal);
      expect(await ended).toEqual([128 + constants.signals[signal], null]);
      await expect.poll(() => isAlive(leftPid())).toBe(false);
    },
  );
});

it("does not keep the kit alive by a process that cannot be found and holds a stream", async () => {
  const stdio: StdioOptions = ["ignore", "ignore", "ignore", 1];
  const { ended, leftPid } = startKit({ name: "hidden", has: { env: {}, stdio }, thenDriver: "exits" });
  const exit = await ended;
  process.kill(leftPid(), "SIGKILL");
  expect(exit).toEqual([0, null]);
});

/** Starts a driver that runs this when it is written to; `sleep(ms)` is there. Everything that the kit makes of it is kept in order. */
function startDriver(code: string, onLine: () => void = () => undefined) {
  const seen: string[] = [];
  const sleep = "const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);";
  const script = `${sleep} process.stdin.once("data", () => { ${code} }); console.log("ready");`;
  const ready = Promise.withResolvers<void>();
  const driver = new DriverProcess(
    { argv: [process.execPath, "-e", script] },
    {
      line(line) {
        ready.resolve();
        seen.push(line);
        if (line !== "ready") onLine();
      },
      unreadable: (why) => seen.push(why),
      exit: ({ code }) => seen.push(`exit ${code}`),
    },
  );
  return { driver, seen, ready: ready.promise };
}

/** Lets nothing else happen in the kit. */
function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("a kit that is held up", () => {
  it("does not take a driver that has ended for one that lives on without its streams", async () => {
    const { driver, seen, ready } = startDriver(`require("node:fs").closeSync(1); sleep(300); process.exit(0);`);
    await ready;
    driver.write("end");
    // The end of stdout is seen by then, and that of the process not before the time to see it is over.
    setTimeout(() => setImmediate(() => holdUp(2300)), 100);
    await driver.ended;
    expect(seen).toEqual(["ready", "exit 0"]);
  });

  it("reads the last words of a driver that ends while the kit looks after another one", async () => {
    const last = startDriver(`sleep(400); console.log("last words"); process.exit(0);`);
    const other = startDriver(`console.log("first"); process.exit(0);`, () => {
      holdUp(600);
      setImmediate(() => holdUp(400));
    });
    await Promise.all([last.ready, other.ready]);
    last.driver.write("end");
    other.driver.write("end");
    // What the other one says, and that it has ended, are seen at once; with its end, that of both.
    await new Promise((sent) => setImmediate(sent));
    holdUp(250);
    await Promise.all([last.driver.ended, other.driver.ended]);
    expect(last.seen).toEqual(["ready", "last words", "exit 0"]);
  });
});
