// The benchmark of turns measures work that was done: every subject does it, and one that does not is noticed.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { layers } from "./layer-subjects.ts";
import { measure } from "./turn-measure.ts";
import type { Cost } from "./turn-measure.ts";
import { measureApart, startServer } from "./turn-processes.ts";
import { judge, ratiosOf, tableLine } from "./turn-report.ts";
import { wires } from "./wires.ts";
import type { ReadInput, Scenario } from "./turn-script.ts";
import { serveTurns } from "./turn-server.ts";
import { subjects } from "./turn-subjects.ts";
import type { Subject, SubjectName } from "./turn-subjects.ts";

let server: Awaited<ReturnType<typeof serveTurns>>;
beforeAll(async () => void (server = await serveTurns()));
afterAll(() => server.close());

const names = Object.keys(subjects) as SubjectName[];
const scenario: Scenario = { wire: "anthropic-messages", transport: "json", calls: 2, turns: 5 };
let runs = 0;
const task = (asked: Scenario = scenario) => {
  return { scenario: asked, url: server.url, run: `run-${(runs += 1)}`, warmups: 1, repeats: 2 };
};

describe.each(wires)("on %s", (wire) => {
  test.each(names)("%s does the work, whole and streamed", async (name) => {
    for (const transport of ["json", "sse"] as const) {
      const cost = await measure(subjects[name], task({ ...scenario, wire, transport }));
      for (const value of Object.values(cost)) expect(value).toBeGreaterThan(0);
    }
  });
});

describe.each(wires)("between a loop and %s", (wire) => {
  test.each(Object.entries(layers))("%s does the work, whole and streamed", async (_, { subject }) => {
    for (const transport of ["json", "sse"] as const)
      expect((await measure(subject, task({ ...scenario, wire, transport }))).turn).toBeGreaterThan(0);
  });
});

describe("a subject that does not do the work is noticed", () => {
  /** A subject whose every conversation is the reference's, but for what `wrong` does to the tool. */
  const withTool =
    (wrong: (tool: (input: ReadInput) => string) => (input: ReadInput) => string): Subject =>
    (asked, url) => {
      const converse = subjects.sdk(asked, url);
      return (tool) => converse(wrong(tool));
    };

  test("when it sends another result than the tool's", async () => {
    const altering = withTool((tool) => (input) => `${tool(input)}.`);
    await expect(measure(altering, task())).rejects.toThrow(/item 5 of 21: expected .*result call_1_0/);
  });

  test("when it does not call the tool for one of the calls", async () => {
    let last = "";
    const lazy = withTool((tool) => (input) => (input.from % 10 === 1 ? last : (last = tool(input))));
    await expect(measure(lazy, { ...task(), warmups: 0 })).rejects.toThrow();
  });

  test("when it ends before the model is done", async () => {
    const hasty: Subject = () => async () => "Done.";
    await expect(measure(hasty, { ...task(), warmups: 0 })).rejects.toThrow("called 0 times, expected 8");
  });

  test("when it forgets what was said, though it calls every tool", async () => {
    const forgetful: Subject = (asked, url) => async (tool) => {
      for (let turn = 1; ; turn += 1) {
        const body = JSON.stringify({ messages: [{ role: "user", content: `turn ${turn}` }] });
        const response = await fetch(`${url}/v1/messages`, { method: "POST", body });
        const answer = (await response.json()) as { error?: { message: string }; content: { input?: ReadInput }[] };
        if (answer.error) throw new Error(answer.error.message);
        for (const { input } of answer.content) if (input) tool(input);
        if (turn === asked.turns) return "";
      }
    };
    await expect(measure(forgetful, task())).rejects.toThrow(/item 1 of 21: expected "user Find out/);
  });
});

test("a measurement runs in a process of its own, and its failure is told", async () => {
  const apart = await startServer();
  try {
    const asked = { ...task(), url: apart.url, subject: "reference" as const, warmups: 0, repeats: 1 };
    expect((await measureApart(asked)).peak).toBeGreaterThan(10_000);
    await expect(measureApart({ ...asked, url: "http://127.0.0.1:1" })).rejects.toThrow(/^reference: Error: /);
  } finally {
    apart.stop();
  }
});

describe("the report", () => {
  const cost = (turn: number, growth = 1, peak = 100): Cost => ({ turn, early: 1, late: growth, peak });
  const round = (reference: Cost) => ({ reference, sdk: cost(100), floor: cost(50, 3) });

  test("shows the median and the spread of the ratios within each round", () => {
    const ratios = ratiosOf([round(cost(90)), round(cost(50)), round(cost(120))]);
    expect(ratios.sdk).toEqual({ median: 0.9, min: 0.5, max: 1.2 });
    expect(tableLine(scenario, ratios)).toMatch(/^anthropic-messages json 5 × 2 +0\.90 \(0\.50–1\.20\) +1\.80 /);
  });

  test.each([
    ["everything", cost(100, 3, 120), [true, true, true, true]],
    ["CPU beside the SDK loop, and beside the floor", cost(101, 3), [false, true, false, true]],
    ["growth", cost(100, 3.1), [true, true, true, false]],
    ["memory", cost(100, 3, 121), [true, false, true, true]],
  ])("judges %s", (_what, reference, expected) => {
    const ratios = ratiosOf([round(reference)]);
    expect(judge({ turns: 1000 }, ratios).map(({ holds }) => holds)).toEqual(expected);
    expect(judge({ turns: 200 }, ratios).map(({ holds }) => holds)).toEqual(expected.slice(0, 3));
    expect(judge({ turns: 50 }, ratios).map(({ holds }) => holds)).toEqual(expected.slice(0, 2));
  });
});
