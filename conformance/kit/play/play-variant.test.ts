// What the kit tells a driver: what it needs to run, and never what is expected of it.

import { describe, expect, it } from "vitest";
import type { Case, RunParams, RunResponse } from "../../../schemas/types.ts";
import { playInMemory } from "../testing/play-in-memory.ts";

const source: Case = {
  title: "A secret title",
  since: "1.0",
  requires: ["LOOP-5"],
  given: {
    messages: [{ role: "user", content: "Look at {{city}}." }],
    instructions: "Be brief.",
    tools: [{ name: "look", input_schema: { type: "object" } }],
    handlers: { look: { output: "secret output" } },
    options: { max_turns: 3 },
  },
  model: [
    { respond: [{ tool_call: { id: "$a", name: "look", input: { at: "{{city}}" } } }] },
    { text: "secret answer" },
  ],
  expect: { status: "completed", session: [{}, { output: "secret output" }, { content: "secret answer" }] },
};

describe("what a driver is told before it asks", () => {
  it("is the session, the agent and the options, and no case, script or expectation [KIT-1]", async () => {
    const requests: unknown[] = [];
    await playInMemory(source, (params) => requests.push(params));
    expect(requests).toEqual([
      {
        run: "r1",
        session: {
          spec_version: "1.0",
          id: "session-r1",
          messages: [{ role: "user", content: expect.stringMatching(/^Look at [a-z]+\.$/) as unknown }],
        },
        agents: { main: { name: "main", instructions: "Be brief.", tools: source.given.tools } },
        agent: "main",
        options: { max_turns: 3 },
        model: { seam: "generic" },
      },
    ]);
    expect(JSON.stringify(requests)).not.toMatch(/secret|expect|LOOP-5|\$a/);
  });
});

describe("random values", () => {
  it("are the same in what is given, scripted and expected, and repeat for the same seed", async () => {
    const [first, second] = await Promise.all([playInMemory(source), playInMemory(source)]);
    const [execution] = first.executions;
    const given = first.filled.case.given.messages[0] as { content: string };
    expect(execution?.input).toEqual({ at: given.content.slice("Look at ".length, -1) });
    expect(execution?.id).toBe(first.filled.bindings.get("a"));
    expect(second.executions[0]?.id).toBe(execution?.id);
  });
});

describe("the clock of a case that moves it", () => {
  it("is that of the run, and of the run that is resumed", async () => {
    const waiting: Case = {
      ...source,
      given: { ...source.given, tools: [{ name: "look", input_schema: { type: "object" }, external: true }] },
      actions: [
        { when: { request: 1 }, do: { advance_ms: 1000 } },
        { when: { suspended: true }, do: { resume: [{ id: "c1", action: "respond", output: "Rain." }] } },
      ],
    };
    const ends = ["suspended", "completed"].map((status) => ({ result: { status } }) as RunResponse);
    const requests: object[] = [];
    await playInMemory(
      waiting,
      (params) => requests.push(params),
      () => ends.shift(),
    );
    expect(requests.map((params) => [Object.keys(params).includes("decisions"), (params as RunParams).clock])).toEqual([
      [false, "virtual"],
      [true, "virtual"],
    ]);
  });
});
