// The core stays small, stays apart, and runs alone.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import type { ModelResponse } from "../types.ts";
import { agentLoop, plainPoints, step } from "./agent-loop.ts";
import type { Ports, State } from "./ports.ts";
import { initSession, initState } from "./session.ts";

const folder = new URL("./", import.meta.url);
const sources = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
);
const TYPES_AND_DATA = ["ports.ts", "stop-table.ts", "usage.ts"];

const codeLines = (source: string) => source.split("\n").filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length;
const occurrences = (pattern: RegExp) =>
  [...sources].flatMap(([name, source]) => [...source.matchAll(pattern)].map(() => name));

describe("the core", () => {
  it("has at most 300 lines of code, types and table data aside", () => {
    const code = [...sources].filter(([name]) => !TYPES_AND_DATA.includes(name));
    const lines = code.reduce((sum, [, source]) => sum + codeLines(source), 0);
    expect(lines).toBeLessThanOrEqual(300);
  });

  it("calls the model in one place and a tool in one place", () => {
    expect(occurrences(/\.invokeModel\(/g)).toEqual(["agent-loop.ts"]);
    expect(occurrences(/\.executeTool\(/g)).toEqual(["execute-tool-calls.ts"]);
  });

  it("asks each of the other points in one place", () => {
    for (const point of ["boundary", "decide", "execute", "settle"]) {
      expect(occurrences(new RegExp(`ports\\.${point}\\(`, "g")), point).toHaveLength(1);
    }
  });

  it("imports only itself and the generated types", () => {
    const imported = [...sources.values()].flatMap((source) =>
      [...source.matchAll(/from "([^"]+)"/g)].map(([, from]) => from),
    );
    expect(imported.filter((from) => !/^(\.\/[a-z-]+|\.\.\/types)\.ts$/.test(from!))).toEqual([]);
  });
});

const tool = { name: "add", input_schema: { type: "object" as const } };
const script = (...responses: ModelResponse[]): Ports => ({
  ...plainPoints,
  agents: { main: { name: "main", tools: [tool] } },
  invokeModel: async () => responses.shift()!,
  executeTool: async ({ input }) => String(Number(input.a) + Number(input.b)),
  emit: () => {},
  signal: new AbortController().signal,
  validateInput: async () => [],
});
const sum: ModelResponse = {
  messages: [{ type: "tool_call", id: "c1", name: "add", input: { a: 2, b: 3 } }],
  stop_reason: "tool_use",
};
const text: ModelResponse = { messages: [{ role: "assistant", content: "Five." }], stop_reason: "end_turn" };
const begin = () => initState(initSession({ id: "s", user: "2 + 3?" }), "main");

describe("agentLoop, alone on a scripted provider", () => {
  it("calls the model, executes the tool, and calls the model again", async () => {
    const { session, ending } = await agentLoop(begin(), script(sum, text));
    expect(ending).toEqual({ status: "completed" });
    expect(session.messages).toMatchObject([
      { role: "user" },
      { type: "tool_call", id: "c1" },
      { type: "tool_result", id: "c1", output: "5", outcome: "ok" },
      { role: "assistant", content: "Five." },
    ]);
  });

  it("begins with a system message, where there is one, and with what the user said", async () => {
    const begun = initSession({ id: "s", system: "Count on your fingers.", user: "2 + 3?" });
    const { session } = await agentLoop(initState(begun, "main"), script(text));
    expect(session.messages.slice(0, 2)).toEqual([
      { role: "system", content: "Count on your fingers." },
      { role: "user", content: "2 + 3?" },
    ]);
  });

  it("appends what the boundary says, and ends when it says so", async () => {
    const ports = script(text);
    const state = await agentLoop(begin(), {
      ...ports,
      boundary: async ({ session, turn }) => {
        if (turn > 0) return { do: "end", ending: { status: "stopped", stop_condition: "enough" } };
        if (session.messages.length > 1) return { do: "continue" };
        return { do: "append", messages: [{ role: "user", content: "Be quick." }] };
      },
    });
    expect(state.session.messages.map((message) => "content" in message && message.content)).toEqual([
      "2 + 3?",
      "Be quick.",
      "Five.",
    ]);
  });

  it("lets `decide` answer a call, and `settle` end the run", async () => {
    const denied = { type: "tool_result", id: "c1", output: "No.", is_error: true, outcome: "denied" } as const;
    const { session, ending } = await agentLoop(begin(), {
      ...script(sum, text),
      decide: async () => ({ do: "answer", result: denied }),
      settle: async () => ({ ending: { status: "stopped", stop_condition: "denied" } }),
    });
    expect(session.messages.at(-1)).toMatchObject(denied);
    expect(ending).toEqual({ status: "stopped", stop_condition: "denied" });
  });

  it("goes on with what the boundary and `settle` put into the state", async () => {
    const asked: (string | undefined)[] = [];
    const ports = script(sum, text);
    const state = await agentLoop(begin(), {
      ...ports,
      invokeModel: (request, ...at) => {
        asked.push(request.model);
        return ports.invokeModel(request, ...at);
      },
      boundary: async ({ turn, model }) =>
        turn === 1 && model === undefined ? { do: "replace", by: { model: "other" } } : { do: "continue" },
      settle: async () => ({ by: { context: { sum: 5 } } }),
    });
    expect(asked).toEqual([undefined, "other"]);
    expect(state).toMatchObject({ context: { sum: 5 }, ending: { status: "completed" } });
  });

  it("ends with a result and a valid session when a port throws", async () => {
    const { session, ending } = await agentLoop(begin(), {
      ...script(sum, text),
      execute: async () => {
        throw new Error("scheduler broke");
      },
    });
    expect(ending).toMatchObject({
      status: "error",
      error: { kind: "internal", message: expect.stringContaining("scheduler broke") },
    });
    expect(session.messages.at(-1)).toMatchObject({ type: "tool_result", id: "c1", outcome: "interrupted" });
  });

  it("goes on from the JSON of any state", async () => {
    const straight = await agentLoop(begin(), script(sum, text));
    const ports = script(sum, text);
    const phases: string[] = [];
    let state: State = begin();
    while (state.phase !== "done") {
      state = JSON.parse(JSON.stringify(await step(state, ports))) as State;
      phases.push(state.phase);
    }
    expect(state).toEqual(straight);
    expect(phases).toEqual([
      "calling_model",
      "deciding",
      "executing",
      "turn_boundary",
      "calling_model",
      "deciding",
      "turn_boundary",
      "done",
    ]);
  });
});
