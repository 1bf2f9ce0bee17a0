// A person answers, answers wrongly, leaves the place out, gives up, and goes away.

import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { sharedSuite } from "../../kit/testing/shared-suite.ts";
import { ask } from "./ask.ts";

const suite = await sharedSuite();
const choices = { requirements: ["LOOP-1", "LOOP-9"], places: ["reference/a.ts#one", "reference/b.ts#two"], suite };

/** What comes of it when these lines are written, each when something is asked; without a further one the input ends. */
async function answered(...lines: string[]): Promise<{ answer: unknown; text: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const left = [...lines];
  let text = "";
  output.on("data", (piece: Buffer) => {
    text += piece.toString();
    if (!text.endsWith(": ")) return;
    const next = left.shift();
    if (next === undefined) input.end();
    else input.write(`${next}\n`);
  });
  return { answer: await ask(choices, { input, output }), text };
}

test("a number and a place are an answer", async () => {
  const { answer, text } = await answered("2", "1");
  expect(answer).toEqual({ requirement: "LOOP-9", place: "reference/a.ts#one" });
  expect(text).toContain("And where?\n  1  reference/a.ts  one\n  2  reference/b.ts  two\n");
});

test("what is no answer is asked again", async () => {
  const { answer, text } = await answered("what", "loop-9", "b.ts");
  expect(answer).toEqual({ requirement: "LOOP-9", place: "b.ts" });
  expect(text).toContain('expected a requirement such as LOOP-1, or a number from 1 to 2, not "what"\n');
});

test("the place may be named at once, or left out", async () => {
  expect((await answered("LOOP-9 b.ts")).answer).toEqual({ requirement: "LOOP-9", place: "b.ts" });
  expect((await answered("LOOP-9", "")).answer).toEqual({ requirement: "LOOP-9" });
});

test("who gives up or goes away has not answered", async () => {
  expect((await answered("")).answer).toBeUndefined();
  expect((await answered()).answer).toBeUndefined();
});
