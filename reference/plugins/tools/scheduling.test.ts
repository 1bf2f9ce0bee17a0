// Which calls overlap, in every mode, proven with latches.

import { describe, expect, it } from "vitest";

import type { ExecutableCall, Executed } from "../../core/ports.ts";
import { isConcurrent, schedule } from "./scheduling.ts";
import type { RunOptions, Tool } from "../../../schemas/types.ts";

const tool = (name: string, annotations: Tool["annotations"] = {}): Tool => ({
  name,
  input_schema: { type: "object" },
  annotations,
});
const tools = [
  tool("read", { read_only: true }),
  tool("write"),
  tool("delegate", { concurrent: true }),
  tool("alone", { read_only: true, concurrent: false }),
];

/** Starts every call that may start, then ends them all, again and again: each round is what overlapped. */
async function rounds(options: RunOptions, ...names: string[]): Promise<string[][]> {
  const running: { label: string; end: () => void }[] = [];
  const run = ({ id, name }: ExecutableCall) =>
    new Promise<Executed>((resolve) => {
      running.push({ label: name, end: () => resolve({ result: { type: "tool_result", id, output: name } }) });
    });
  const calls = names.map((name, i) => ({ id: String(i), name, input: {} }));
  let done = false;
  const batch = schedule(options, ({ name }) => isConcurrent(tools.find((one) => one.name === name)!))(
    calls,
    run,
    undefined as never,
  ).then((executed) => {
    done = true;
    return executed;
  });
  const seen: string[][] = [];
  while (!done) {
    const round = running.splice(0);
    if (round.length > 0) seen.push(round.map(({ label }) => label));
    for (const { end } of round) end();
    await new Promise(setImmediate);
  }
  expect((await batch).map(({ result }) => result.output).sort()).toEqual([...names].sort());
  return seen;
}

describe("schedule", () => {
  it("barrier: consecutive concurrent calls overlap, any other runs alone, in call order [TOOL-19, TOOL-20, TOOL-21]", async () => {
    expect(await rounds({}, "read", "delegate", "write", "read", "read", "write", "write")).toEqual([
      ["read", "delegate"],
      ["write"],
      ["read", "read"],
      ["write"],
      ["write"],
    ]);
  });

  it("believes `concurrent` before `read_only`", async () => {
    expect(await rounds({}, "read", "alone", "read")).toEqual([["read"], ["alone"], ["read"]]);
  });

  it("parallel: everything at once [TOOL-23]", async () => {
    expect(await rounds({ scheduling: "parallel" }, "write", "read", "write")).toEqual([["write", "read", "write"]]);
  });

  it("serial: one at a time [TOOL-24]", async () => {
    expect(await rounds({ scheduling: "serial" }, "read", "read")).toEqual([["read"], ["read"]]);
  });

  it("reads_first: concurrent calls before the others [TOOL-25]", async () => {
    expect(await rounds({ scheduling: "reads_first" }, "write", "read", "read")).toEqual([["read", "read"], ["write"]]);
  });

  it("never exceeds max_concurrency [TOOL-22]", async () => {
    expect(await rounds({ max_concurrency: 2 }, "read", "read", "read", "read", "read")).toEqual([
      ["read", "read"],
      ["read", "read"],
      ["read"],
    ]);
  });
});
