// Every text of a made-up result is one that a case expects, or that no case can reach, with the reason; and none belongs to another outcome.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

import { resultTexts, type Situation } from "../../reference/core/result-texts.ts";
import { stopTable } from "../../reference/core/stop-table.ts";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import { root } from "./schema-files.ts";

/** Why the kit cannot bring a loop into a situation. Unit tests of the reference do. */
const UNREACHABLE: Partial<Record<Situation, string>> = {
  pause: "a paused response with calls is one that wants them executed (LOOP-55)",
  broke_before: "something beside the tools has to throw inside the implementation",
  broke_while_running: "the process has to end while a tool runs",
  never_answered: "the driver protocol has no repair",
  not_recorded: "the driver protocol has no journal that fails",
};

it("has a case for each text, or a reason [SESSION-24]", async () => {
  const { cases } = await sharedSuite();
  const expected = cases
    .filter(({ case: { requires } }) => requires[0] === "SESSION-24")
    .map(({ file }) => readFileSync(file, "utf8").replaceAll("\\.", "."));
  const isExpected = (text: string) =>
    expected.some((yaml) => text.split(/\{\w+\}/).every((part) => yaml.includes(part)));
  const missing = Object.entries(resultTexts).filter(([, { text }]) => !isExpected(text));
  expect(missing.map(([situation]) => situation)).toEqual(Object.keys(UNREACHABLE));
});

it("answers the calls of a response as the stop table says", () => {
  for (const [reason, { calls }] of Object.entries(stopTable)) {
    const text = (resultTexts as Record<string, { outcome: string }>)[reason];
    expect(text?.outcome, reason).toBe("answer" in calls ? calls.answer : undefined);
  }
});

it("is the file of the spec", () => {
  const table = JSON.parse(readFileSync(join(root, "spec/result-texts.json"), "utf8")) as Record<string, object>;
  expect(Object.keys(resultTexts)).toEqual(Object.keys(table));
});
