// Each starter in its own language: it starts, fails the first stage in words that say what to do, and has its progress kept.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { firstLoops } from "./testing/first-loops.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-starters-"));
afterAll(() => rmSync(folder, { recursive: true }));

function agentLoop(cwd: string, ...args: string[]): { code: number | null; output: string } {
  const env = { ...process.env, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd, encoding: "utf8", env });
  return { code: status, output: stdout + stderr };
}

describe.each(["python", "typescript", "go"])("the starter in %s", (lang) => {
  it("fails stage 1 helpfully", { timeout: 300_000 }, (context) => {
    const [program, ...args] = firstLoops[lang]!.probe;
    if (spawnSync(program, args).status !== 0) return context.skip(`${program} is not installed`);
    const begun = agentLoop(folder, "learn", "start", lang, "--lang", lang);
    expect(begun).toMatchObject({ code: 0, output: expect.stringContaining(`cd ${lang}\n`) as unknown });
    const own = join(folder, lang);
    const { code, output } = agentLoop(own, "test", "--driver", ".", "--stage", "1", "--timeout", "60000");
    expect(code).toBe(1);
    expect(output).toMatch(/driver_error: .*the loop is not written yet; write it in run_?[lL]oop of/);
    expect(output).toMatch(/^You are at stage 1, Shake hands\. What is missing first:$/m);
    expect(output).toMatch(/learn 1$/m);
    expect(JSON.parse(readFileSync(join(own, "agent-loop-progress.json"), "utf8"))).toMatchObject({ passed: {} });
    expect(agentLoop(own, "learn").output).toMatch(/^ 1 {2}Shake hands +here$/m);
  });
});

it("without a driver, and with a stage that is none, says so", () => {
  expect(agentLoop(folder, "test", "--stage", "1")).toMatchObject({
    code: 2,
    output: expect.stringMatching(/required option '-d, --driver/) as unknown,
  });
  expect(agentLoop(folder, "test", "-d", "reference", "--stage", "99")).toMatchObject({
    code: 2,
    output: expect.stringMatching(/^there is no stage 99/) as unknown,
  });
  expect(agentLoop(folder, "learn", "99")).toMatchObject({
    code: 2,
    output: expect.stringMatching(/^there is no stage 99/) as unknown,
  });
});
