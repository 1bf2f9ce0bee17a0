// The core runs alone, on a scripted provider.

import { describe, expect, it } from "vitest";

import type { ModelResponse } from "../../schemas/types.ts";
import { agentLoop, plainPoints, step } from "./agent-loop.ts";
import { ToolError } from "./execute-tool-calls.ts";
import type { EventBody, Ports, State } from "./ports.ts";
import { initSession, initState, resultText } from "./session.ts";

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

  it("leaves the session alone from which its state was made [SESSION-3]", async () => {
    const given = { spec_version: "1.0", id: "s", messages: [{ role: "user" as const, content: "2 + 3?" }] };
    const { session } = await agentLoop(initState(given, "main"), script(text));
    expect(session.messages).toHaveLength(2);
    expect(given.messages).toHaveLength(1);
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
    const requested: (string | undefined)[] = [];
    const ports = script(sum, text);
    const state = await agentLoop(begin(), {
      ...ports,
      invokeModel: (request, ...at) => {
        requested.push(request.model);
        return ports.invokeModel(request, ...at);
      },
      boundary: async ({ turn, model }) =>
        turn === 1 && model === undefined ? { do: "replace", by: { model: "other" } } : { do: "continue" },
      settle: async () => ({ by: { context: { sum: 5 } } }),
    });
    expect(requested).toEqual([undefined, "other"]);
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
    expect(session.messages.at(-1)).toMatchObject({
      type: "tool_result",
      id: "c1",
      outcome: "interrupted",
      output: expect.stringContaining("may have had effects"),
    });
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

  it("leaves a run that is over as it is", async () => {
    const over = await agentLoop(begin(), script(text));
    expect(await step(over, script())).toBe(over);
  });

  it("keeps the state after every step but the one that only counts the turn", async () => {
    const kept: string[] = [];
    const checkpoint = async ({ phase }: State) => void kept.push(phase);
    await agentLoop(begin(), { ...script(text), checkpoint });
    expect(kept).toEqual(["deciding", "turn_boundary", "done"]);
  });

  it("asks nobody what follows once it is cancelled", async () => {
    const boundary = async () => ({ do: "end", ending: { status: "stopped", stop_condition: "late" } }) as const;
    const { ending, session } = await agentLoop(begin(), { ...script(text), boundary, signal: AbortSignal.abort() });
    expect(ending).toEqual({ status: "cancelled" });
    expect(session.messages).toHaveLength(1);
  });

  it("says of a call whose response was lost before the cancel that it was interrupted", async () => {
    const cancel = new AbortController();
    const { session, ending } = await agentLoop(begin(), {
      ...script(),
      signal: cancel.signal,
      invokeModel: async () => {
        cancel.abort();
        return { ...sum, stop_reason: "interrupted" };
      },
    });
    expect(session.messages.at(-1)).toMatchObject({ id: "c1", outcome: "interrupted", status: "incomplete" });
    expect(ending).toEqual({ status: "cancelled" });
  });

  it("says of a call that the model finished before the cancel that it was cancelled", async () => {
    const cancel = new AbortController();
    const invokeModel = async () => {
      cancel.abort();
      return sum;
    };
    const { session } = await agentLoop(begin(), { ...script(), signal: cancel.signal, invokeModel });
    expect(session.messages.at(-1)).toMatchObject({ id: "c1", outcome: "cancelled" });
  });

  it("ends with a result when a port throws before the first turn", async () => {
    const boundary = async () => {
      throw new Error("nobody decides");
    };
    const { ending, steps } = await agentLoop(begin(), { ...script(), boundary });
    expect(ending).toMatchObject({ status: "error", error: { kind: "internal" } });
    expect(steps).toEqual([]);
  });

  it("says of a call that it did not start why", async () => {
    const cancel = new AbortController();
    const two = { ...sum, messages: [...sum.messages, { ...sum.messages[0]!, id: "c2" }] } as ModelResponse;
    const executeTool = async () => {
      cancel.abort();
      return "5";
    };
    const { session } = await agentLoop(begin(), { ...script(two), signal: cancel.signal, executeTool });
    expect(session.messages.slice(-2)).toMatchObject([
      { id: "c1", output: "5", outcome: "ok" },
      { id: "c2", output: resultText("cancelled_before"), outcome: "cancelled" },
    ]);
  });

  it("ends with an error of its own where the model fails and nobody says why, or the port throws", async () => {
    const silent = await agentLoop(begin(), script({ messages: [], stop_reason: "error" }));
    const error = { kind: "internal", message: "The response ended with error." };
    expect(silent.ending).toEqual({ status: "error", error });
    const invokeModel = async () => {
      throw new Error("no such port");
    };
    const thrown = await agentLoop(begin(), { ...script(), invokeModel });
    expect(thrown.ending).toEqual({
      status: "error",
      error: { kind: "internal", message: "Error: no such port" },
    });
    expect(thrown.session.messages).toHaveLength(1);
    expect(thrown.steps).toMatchObject([{ stop_reason: "error", tool_calls: 0 }]);
  });

  it("tells the model of an agent without tools that there are none", async () => {
    const agents = { main: { name: "main" } };
    const offered: unknown[] = [];
    const ports = script(sum, text);
    const invokeModel: Ports["invokeModel"] = (request, ...at) => {
      offered.push(request.tools);
      return ports.invokeModel(request, ...at);
    };
    const { session } = await agentLoop(begin(), { ...ports, agents, invokeModel });
    expect(offered).toEqual([[], []]);
    expect(session.messages[2]).toMatchObject({
      output: resultText("unknown_tool", { name: '"add"', tools: "none" }),
      outcome: "unknown_tool",
    });
  });

  it("refuses arguments of which nobody knows what the model wrote", async () => {
    const lost = { ...sum, messages: [{ ...sum.messages[0]!, input: null }] } as ModelResponse;
    const { session } = await agentLoop(begin(), script(lost, text));
    const excerpt = "but were:  Nothing was executed.";
    expect(session.messages[2]).toMatchObject({
      output: expect.stringContaining(excerpt),
      outcome: "invalid_arguments",
    });
    const cut = { ...sum, messages: [{ ...sum.messages[0]!, input: null, raw_input: '{"a":' }] } as ModelResponse;
    const { session: emitted } = await agentLoop(begin(), script(cut, text));
    expect(emitted.messages[2]).toMatchObject({ output: expect.stringContaining('but were: {"a": Nothing') });
  });

  it("counts a result that says nothing of its outcome as one that is fine", async () => {
    const result = { type: "tool_result", id: "c1", output: "Five." } as const;
    const { steps } = await agentLoop(begin(), {
      ...script(sum, text),
      decide: async () => ({ do: "answer", result }),
    });
    expect(steps[0]).toMatchObject({ outcomes: ["ok"] });
  });

  it("answers no call twice when `settle` throws", async () => {
    const { session, ending } = await agentLoop(begin(), {
      ...script(sum, text),
      settle: async () => {
        throw new Error("nobody settles");
      },
    });
    expect(session.messages.slice(2)).toMatchObject([{ type: "tool_result", id: "c1", output: "5", outcome: "ok" }]);
    expect(ending).toMatchObject({ status: "error", error: { kind: "internal" } });
  });

  it("says of each message in which turn it was made, and of what the model said, by whom", async () => {
    const named = { ...sum, model: "m-1", provider: "p" };
    const { session, steps } = await agentLoop(begin(), script(named, text));
    expect(session.messages.slice(1).map(({ meta }) => meta)).toStrictEqual([
      { turn: 1, model: "m-1", provider: "p" },
      { turn: 1 },
      { turn: 2 },
    ]);
    expect(steps.map((step) => "model" in step && step.model)).toStrictEqual(["m-1", false]);
  });

  it("says of the model only what is known", async () => {
    const emitted: EventBody[] = [];
    await agentLoop(begin(), { ...script(text), emit: (event) => void emitted.push(event) });
    expect(emitted[1]).toStrictEqual({ type: "model_start", turn: 1 });
  });

  it("holds no decisions when the batch is over", async () => {
    const ports = script(sum, text);
    const settled: unknown[] = [];
    await agentLoop(begin(), { ...ports, checkpoint: async (state) => void settled.push(state.decisions.length) });
    expect(settled).toEqual([0, 1, 0, 0, 0, 0]);
    const execute = async () => Promise.reject(new Error("scheduler broke"));
    expect((await agentLoop(begin(), { ...script(sum), execute })).decisions).toEqual([]);
  });

  it("ends the last turn once, though its state cannot be kept", async () => {
    const emitted: string[] = [];
    const { ending } = await agentLoop(begin(), {
      ...script(text),
      emit: ({ type }) => void emitted.push(type),
      checkpoint: async ({ phase }) => {
        if (phase === "done") throw new Error("the disk is full");
      },
    });
    expect(emitted.filter((type) => type === "turn_end")).toHaveLength(1);
    expect(ending).toMatchObject({ status: "error", error: { kind: "internal" } });
  });

  it("says what is strange in a response that called no tool, and why a call was not executed", async () => {
    const emitted: EventBody[] = [];
    const emit: Ports["emit"] = (event) => void emitted.push(event);
    await agentLoop(begin(), { ...script({ ...text, stop_reason: "tool_use" }), emit });
    const message = "The model stopped for tool_use, but called no tool.";
    expect(emitted).toContainEqual(expect.objectContaining({ type: "warning", message }));
    const { session } = await agentLoop(begin(), script({ ...sum, stop_reason: "refusal" }));
    expect(session.messages.at(-1)).toMatchObject({ output: resultText("refusal") });
  });

  it("tells the model which tools there are, and each thing that is wrong with arguments", async () => {
    const agents = { main: { name: "main", tools: [tool, { ...tool, name: "sub" }] } };
    const lost = { ...sum, messages: [{ ...sum.messages[0]!, name: "ad" }] } as ModelResponse;
    const { session } = await agentLoop(begin(), { ...script(lost, text), agents });
    expect(session.messages[2]).toMatchObject({ output: expect.stringContaining('no tool "ad"') });
    expect(session.messages[2]).toMatchObject({ output: expect.stringContaining("Available tools: add, sub.") });
    const long = "/".padEnd(200, "a");
    const validateInput = async () => ["", long, "/b"].map((pointer) => ({ pointer, message: "is wrong" }));
    const { session: emitted } = await agentLoop(begin(), { ...script(sum, text), validateInput });
    const list = `(the arguments): is wrong; ${long}: is wrong; …: is wrong`;
    expect(emitted.messages[2]).toMatchObject({
      output: resultText("wrong_arguments", { name: "add", problems: list }),
    });
  });

  it("asks for no model, and keeps no data, where there are none", async () => {
    const requested: unknown[] = [];
    const ports = script(sum, text);
    const { session } = await agentLoop(begin(), {
      ...ports,
      invokeModel: (request, ...at) => {
        requested.push(Object.keys(request));
        return ports.invokeModel(request, ...at);
      },
    });
    expect(requested[0]).not.toContain("model");
    expect(session.messages[2]).not.toHaveProperty("data");
    expect(new ToolError("no").name).toBe("ToolError");
  });
});
