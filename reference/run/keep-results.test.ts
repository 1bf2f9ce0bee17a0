// What ran is told as it ran, also when what stands around the tools throws.

import { expect, it } from "vitest";

import type { ExecutableCall, Executed, State } from "../core/ports.ts";
import { initSession, initState } from "../core/session.ts";
import { endBroken, keepResults } from "./keep-results.ts";

const call = (id: string): ExecutableCall => ({ id, name: "pay", input: {} });
const state: State = initState(initSession({ id: "s", user: "Pay." }), "main");

it("keeps the results that came, and says of each other call whether it may have had effects [TOOL-16, SESSION-8]", async () => {
  const run = async ({ id }: ExecutableCall): Promise<Executed> =>
    id === "ended" ? { result: { type: "tool_result", id, output: "paid", outcome: "ok" } } : new Promise(() => {});
  const broken = keepResults(async ([ended, running], execute) => {
    void execute(running!);
    await execute(ended!);
    throw new Error("scheduler broke");
  });
  const executed = await broken(["ended", "running", "waiting"].map(call), run, state);
  expect(executed.map(({ result }) => [result.id, result.outcome, result.output])).toEqual([
    ["ended", "ok", "paid"],
    ["running", "interrupted", expect.stringContaining("It may have had effects")],
    ["waiting", "interrupted", expect.stringContaining("Nothing was executed")],
  ]);
  expect(endBroken(executed)).toEqual({
    ending: { status: "error", error: { kind: "internal", message: "Error: scheduler broke" } },
  });
});
