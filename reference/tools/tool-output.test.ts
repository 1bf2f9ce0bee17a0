// Whatever a tool returns, and whatever breaks after it ran: nobody is told that it was not executed.

import type { RunSetup } from "../run/setup.ts";
import { describe, expect, it } from "vitest";

import { agentLoop } from "../run/run.ts";
import type { Provider } from "../core/ports.ts";
import { defineTool } from "./define-tool.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import { toolOutput, toolResult } from "./tool-output.ts";
import type { Message, ModelResponse } from "../../schemas/types.ts";

const circle: Record<string, unknown> = { type: "text", text: "x" };
circle.self = circle;

describe("toolOutput", () => {
  it.each([
    ["text", "sunny", "sunny"],
    ["nothing", undefined, ""],
    ["null", null, ""],
    ["parts", [{ type: "text", text: "sunny" }], [{ type: "text", text: "sunny" }]],
    ["a part of a type that nobody knows", [{ type: "chart" }], [{ type: "chart" }]],
    ["an image", [{ type: "image", url: "u" }], [{ type: "image", url: "u" }]],
    [
      "a list that only looks like parts",
      [{ type: "text" }],
      { output: '[{"type":"text"}]', data: [{ type: "text" }] },
    ],
    [
      "an image without its bytes",
      [{ type: "image", media_type: "image/png" }],
      {
        output: '[{"type":"image","media_type":"image/png"}]',
        data: [{ type: "image", media_type: "image/png" }],
      },
    ],
    ["an envelope", { output: "sunny", final: true }, { output: "sunny", final: true }],
    ["an envelope of data alone", toolResult({ data: { celsius: 18 } }), { data: { celsius: 18 } }],
    ["an envelope of nothing", toolResult({ final: true }), { output: "", final: true }],
    [
      "data of an envelope as JSON",
      { output: "x", data: new Date(0) },
      { output: "x", data: "1970-01-01T00:00:00.000Z" },
    ],
    ["a field called data", { data: [1] }, { output: '{"data":[1]}', data: { data: [1] } }],
    ["a number", 5, { output: "5", data: 5 }],
    ["a boolean", false, { output: "false", data: false }],
    ["a plain object", { celsius: 18 }, { output: '{"celsius":18}', data: { celsius: 18 } }],
    ["an object that only looks like an envelope", { output: 5 }, { output: '{"output":5}', data: { output: 5 } }],
    [
      "a row with a field called output",
      { output: "a", id: 1 },
      { output: '{"output":"a","id":1}', data: { output: "a", id: 1 } },
    ],
    ["an empty list", [], { output: "[]", data: [] }],
    ["a date", new Date(0), { output: "1970-01-01T00:00:00.000Z", data: "1970-01-01T00:00:00.000Z" }],
  ])("takes %s", (_, returned, output) => {
    expect(toolOutput(returned)).toEqual(output);
  });

  it.each([
    ["a BigInt", { n: 1n }, "a bigint at /n"],
    ["a circle", circle, "an object that contains itself at /self"],
    ["bytes", Buffer.from("x"), "a Buffer"],
    ["a Map", { list: [new Map()] }, "a Map at /list/0"],
    ["a Set", new Set(), "a Set"],
    ["a number that is none", { n: Number.NaN }, "NaN at /n"],
    ["an endless number", [Infinity], "Infinity at /0"],
    ["a function", { say: () => 1 }, "a function at /say"],
    ["a symbol", Symbol("s"), "a symbol"],
    ["a promise", { later: Promise.resolve(1) }, "a Promise at /later"],
    ["an error", [new RangeError("x")], "a RangeError at /0"],
    [
      "what an envelope hands on",
      { output: "ok", context_updates: { f: () => 1 } },
      "a function at /context_updates/f",
    ],
  ])("says what of %s cannot be told [TOOL-41]", (_, returned, lost) => {
    expect(() => toolOutput(returned)).toThrow(
      `The tool was executed, but its return value cannot be used: ${lost} cannot be written as JSON.`,
    );
  });

  it("says that the tool ran where a value cannot even be read, or is no output", () => {
    const trap = {
      get x() {
        throw new Error("gone");
      },
    };
    expect(() => toolOutput(trap)).toThrow(
      "The tool was executed, but its return value cannot be used: it could not be",
    );
    expect(() => toolOutput(toolResult({ output: 5 as never }))).toThrow("its output is number, not text or parts");
  });

  it("does not follow what is too deep", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 10_000; i += 1) deep = [deep];
    expect(() => toolOutput(deep)).toThrow("more than 128 objects inside each other");
  });
});

describe("a batch in which something breaks", () => {
  const call = (id: string, name: string, input = {}): Message => ({ type: "tool_call", id, name, input });
  const twice = (): Provider => {
    const responses: ModelResponse[] = [
      { messages: [call("c1", "pay"), call("c2", "odd")], stop_reason: "tool_use" },
      { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" },
    ];
    return { name: "scripted", invokeModel: async () => responses.shift()! };
  };
  const resultsOf = async (odd: unknown, setup: Partial<RunSetup> = {}) => {
    const tools = [
      defineTool({ name: "pay", input_schema: { type: "object" }, execute: () => "paid" }),
      defineTool({ name: "odd", input_schema: { type: "object" }, execute: () => odd as never }),
    ];
    const run = agentLoop({ provider: twice(), tools, input: "Pay.", ...setup });
    const { messages } = await run.session;
    const results = messages.flatMap((message) => ("outcome" in message ? [[message.outcome, message.output]] : []));
    return { status: (await run.result).status, results };
  };

  it.each([
    ["a number", 5, "ok", "5"],
    ["nothing", undefined, "ok", ""],
    ["a plain object", { celsius: 18 }, "ok", '{"celsius":18}'],
    ["a BigInt", { output: "x", data: 1n }, "error", expect.stringContaining("The tool was executed, but")],
  ])("keeps the result beside a tool that returns %s [TOOL-41]", async (_, odd, outcome, output) => {
    for (const setup of [{}, { journal: memoryJournal() }]) {
      expect(await resultsOf(odd, setup)).toEqual({
        status: "completed",
        results: [
          ["ok", "paid"],
          [outcome, output],
        ],
      });
    }
  });

  it("keeps what ran when its report cannot be made, and ends with an error [TOOL-16]", async () => {
    const provider: Provider = {
      name: "scripted",
      invokeModel: async () => ({
        messages: [call("c1", "pay"), call("c2", "odd", { big: 1n })],
        stop_reason: "tool_use",
      }),
    };
    const { status, results } = await resultsOf("fine", { provider });
    expect(status).toBe("error");
    expect(results).toEqual([
      ["ok", "paid"],
      ["ok", "fine"],
    ]);
  });
});
