// What a run has taken so far, of what else is in its state.

import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../core/usage.ts";
import type { State } from "../core/ports.ts";
import { asksOf, isUncounted, tokensOfRun } from "./costs.ts";

describe("a summary that could not be written", () => {
  const usage = { ...UNKNOWN, input_tokens: 3000, output_tokens: 7 };
  const error = { kind: "overloaded", message: "Busy." } as const;
  const failed = { turn: 2, strategy: "summarize", before_tokens: 6000, failed: "Refused." };
  const state = (more: object) => ({ steps: [], compactions: [{ ...failed, ...more }] }) as unknown as State;

  it("took what its attempts took, if nothing of itself was counted", () => {
    const attempted = state({ attempts: [{ error, usage }] });
    expect(tokensOfRun()(attempted)).toBe(3007);
    expect(asksOf(attempted).some(isUncounted)).toBe(false);
  });

  it("took nothing without attempts (LOOP-138)", () => {
    expect(tokensOfRun()(state({}))).toBe(0);
    expect(asksOf(state({})).some(isUncounted)).toBe(false);
  });
});
