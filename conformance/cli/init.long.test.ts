// Each skeleton in its own language: it starts, says helpfully that its loop is not written, and with a loop it runs.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Manifest } from "../kit/index.ts";
import { isWhole } from "../dev/whole.ts";
import { languages } from "./shared/skeleton.ts";
import { firstLoops } from "./testing/first-loops.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-init-"));
afterAll(() => rmSync(folder, { recursive: true }));

function agentLoop(...args: string[]): { code: number | null; stdout: string } {
  const env = { ...process.env, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8", env });
  return { code: status, stdout: stdout + stderr };
}

/** Why the language cannot be tried here; undefined if it can. */
function whyNot(lang: string, dir: string): string | undefined {
  const [program, ...args] = firstLoops[lang]!.probe;
  if (spawnSync(program, args).status !== 0) return `${program} is not installed`;
  const { build } = JSON.parse(readFileSync(join(dir, "agent-loop.json"), "utf8")) as Manifest;
  if (!build) return undefined;
  if (!isWhole) return "a skeleton that has to be compiled is tried in the whole form";
  const [builder, ...words] = build as [string, ...string[]];
  const { status, stderr } = spawnSync(builder, words, { cwd: dir, encoding: "utf8" });
  if (status === 0) return undefined;
  // Without the network there is nothing to be learned of the skeleton; any other reason is its fault.
  expect(stderr).toMatch(/failed to (?:download|fetch|get)|could ?n[o']t resolve|network/i);
  return `${builder} cannot fetch what it needs here`;
}

describe.each(languages())("the skeleton in %s", (lang) => {
  it("speaks the protocol, says that its loop is not written, and runs with one", { timeout: 300_000 }, (context) => {
    const dir = join(folder, lang);
    expect(agentLoop("init", "--lang", lang, "--dir", dir).code).toBe(0);
    const reason = whyNot(lang, dir);
    if (reason !== undefined) return context.skip(reason);

    const bare = agentLoop("driver", "check", "--driver", dir);
    expect(bare.code).toBe(1);
    expect(bare.stdout.match(/^wrong/gm)).toHaveLength(1);
    expect(bare.stdout).toMatch(/came +the error -32603: .*the loop is not written yet; write it in run_?[lL]oop of/);

    const { code, stdout } = agentLoop("test", "--driver", dir, "--case", "stop/end-turn-text");
    expect(code).toBe(1);
    expect(stdout).toMatch(/driver_error: .*the loop is not written yet; write it in/);
    expect(stdout).toMatch(/LOOP-7 The loop MUST end/);

    write(lang, dir);
    const looping = agentLoop("driver", "check", "--driver", dir);
    expect(looping.stdout).toMatch(/^ok +a run: the model is asked, and its text ends the run$/m);
    expect(looping.stdout).toMatch(/^ok +a tool: the kit executes it, and the model gets the result$/m);
  });
});

/** Writes a loop into the skeleton. */
function write(lang: string, dir: string): void {
  const { file, changes } = firstLoops[lang]!;
  let text = readFileSync(join(dir, file), "utf8");
  for (const [from, to] of changes) {
    expect(text).toMatch(from);
    text = text.replace(from, () => to);
  }
  writeFileSync(join(dir, file), text);
}
