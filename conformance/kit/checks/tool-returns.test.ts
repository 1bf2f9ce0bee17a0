// Shows that a correct run with everything that tools may return is accepted, and that each check refuses the run that breaks it.

import { describe, expect, it } from "vitest";
import type { Case, Failure, RunParams, RunResult, Tool, ToolResultMessage } from "../../../schemas/types.ts";
import { judge } from "./judge.ts";
import type { Observation } from "../observed/observation.ts";
import { playInMemory } from "../testing/play-in-memory.ts";

const tool = (name: string): Tool => ({ name, input_schema: { type: "object" } });

const source: Case = {
  title: "A run with agents and variables",
  since: "1.0",
  requires: ["LOOP-67"],
  given: {
    messages: [{ role: "user", content: "Go to {{city}}." }],
    agents: {
      clerk: {
        name: "clerk",
        instructions: "You are a clerk.",
        tools: [tool("to_cook"), tool("to_guard"), tool("note")],
      },
      cook: { name: "cook", instructions: "You cook.", tools: [tool("note")], settings: { temperature: 0 } },
      guard: { name: "guard" },
    },
    agent: "clerk",
    context: { key: "{{secret}}" },
    handlers: {
      to_cook: { output: "ok", handoff: "cook", context_updates: { dish: "{{dish}}" }, metrics: { rows: 2 } },
      to_guard: { output: "ok", handoff: "guard" },
      note: { data: { text: "{{noted}}" } },
    },
  },
  model: [
    {
      respond: [
        { tool_call: { id: "$a", name: "to_cook", input: {} } },
        { tool_call: { id: "$b", name: "to_guard", input: {} } },
      ],
    },
    { respond: [{ tool_call: { id: "$c", name: "note", input: {} } }] },
    { text: "Done." },
  ],
  expect: {
    status: "completed",
    tools: [
      { name: "to_cook", context: { key: "{{secret}}" } },
      "to_guard",
      { name: "note", context: { dish: "{{dish}}", key: "{{secret}}" } },
    ],
  },
};

const results = (seen: Observation): ToolResultMessage[] =>
  seen.results[0]!.session!.messages.filter((message): message is ToolResultMessage => message.type === "tool_result");
const result = (seen: Observation): RunResult => seen.results[0]!.result!;

async function judged(change: (seen: Observation) => void): Promise<Failure[]> {
  const seen = await playInMemory(source);
  change(seen);
  return judge(seen);
}

describe("a run with agents, variables, data and metrics", () => {
  it("is accepted if it is correct", async () => expect(await judged(() => undefined)).toEqual([]));

  const breaches: [what: string, requirement: string, change: (seen: Observation) => void][] = [
    ["that lost the data of a tool", "TOOL-29", (seen) => delete results(seen)[2]!.data],
    ["that has data where the tool gave none", "TOOL-29", (seen) => (results(seen)[0]!.data = null)],
    ["that let a second handoff stand", "LOOP-68", (seen) => (results(seen)[1]!.outcome = "ok")],
    ["that ended with another agent", "LOOP-67", (seen) => (result(seen).agent = "guard")],
    ["that reports other variables", "RESULT-14", (seen) => (result(seen).context = { key: "x" })],
    ["that reports no variables", "RESULT-14", (seen) => delete result(seen).context],
    ["that reports another reason", "RESULT-15", (seen) => (result(seen).steps[1]!.kind = "steering")],
    ["that reports no tools", "RESULT-17", (seen) => delete result(seen).steps[1]!.tools],
    [
      "that reports tools in another order",
      "RESULT-17",
      (seen) => (result(seen).steps[0]!.tools = result(seen).steps[0]!.tools!.toReversed()),
    ],
    ["that lost what a tool measured", "RESULT-17", (seen) => delete result(seen).steps[0]!.tools![0]!.metrics],
    ["that reports another size", "RESULT-17", (seen) => (result(seen).steps[0]!.tools![0]!.input_bytes = 3)],
    [
      "that sent a variable",
      "TOOL-34",
      (seen) =>
        seen.requests[1]!.messages.push({ role: "user", content: `psst: ${seen.filled.case.given.context!["key"]}` }),
    ],
    ["that handed a tool other variables", "LOOP-67", (seen) => delete seen.executions[2]!.context],
  ];
  it.each(breaches)("is refused %s", async (_, requirement, change) => {
    expect((await judged(change)).map((failure) => failure.requirement)).toContain(requirement);
  });

  const lies: [what: string, requirement: string, lie: (params: RunParams) => void][] = [
    ["hands tools other variables", "TOOL-32", (params) => (params.context = { key: "other" })],
    [
      "asks the other agent with other instructions",
      "LOOP-67",
      (params) =>
        (params.agents = { ...params.agents, cook: { ...params.agents["cook"]!, instructions: "You sleep." } }),
    ],
    [
      "asks the other agent with other settings",
      "LOOP-71",
      (params) =>
        (params.agents = { ...params.agents, cook: { ...params.agents["cook"]!, settings: { temperature: 1 } } }),
    ],
  ];
  it.each(lies)("is refused if the loop %s", async (_, requirement, lie) => {
    const seen = await playInMemory(source, (params) => lie(params as RunParams));
    expect(judge(seen).map((failure) => failure.requirement)).toContain(requirement);
  });

  it("is refused if the data of a tool are in a request on the wire", async () => {
    const failures = await judged((seen) => {
      const { handlers } = seen.filled.case.given;
      handlers!["note"]!.output = "ok";
      seen.variant = { name: "openai-chat/json", seam: "openai-chat", transport: "json" };
    });
    expect(failures.map((failure) => failure.requirement)).toContain("PROVIDER-32");
  });
});
