// What a batch of answers makes of the active agent and of the context variables.

import { describe, expect, it } from "vitest";
import type { ToolExecuteResult } from "../../../schemas/types.ts";
import { overruled, standingAfter } from "./batch-outcome.ts";
import type { ToolAnswer } from "./batch-outcome.ts";

const agents = ["clerk", "cook", "guard"];
const clerk = { agent: "clerk" };
const returning = (returned: ToolExecuteResult): ToolAnswer => ({ output: "x", returned });
const to = (handoff: string | null): ToolAnswer => returning({ output: "x", handoff });
const plain = returning({ output: "x" });

describe("the active agent", () => {
  const batches: [what: string, answers: (ToolAnswer | undefined)[], agent: string, outcomes: unknown[]][] = [
    ["stays without a handoff", [plain, undefined], "clerk", [undefined, undefined]],
    ["is the one of the handoff", [plain, to("cook")], "cook", [undefined, undefined]],
    ["is that of the first in call order", [to("guard"), to("cook")], "guard", [undefined, "skipped"]],
    ["is not one that does not exist", [to("baker"), to("cook")], "cook", ["error", undefined]],
    ["stays if nobody exists", [to("baker")], "clerk", ["error"]],
    ["stays after a handoff to nobody", [to(null), to("cook")], "clerk", [undefined, "skipped"]],
    [
      "is not that of a tool that failed",
      [{ ...to("guard"), isError: true }, { thrown: "no" }, to("cook")],
      "cook",
      [undefined, undefined, undefined],
    ],
    ["is not that of an answer that came too late", [undefined, to("cook")], "cook", [undefined, undefined]],
  ];
  it.each(batches)("%s", (_, answers, agent, outcomes) => {
    expect(standingAfter(clerk, answers, agents).agent).toBe(agent);
    expect(answers.map((answer) => overruled(answer, answers, agents))).toEqual(outcomes);
  });
});

describe("the context variables", () => {
  const set = (context_updates: Record<string, unknown>) => returning({ output: "x", context_updates });
  it("are merged in call order, key by key", () => {
    const before = { agent: "clerk", context: { a: { deep: 1, kept: 1 }, b: 1 } };
    const answers = [set({ a: { deep: 2 } }), undefined, set({ c: 3 }), set({ c: 4 })];
    expect(standingAfter(before, answers, agents).context).toEqual({ a: { deep: 2 }, b: 1, c: 4 });
    expect(before.context).toEqual({ a: { deep: 1, kept: 1 }, b: 1 });
  });
  it("are there once a tool sets one, and not before", () => {
    expect(standingAfter(clerk, [plain], agents)).toEqual(clerk);
    expect(standingAfter(clerk, [set({})], agents)).toEqual({ agent: "clerk", context: {} });
  });
});
