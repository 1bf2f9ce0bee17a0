// What the walk through the protocol says of drivers that are right, and of those that are wrong in one way each.

import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findDriver } from "../driver/command.ts";
import { walkProtocol } from "./walk.ts";
import type { StepOutcome } from "./walk.ts";

const fake = fileURLToPath(new URL("../testing/fake-driver.ts", import.meta.url));
const newcomer = fileURLToPath(new URL("../testing/newcomer-driver.ts", import.meta.url));
const goBetween = fileURLToPath(new URL("../testing/go-between.ts", import.meta.url));

async function walk(named: string, times = { silentMs: 20_000, startMs: 20_000 }): Promise<StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  for await (const outcome of walkProtocol(findDriver(named), times)) outcomes.push(outcome);
  return outcomes;
}

const wire = fileURLToPath(new URL("../testing/wire-driver.ts", import.meta.url));

const named = (outcomes: StepOutcome[], verdict: StepOutcome["verdict"]) =>
  outcomes.filter((outcome) => outcome.verdict === verdict).map(({ name }) => name);

describe.concurrent("a walk through the protocol", () => {
  it("finds everything right with the reference, and leaves nothing out", async () => {
    const outcomes = await walk("reference");
    expect(outcomes.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(12);
    expect(outcomes[0]).toMatchObject({ note: expect.stringMatching(/^protocol 1, reference .*generic, /) as unknown });
  });

  const wrong: [behaviour: string, first: string, actual: RegExp, startMs?: number][] = [
    ["silent", "initialize", /^nothing within 700 ms; stdout was empty/, 700],
    ["never flushes a line break", "initialize", /a line without a line break: \{"jsonrpc"/, 4000],
    ["banner", "initialize", /not JSON: Welcome/],
    ["headers", "initialize", /not JSON: Content-Length/],
    ["wrong protocol", "initialize", /\/protocol: /],
    ["exits at start", "initialize", /exited with code 1/],
    ["unknown feature", "introduction", /declares the feature telepathy, which the spec does not define/],
    ["dies in every run", "a run: the model is asked, and its text ends the run", /exited with code 1/],
    ["refuses every run", "a run: the model is asked, and its text ends the run", /error -32000: I would rather not/],
  ];
  it.each(wrong)("%s", async (behaviour, first, actual, startMs = 20_000) => {
    const outcomes = await walk(`node ${fake} '${behaviour}'`, { silentMs: 20_000, startMs });
    const outcome = outcomes.find(({ verdict }) => verdict === "wrong");
    expect(outcome).toMatchObject({ name: first, actual: expect.stringMatching(actual) as unknown });
    if (first !== "introduction") expect(outcome?.transcript[0]).toMatch(/^kit → /);
  });
  it.each([
    ["id as text", "DRIVER-1", /^an answer to "id":"1", and the request has "id":1: \{"jsonrpc"/],
    [
      "pretty",
      "DRIVER-3",
      /^a line that is not JSON: \{\neach line on stdout is exactly one message; logs go to stderr$/,
    ],
  ])("says what to do about %s", async (mistake, requirement, actual) => {
    const [outcome] = await walk(`node ${newcomer} '${mistake}'`);
    expect(outcome).toMatchObject({ verdict: "wrong", requirement, actual: expect.stringMatching(actual) as unknown });
  });
  it("misses what the driver reports, and asks for it where the driver does not say", async () => {
    const outcomes = await walk(`node ${newcomer} 'reports nothing'`);
    expect(outcomes.find(({ verdict }) => verdict === "wrong")).toMatchObject({
      name: "the driver sends what it reports: the session, events, the result",
      expected: "a run with session, events, result",
      actual: expect.stringMatching(/^one without events, result\n.* out of reports/) as unknown,
    });
  });
  it.each(["an event without a number", "a list for a session"])(
    "does not blame the end on a run that failed before: %s",
    async (mistake) => {
      const outcomes = await walk(`node ${newcomer} '${mistake}'`);
      expect(named(outcomes, "wrong")).toEqual(["a run: the model is asked, and its text ends the run"]);
      const isOpen = mistake === "an event without a number";
      expect(outcomes.find(({ name }) => name === "shutdown is answered")).toMatchObject(
        isOpen ? { verdict: "skipped", note: "the driver is still in a run" } : { verdict: "ok" },
      );
      expect(outcomes.at(-1)).toMatchObject({ verdict: "ok" });
    },
  );
  it("goes on where there is something to learn, and only there", async () => {
    const outcomes = await walk(`node ${fake} good`);
    expect(named(outcomes, "wrong")).toEqual([
      "a tool that throws: the run continues, and the model gets the error",
      "a model call that fails: the run ends with an error result",
    ]);
    expect(named(outcomes, "skipped")).toEqual([
      "the clock is moved while a tool runs",
      "a resumed run goes on by the clock that resume names",
      "a cancel while a tool runs",
    ]);
    const refused = await walk(`node ${fake} 'refuses every run'`);
    expect(named(refused, "wrong")).toHaveLength(1);
    expect(named(refused, "skipped")).toEqual(["10 steps with runs"]);
    expect(named(refused, "ok").slice(-5, -4)).toEqual(["shutdown is answered"]);
  });
  it("finds a barrier that is answered while the run ends, and goes on", async () => {
    const outcomes = await walk(`node ${fake} 'answers a barrier before the run that ends'`);
    const barrier = outcomes.find(({ name }) => name.startsWith("a barrier at the end"));
    const actual = "the answer to barrier, while the run was ending";
    expect(barrier).toMatchObject({ verdict: "wrong", requirement: "DRIVER-28", actual });
    expect(outcomes.find(({ name }) => name === "shutdown is answered")).toMatchObject({ verdict: "ok" });
  });
  it("finds a resumed run that goes on by another clock", async () => {
    const outcomes = await walk(`node ${goBetween} 'resumes on a clock of its own'`, {
      silentMs: 2000,
      startMs: 20_000,
    });
    expect(outcomes.find(({ verdict }) => verdict === "wrong")).toMatchObject({
      name: "a resumed run goes on by the clock that resume names",
      requirement: "DRIVER-29",
      actual: expect.stringMatching(/^nothing within 2000 ms/) as unknown,
    });
  });
  it("waits for what never comes no longer than it was told", async () => {
    const outcomes = await walk(`node ${fake} 'says nothing to what it does not know'`, {
      silentMs: 500,
      startMs: 20_000,
    });
    expect(named(outcomes, "wrong").slice(0, 2)).toEqual([
      "an unknown method is rejected",
      "an unknown notification is ignored",
    ]);
  });
  it("ends a driver that does not end by itself", async () => {
    const outcomes = await walk(`node ${fake} 'never answers shutdown'`, { silentMs: 500, startMs: 20_000 });
    expect(named(outcomes, "wrong").slice(-2)).toEqual(["shutdown is answered", "the process ends with its stdin"]);
  });
  it("finds an error that ends the process after the last answer", async () => {
    const outcomes = await walk(`node ${fake} 'ends with an error'`);
    expect(outcomes.find(({ name }) => name === "no error ends the process")).toMatchObject({
      verdict: "wrong",
      requirement: "DRIVER-35",
      actual: "it exited with code 1",
    });
  });
});

describe.concurrent("a walk with a driver of level wire", () => {
  const failing = "a model call that fails is not reported as success";
  const next = "the user's next message goes on where the run has ended";
  const tool = "a tool is executed with what the model wrote, and its result reaches the model";
  it("finds everything right, and leaves nothing out", async () => {
    const outcomes = await walk(`node ${wire} right`);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(outcomes.map(() => "ok"));
    expect(outcomes.map(({ name }) => name)).toEqual(expect.arrayContaining([failing, next, tool]) as unknown);
    expect(outcomes[0]?.note).toMatch(/; openai-chat; level wire, after, cancel, limit$/);
  });
  it("leaves out what is not offered", async () => {
    const outcomes = await walk(`node ${wire} 'offers nothing'`);
    expect(named(outcomes, "wrong")).toEqual([]);
    expect(named(outcomes, "skipped")).toEqual([next, "a cancel while a tool runs", "a limit of one model call"]);
  });
  it.each([
    ["tells failures as success", [failing]],
    ["forgets the conversation", [next]],
  ])("finds one that %s", async (way, wrong) => {
    expect(named(await walk(`node ${wire} '${way}'`), "wrong")).toEqual(wrong);
  });
  it("says what is missing in an answer", async () => {
    const outcomes = await walk(`node ${wire} 'says nothing of the ending'`);
    expect(outcomes.find(({ verdict }) => verdict === "wrong")).toMatchObject({
      name: "a run on openai-chat/json: the model is asked, and its text ends the run",
      expected: 'an answer that says how the run "ended"',
    });
  });
  it("finds arguments that the model did not write", async () => {
    const outcomes = await walk(`node ${wire} 'changes the arguments'`);
    expect(named(outcomes, "wrong")[0]).toBe(tool);
  });
});
