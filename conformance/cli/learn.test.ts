// The command `learn`: what it prints and keeps, and what it says to wrong input.

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { progressFile } from "../teaching/stages/progress.ts";
import { readStages } from "../teaching/stages/stages.ts";
import { learn } from "./learn.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-learn-"));
afterAll(() => rmSync(folder, { recursive: true }));

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => vi.restoreAllMocks());

const stages = readStages();

/** A folder with a loop in it that has come so far. */
function loopAt(passed: number): string {
  const own = mkdtempSync(join(folder, "loop-"));
  writeFileSync(join(own, "agent-loop.json"), '{"name":"l","version":"1","command":["true"]}');
  const names = stages.slice(0, passed).map(({ name }) => [name, "2026-03-01T18:00:00.000Z"]);
  if (passed > 0)
    writeFileSync(
      join(own, progressFile),
      JSON.stringify({ progress: 1, passed: Object.fromEntries(names), hints: {} }),
    );
  return own;
}

describe("learn", () => {
  it("lists the stages, says where the loop is, and what is next", async () => {
    const own = loopAt(3);
    await learn(own, undefined, {});
    const text = printed.join("\n");
    expect(text).toMatch(/^ 3 {2}The session +passed$/m);
    expect(text).toMatch(/^ 4 {2}One tool +here$/m);
    expect(text).toMatch(/^15 {2}Events\n.*certified for the profiles core and portable/m);
    expect(text).toContain(`npx agent-loop-spec learn 4 ${own}`);
    expect(text).toContain(`npx agent-loop-spec test --driver ${own} --stage 4`);
    expect(text).not.toContain("learn start");
  });
  it("says to whoever has no loop yet how to begin, and to whoever has passed everything that there is no more", async () => {
    await learn(loopAt(0), undefined, {});
    expect(printed.join("\n")).toContain("npx agent-loop-spec learn start --lang python <folder>");
    printed = [];
    await learn(loopAt(stages.length), undefined, {});
    expect(printed.at(-1)).toBe("Every stage is passed.");
  });
  it("shows a stage by its number and by its name, with its cases and what to do", async () => {
    const own = loopAt(3);
    await learn("4", own, {});
    expect(printed[0]).toBe(`Stage 4 of ${stages.length}: One tool`);
    const text = printed.join("\n");
    expect(text).toContain("session/text-after-call");
    expect(text).toContain(`npx agent-loop-spec learn 4 ${own} --hint`);
    const page = printed;
    printed = [];
    await learn("one-tool", own, {});
    expect(printed).toEqual(page);
  });
  it("lists every case of a stage with what it tests and its title", async () => {
    await learn("2", undefined, { cases: true });
    expect(printed).toContain("stop/end-turn-text  LOOP-7  A text ends the run");
    expect(printed).toHaveLength(7);
  });
  it("opens one hint after another, and then says where the reference does it", async () => {
    const own = loopAt(0);
    const { hints } = stages[0]!;
    for (let open = 1; open <= hints.length + 1; open += 1) {
      printed = [];
      await learn("1", own, { hint: true });
      expect(printed.filter((line) => /^\d+\. /.test(line))).toHaveLength(Math.min(open, hints.length));
    }
    expect(printed.at(-1)).toMatch(/no further hint.*learn 1 --reference/);
    expect(JSON.parse(readFileSync(join(own, progressFile), "utf8"))).toEqual({
      ...{ progress: 1, passed: {} },
      hints: { "shake-hands": hints.length },
    });
  });
  it("shows the lines of the reference", async () => {
    await learn("the-loop", undefined, { reference: true });
    expect(printed[0]).toMatch(/^reference\/core\/agent-loop\.ts:\d+$/);
    expect(printed.join("\n")).toMatch(/^ +\d+ {2}export async function agentLoop\(/m);
  });
  it("writes a starter, and says what is first", async () => {
    const own = join(folder, "started");
    await learn("start", own, { lang: "python" });
    expect(readdirSync(own).sort()).toEqual(["agent-loop.json", "driver.py"]);
    expect(printed.join("\n")).toMatch(/wrote .*driver\.py[^]*cd .*started\nnpx agent-loop-spec learn 1 /);
  });
});

describe("learn says to wrong input what was expected, what came, and what to do", () => {
  it.each([
    ["99", undefined, {}, /there is no stage 99; there are 1 to \d+, see them with: npx agent-loop-spec learn$/],
    ["one-hammer", undefined, {}, /there is no stage one-hammer/],
    ["1", "nowhere", {}, /nowhere is not a folder; name the one of your loop/],
    [undefined, undefined, { hint: true }, /--hint needs a stage: npx agent-loop-spec learn 1 --hint/],
    [undefined, undefined, { lang: "python" }, /--lang is for a starter: .* learn start --lang python/],
    ["start", "x", {}, /which language\? --lang has go, python, rust, typescript.*learn 1$/],
    ["start", "x", { lang: "perl" }, /--lang perl has no starter; there are go, python, rust, typescript.*learn 1$/],
  ] as const)("%s %s %o", async (stage, own, options, message) => {
    await expect(learn(stage, own, options)).rejects.toThrow(message);
    expect(printed).toEqual([]);
  });
  it("a folder without a loop, for a hint", async () => {
    const own = mkdtempSync(join(folder, "empty-"));
    await expect(learn("1", own, { hint: true })).rejects.toThrow(/no agent-loop\.json.*learn 1 <folder> --hint/);
    expect(readdirSync(own)).toEqual([]);
  });
  it("a starter over what is there", async () => {
    const own = join(folder, "mine");
    mkdirSync(own);
    writeFileSync(join(own, "driver.py"), "mine");
    await expect(learn("start", own, { lang: "python" })).rejects.toThrow(/driver\.py exists/);
    expect(readdirSync(own)).toEqual(["driver.py"]);
  });
  it("progress that cannot be read", async () => {
    const own = loopAt(0);
    writeFileSync(join(own, progressFile), "[]");
    await expect(learn("1", own, {})).rejects.toThrow(/agent-loop-progress\.json does not say .*; mend or remove it/);
  });
});
