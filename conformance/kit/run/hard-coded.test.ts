// What cannot be hard-coded: each case says something else in each run, and the output of a tool counts only where it was executed.

import { expect, it } from "vitest";
import type { Case, InitializeResult, VariantResult } from "../../../schemas/types.ts";
import { fillCase } from "../suite/fill-case.ts";
import { inProcess } from "../driver/in-process.ts";
import { runSuite } from "./runner.ts";
import { sharedSuite } from "../testing/shared-suite.ts";
import { fakeLoop } from "../testing/fake-loop.ts";
import { smallSuite } from "../testing/zoo.ts";

/** What a loop is told, and what the model says, in a run with this seed. */
function dialogueOf(source: Case, id: string, seed: number): string {
  const { given, model } = fillCase(source, seed, id).case;
  return JSON.stringify([given, model]);
}

it("says something else in each run of each case, unless its model speaks from a fixture or nobody says anything", async () => {
  const { cases } = await sharedSuite();
  const fixed = cases.filter(({ id, case: source }) => dialogueOf(source, id, 1) === dialogueOf(source, id, 2));
  const isExcused = ({ given, model }: Case) =>
    given.messages.length === 0 || model.some(({ raw }) => raw !== undefined);
  expect(fixed.filter((entry) => !isExcused(entry.case)).map(({ id }) => id)).toEqual([]);
});

it("says the same in each run with the same seed", async () => {
  const { cases } = await sharedSuite();
  const { id, case: source } = cases[0]!;
  expect(dialogueOf(source, id, 1)).toBe(dialogueOf(source, id, 1));
});

const handshake: InitializeResult = {
  protocol: 1,
  implementation: { name: "knows", version: "1", language: "typescript" },
  seams: ["generic"],
};

const source: Case = {
  title: "A tool whose output is always the same",
  since: "1.0",
  requires: ["LOOP-9"],
  given: {
    messages: [{ role: "user", content: "How warm is it?" }],
    tools: [{ name: "warmth", input_schema: { type: "object" } }],
    handlers: { warmth: { output: "18 °C" } },
  },
  model: [{ respond: [{ tool_call: { id: "$a", name: "warmth", input: {} } }] }, { text: "It is 18 °C." }],
  expect: { status: "completed" },
};

/** What becomes of a right loop that asks the kit, or knows the output without asking. */
async function verdictOfLoop(knowsOutput: boolean): Promise<VariantResult> {
  const driver = inProcess((kit) => ({
    initialize: () => handshake,
    run: (params) =>
      fakeLoop(params, {
        ask: async (method, request) =>
          knowsOutput && method === "tool/execute" ? { output: "18 °C" } : await kit.request(method, request as never),
        emit: (event) => kit.notify("event", { run: params.run, event }),
      }),
  }));
  const suite = await smallSuite();
  const cases = [{ ...suite.cases[0]!, id: "warmth", case: source }];
  const { report } = await runSuite({
    driver: { name: "knows", argument: "knows", command: driver },
    suite: { ...suite, cases },
    select: { variants: ["generic"] },
  });
  return report.variants[0]!;
}

it("finds a loop broken that knows the output of a tool, and does not execute it", async () => {
  expect((await verdictOfLoop(false)).verdict).toBe("pass");
  const { findings, failures } = await verdictOfLoop(true);
  expect(findings).toContainEqual(expect.objectContaining({ requirement: "SESSION-8", verdict: "broken" }));
  expect(failures?.map(({ message }) => message).join("\n")).toContain("which no tool made");
});
