// Retries and fallbacks: which failures, how often, how long, and by whom.

import { fallBack, retryFailed } from "./retry.ts";
import { describe, expect, it } from "vitest";

import type { Clock } from "../../support/clock.ts";
import type { InvokeModel, ModelCall } from "../../core/ports.ts";
import { initSession, initState } from "../../core/session.ts";
import { UNKNOWN } from "../../core/usage.ts";
import type { LoopError, ModelResponse, RunOptions } from "../../../schemas/types.ts";

const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
const failed = (error: Partial<LoopError> = {}): ModelResponse => ({
  messages: [],
  stop_reason: "error",
  error: { kind: "overloaded", message: "busy", ...error },
});

/** A model that gives these answers, a clock on which every wait is over at once, and what was asked and waited for. */
function play(answers: ModelResponse[], options: RunOptions = {}, random = 0) {
  const waits: number[] = [];
  const models: (string | undefined)[] = [];
  const clock: Clock = { now: () => 0, sleep: async (ms) => void waits.push(ms) };
  const model: InvokeModel = async ({ model: name }) => {
    models.push(name);
    return answers.shift()!;
  };
  const call: ModelCall = { signal: new AbortController().signal, onStream: () => {}, warn: () => {} };
  const emitted: string[] = [];
  const emit = ({ type }: { type: string }) => void emitted.push(type);
  const state = initState(initSession({ id: "s", user: "Hello." }), "main", options);
  const invokeModel = fallBack(retryFailed(model, options, { clock, random: () => random, emit }), state, emit);
  const ask = () => invokeModel({ messages: [], tools: [], model: "first" }, call);
  return { ask, waits, models, emitted };
}

describe("retryFailed", () => {
  it("doubles the wait up to 8 s, less up to a quarter by chance [RETRY-3]", async () => {
    const failures = () => Array.from({ length: 7 }, () => failed());
    const longest = play(failures(), { max_retries: 6 }, 0);
    await longest.ask();
    expect(longest.waits).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
    const shortest = play(failures(), { max_retries: 6 }, 1);
    await shortest.ask();
    expect(shortest.waits).toEqual([375, 750, 1500, 3000, 6000, 6000]);
  });

  it("waits as the provider asked, unless that is too long [RETRY-2, RETRY-6]", async () => {
    const patient = play([failed({ retry_after_ms: 60_000 }), done]);
    expect((await patient.ask()).stop_reason).toBe("end_turn");
    expect(patient.waits).toEqual([60_000]);
    const impatient = play([failed({ retry_after_ms: 60_001 })]);
    expect((await impatient.ask()).error?.retry_after_ms).toBe(60_001);
    expect(impatient.waits).toEqual([]);
  });

  it("believes the provider before the kind of error [RETRY-1, RETRY-5]", async () => {
    expect((await play([failed({ should_retry: false })]).ask()).stop_reason).toBe("error");
    expect((await play([failed({ kind: "invalid_request", should_retry: true }), done]).ask()).stop_reason).toBe(
      "end_turn",
    );
  });

  it("lists the failed attempts [RETRY-9]", async () => {
    const { attempts } = await play([failed(), failed({ kind: "network" }), done]).ask();
    expect(attempts).toMatchObject([
      { model: "first", error: { kind: "overloaded" }, wait_ms: 500 },
      { model: "first", error: { kind: "network" }, wait_ms: 1000 },
    ]);
  });

  it("lists what an attempt was billed, where that is known [RETRY-9]", async () => {
    const billed = { ...UNKNOWN, input_tokens: 3 };
    const { attempts = [] } = await play([{ ...failed(), usage: UNKNOWN }, { ...failed(), usage: billed }, done]).ask();
    expect(attempts.map(({ usage }) => usage)).toEqual([undefined, billed]);
  });
});

describe("fallBack", () => {
  it("asks one model after another, and stays with the one that answered [RETRY-7, RETRY-8]", async () => {
    const options = { max_retries: 1, fallback_models: ["second", "third"] };
    const { ask, models, emitted } = play([failed(), failed(), failed(), failed(), done, done], options);
    const { attempts } = await ask();
    await ask();
    expect(models).toEqual(["first", "first", "second", "second", "third", "third"]);
    const tried = ["retry", "wait_start", "wait_end"];
    expect(emitted).toEqual([...tried, "fallback", ...tried, "fallback"]);
    expect(attempts?.map(({ model, wait_ms }) => [model, wait_ms])).toEqual([
      ["first", 500],
      ["first", undefined],
      ["second", 500],
      ["second", undefined],
    ]);
  });

  it("gives the last failure when no model is left", async () => {
    const { ask, models } = play([failed(), failed({ message: "busy too" })], {
      max_retries: 0,
      fallback_models: ["second"],
    });
    expect((await ask()).error?.message).toBe("busy too");
    expect(models).toEqual(["first", "second"]);
  });
});
