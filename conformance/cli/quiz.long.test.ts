// The quiz as a person meets it who has no terminal: a puzzle with the command to answer it, and exit codes.

import { afterEach, describe, expect, it, vi } from "vitest";
import { quiz } from "./quiz.ts";
import type { QuizOptions } from "./quiz.ts";
import { UsageError } from "../kit/base/usage-error.ts";

const fault = "executes-calls-of-a-full-window";
vi.stubEnv("NO_COLOR", "1");

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** What the command says, and the exit code that it sets. */
async function runQuiz(name: string | undefined, options: QuizOptions): Promise<{ code: number; text: string }> {
  process.exitCode = undefined;
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line = "") => void lines.push(String(line)));
  await quiz(name, options);
  return { code: Number(process.exitCode ?? 0), text: lines.join("\n") };
}

describe("quiz", () => {
  it("prints a puzzle and how to answer it, the same for the same seed", async () => {
    const { code, text } = await runQuiz(undefined, { seed: 7 });
    expect(code).toBe(0);
    expect(text).toMatch(
      /^Fault ([0-9a-f]{6}): [^]*What the kit says[^]*Answer with: .* quiz \1 --answer <requirement>/,
    );
    expect((await runQuiz(undefined, { seed: 7 })).text).toBe(text);
  });

  it("ends with 0 for a right answer, with 1 for a wrong one, and explains both", async () => {
    const right = await runQuiz(fault, { answer: "LOOP-9 stop-table" });
    expect(right.code).toBe(0);
    expect(right.text).toMatch(/^\nRight: LOOP-9\.\nThe place is right, too\./);
    const wrong = await runQuiz(fault, { answer: "LOOP-8" });
    expect(wrong.code).toBe(1);
    expect(wrong.text).toMatch(/^\nNo: it is LOOP-9\.\nLOOP-8 says something else/);
    for (const { text } of [right, wrong]) expect(text).toContain("What a user would see: A call whose arguments");
  });

  it("shows the answer to who gives up", async () => {
    const { code, text } = await runQuiz(fault, { reveal: true });
    expect([code, text]).toEqual([0, expect.stringMatching(/^LOOP-9 {2}The loop MUST /)]);
  });

  it.each([
    ["no-such-fault", {}, /^no fault is called no-such-fault; spec\/kill-matrix.md lists them/],
    [undefined, { seed: Number.NaN }, /^--seed takes a whole number$/],
    [fault, { answer: "9" }, /^--answer: expected a requirement such as [A-Z]+-\d+, or a number from 1 to 4, not "9"$/],
    [fault, { answer: "LOOP-999" }, /not "LOOP-999"$/],
  ])("refuses %s with %o", async (name, options, message) => {
    await expect(quiz(name, options)).rejects.toThrow(message);
    await expect(quiz(name, options)).rejects.toBeInstanceOf(UsageError);
  });
});
