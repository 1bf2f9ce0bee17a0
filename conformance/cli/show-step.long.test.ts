// `show --step` as a person calls it: each kind of source, plain where nobody watches, and clear words for what cannot be walked.

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-step-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" };

function show(...args: string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, "show", ...args], { env, cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** The transitions that were printed: `from → to`. */
function printed({ stdout }: Output): string[] {
  return Array.from(stdout.matchAll(/^\d+\/\d+ {2}(.*)$/gm), ([, name]) => name!);
}

describe.concurrent("show --step", () => {
  test("a session, one transition after another", async () => {
    const output = await show("--step", "schemas/examples/Session/whole-turn.json");
    expect(output.code).toBe(0);
    expect(printed(output)).toEqual([
      "turn_boundary → calling_model",
      "calling_model → deciding",
      "deciding → executing",
      "executing → turn_boundary",
      "turn_boundary → calling_model",
      "calling_model → deciding",
      "deciding → turn_boundary",
      "turn_boundary → done",
    ]);
    expect(output.stdout).toMatch(/^LOOP-5 +execute the calls\n +The loop MUST execute/m);
    expect(output.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("a case, played by the reference", async () => {
    const output = await show("--step", "tools/unknown-tool", "--all");
    expect(output.stdout).toContain("Played by reference on generic: pass");
    expect(output.stdout).toMatch(/^TOOL-9 +answer without a tool: /m);
    expect(printed(output).at(-1)).toBe("turn_boundary → done");
  });

  test("a case on the wire, with what was asked, as a page", async () => {
    const page = join(folder, "case.html");
    expect(await show("--step", "tools/unknown-tool#openai-chat/sse", "--html", page)).toMatchObject({ code: 0 });
    const text = readFileSync(page, "utf8");
    expect(text).toContain("Played by reference on openai-chat/sse: pass");
    expect(text).toContain("/chat/completions");
  });

  test("events on stdin, also those of a run that was broken off", async () => {
    const events = [
      { type: "run_start", seq: 0, session_id: "s", agent: "main" },
      { type: "turn_start", seq: 1, turn: 1 },
      { type: "model_start", seq: 2, turn: 1 },
    ];
    const child = spawn(process.execPath, [main, "show", "--step", "-"], { env, cwd: root });
    child.stdin.end(events.map((event) => JSON.stringify(event)).join("\n"));
    const stdout = await new Response(child.stdout).text();
    expect(printed({ code: 0, stdout, stderr: "" })).toEqual([
      "turn_boundary → calling_model",
      "calling_model, and nothing more is known",
    ]);
  });

  test.each([
    [["--step", "nowhere/at-all"], /nowhere\/at-all: expected a file, or the id of a case, and there is neither/],
    [["--step", "nothing.json"], /nothing\.json cannot be read/],
    [["--step", "tools/unknown-tool#telepathy"], /has no variant telepathy; it has generic, /],
    [["--step", "tools/unknown-tool", "-d", "nobody"], /nobody/],
    [["--step", "package.json", "-d", "reference"], /--driver goes with a case/],
    [["--step", "package.json"], /expected a fixture, a session, a snapshot or events/],
    [["--all", "fixtures/openai-chat/text.json"], /--all and --driver go with --step/],
  ])("%j is refused in words", async (args, message) => {
    expect(await show(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as string });
  });

  test("a file of JSON that is none is refused in words", async () => {
    const path = join(folder, "broken.json");
    writeFileSync(path, "no json");
    expect(await show("--step", path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("expected JSON") as string,
    });
  });
});
