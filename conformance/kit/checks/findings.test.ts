// What a run shows of each requirement: the tested one first, breaches under their own names, and nothing kept without its occasion.

import { describe, expect, it } from "vitest";
import type { Case, Finding, InitializeResult, RequirementLevel, RequirementSeverity } from "../../../schemas/types.ts";
import { findingsOf } from "./findings.ts";
import type { Requirements } from "./findings.ts";
import { judge } from "./judge.ts";
import type { Observation } from "../observed/observation.ts";
import { playInMemory } from "../testing/play-in-memory.ts";

const oneCall: Case = {
  title: "One call",
  since: "1.0",
  requires: ["LOOP-5", "TOOL-13"],
  given: {
    messages: [{ role: "user", content: "Look." }],
    tools: [{ name: "look", input_schema: { type: "object" } }],
    handlers: { look: { output: "A tree." } },
  },
  model: [{ respond: [{ tool_call: { id: "$a", name: "look", input: {} } }] }, { text: "Done." }],
  expect: {
    status: "completed",
    tools: ["look"],
    session: [{ type: "tool_call" }, { type: "tool_result" }, { role: "assistant" }],
  },
};

const requirement = (id: string, level: RequirementLevel, severity?: RequirementSeverity) =>
  [id, { id, text: "x", file: "spec/x.md", line: 1, level, level_reason: "x", ...(severity && { severity }) }] as const;
const known: Requirements = new Map([
  requirement("LOOP-5", "essential", "loses"),
  requirement("LOOP-9", "essential", "executes"),
  requirement("LOOP-18", "essential", "misreports"),
  requirement("LOOP-22", "core"),
  requirement("SESSION-6", "essential", "bricks"),
  requirement("SESSION-7", "essential", "bricks"),
  requirement("TOOL-12", "essential", "executes"),
  requirement("TOOL-13", "core"),
  requirement("RESULT-8", "portable"),
]);

/** The findings of a run, after something was changed in what the kit saw. */
async function findings(
  change: (seen: Observation) => void = () => undefined,
  source: Case = oneCall,
): Promise<Finding[]> {
  const seen = await playInMemory(source);
  change(seen);
  return findingsOf(seen, judge(seen), known);
}

const reporting = (reports: InitializeResult["reports"]) => (seen: Observation) => {
  seen.driver = { ...seen.driver, ...(reports && { reports }) };
};
const verdictOf = (found: readonly Finding[], id: string) => found.find((one) => one.requirement === id)?.verdict;

describe("a correct run", () => {
  it("keeps what its case names, and what had its occasion [KIT-22]", async () => {
    const found = await findings();
    expect(found[0]).toEqual({ requirement: "LOOP-5", verdict: "kept" });
    expect(found.map(({ verdict }) => verdict)).toEqual(found.map(() => "kept"));
    expect(found.map((one) => one.requirement)).toEqual(expect.arrayContaining(["TOOL-13", "SESSION-6", "TOOL-12"]));
  });
  it("says nothing of what had no occasion: one call has no order [KIT-23]", async () => {
    expect(verdictOf(await findings(), "SESSION-7")).toBeUndefined();
  });
  it("has one finding for each requirement [KIT-22]", async () => {
    const ids = (await findings()).map((one) => one.requirement);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("a breach", () => {
  it("of what is checked in every run is found under its own name, and leaves what the case tests kept [KIT-22]", async () => {
    const found = await findings((seen) => (seen.results.at(-1)!.result!.tool_calls = 7));
    expect(found[0]).toEqual({ requirement: "LOOP-5", verdict: "kept" });
    expect(found).toContainEqual(expect.objectContaining({ requirement: "RESULT-8", verdict: "broken" }));
  });
  it("of an expectation is one of what the case tests, with its severity", async () => {
    const [first] = await findings((seen) => (seen.results.at(-1)!.result!.status = "max_turns"));
    expect(first).toMatchObject({ requirement: "LOOP-5", verdict: "broken", severity: "loses", message: "x" });
    const [second] = await findings((seen) => (seen.results.at(-1)!.result!.status = "max_turns"), {
      ...oneCall,
      requires: ["LOOP-22"],
    });
    expect(second).toMatchObject({ requirement: "LOOP-22", message: "not so: One call" });
  });
  it("in which shows what the case tests is one of it, and not of its own [KIT-24]", async () => {
    const found = await findings((seen) => (seen.results.at(-1)!.result!.tool_calls = 7), {
      ...oneCall,
      shown_by: ["RESULT-8"],
    });
    expect(found[0]).toMatchObject({ requirement: "LOOP-5", verdict: "broken" });
    expect(verdictOf(found, "RESULT-8")).toBeUndefined();
  });
  it("is that the run could not go on, of what the case tests [KIT-24]", async () => {
    const [first] = await findings((seen) => {
      seen.failures = [{ code: "stuck", message: "the case waits for a tool" }];
    });
    expect(first).toMatchObject({ requirement: "LOOP-5", verdict: "broken" });
  });
  it("that is an execution says so in its first words", async () => {
    const [first] = await findings(undefined, {
      ...oneCall,
      requires: ["LOOP-9"],
      expect: { status: "completed", tools: [] },
    });
    expect(first?.message).toBe("look was executed although the response that asked for it was cut off");
  });
  it("of a rule of the provider, before anything happened, says nothing of the case [KIT-5]", async () => {
    const found = await findings((seen) => {
      seen.answers = [];
      seen.executions = [];
      seen.failures = [{ code: "provider_rule", requirement: "SESSION-7", message: "the provider refuses it" }];
    });
    expect(found[0]).toMatchObject({ requirement: "LOOP-5", verdict: "not_seen", reason: "the provider refuses it" });
    expect(verdictOf(found, "SESSION-7")).toBe("broken");
  });
});

describe("what a driver does not report", () => {
  const without = (requires: string, reports: InitializeResult["reports"]) =>
    findings(reporting(reports), { ...oneCall, requires: [requires] });
  it("does not hide executions, which the kit sees itself", async () => {
    expect((await without("LOOP-9", []))[0]).toEqual({ requirement: "LOOP-9", verdict: "kept" });
  });
  it("is one word where a failure may be told as success", async () => {
    expect((await without("LOOP-18", []))[0]).toMatchObject({
      verdict: "not_seen",
      reason: expect.stringContaining("ended") as unknown,
    });
    expect((await without("LOOP-18", ["ended"]))[0]).toEqual({ requirement: "LOOP-18", verdict: "kept" });
  });
  it("is not seen of anything else, and breaks nothing [KIT-27]", async () => {
    const found = await without("LOOP-22", []);
    expect(found[0]).toMatchObject({ requirement: "LOOP-22", verdict: "not_seen" });
    expect(found.filter(({ verdict }) => verdict === "broken")).toEqual([]);
  });
  it("is left out field by field", async () => {
    const change = (reports: InitializeResult["reports"]) => (seen: Observation) => {
      reporting(reports)(seen);
      seen.results.at(-1)!.result!.tool_calls = 7;
    };
    expect(verdictOf(await findings(change(["result.turns"])), "RESULT-8")).toBeUndefined();
    expect(verdictOf(await findings(change(["result.tool_calls"])), "RESULT-8")).toBe("broken");
  });
});
