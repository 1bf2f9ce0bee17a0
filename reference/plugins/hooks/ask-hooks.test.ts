// The hooks of one point: which are asked, what of their answers counts, and what becomes of those that fail.

import { describe, expect, it } from "vitest";

import { virtualClock } from "../../support/clock.ts";
import type { EventBody } from "../../core/ports.ts";
import { askHooks, type Asking } from "./ask-hooks.ts";
import type { AnyHook as Hook } from "./hook-types.ts";
import type { HookCall, HookPoint, HookReply } from "../../../schemas/types.ts";

const callOf = (point: HookPoint, more: Partial<HookCall> = {}): HookCall => ({
  point,
  turn: 1,
  agent: "main",
  ...more,
});
const aboutSend = (point: HookPoint) => callOf(point, { call: { id: "c1", name: "send", input: { to: "Ann" } } });

function asking(hooks: Hook[], more: Partial<Asking> = {}) {
  const events: EventBody[] = [];
  const cancel = new AbortController();
  const clock = virtualClock();
  const emit = (event: EventBody) => void events.push(event);
  const ask = askHooks({ hooks, clock, timeoutMs: 1000, signal: cancel.signal, emit, ...more });
  return { ask, events, cancel, clock };
}

const says =
  (reply: HookReply | undefined): Hook["run"] =>
  () =>
    reply as HookReply;

describe("what hooks say is joined", () => {
  it("in their order: the last change counts, everything that is added is said", async () => {
    const { ask } = asking([
      { point: "after_tool", run: says({ output: "one", is_error: true, add_context: "first" }) },
      { point: "after_tool", run: says(undefined) },
      { point: "before_tool", run: says({ block: "not asked here" }) },
      { point: "after_tool", run: async () => ({ output: "two", add_context: "second" }) },
    ]);
    expect(await ask(aboutSend("after_tool"))).toEqual({
      output: "two",
      is_error: false,
      contexts: ["first", "second"],
    });
  });

  it.each([
    ["block", { block: "no" }],
    ["skip", { skip: true }],
    ["output", { output: "cached" }],
  ])("until one has settled the call by %s [HOOK-4]", async (_, reply) => {
    const called: string[] = [];
    const { ask } = asking([
      { point: "before_tool", run: says({ input: { to: "Bob" } }) },
      { point: "before_tool", run: says(reply) },
      { point: "before_tool", run: () => void called.push("too many") },
    ]);
    expect(await ask(aboutSend("before_tool"))).toMatchObject({ input: { to: "Bob" }, ...reply });
    expect(called).toEqual([]);
  });

  it("without what the point has no use for, which settles nothing either", async () => {
    const everything = {
      block: "no",
      skip: true,
      input: { to: "Bob" },
      output: "x",
      is_error: true,
      add_context: "more",
    };
    const seen: HookCall[] = [];
    const use = async (point: HookPoint) => {
      const spy: Hook = { point, run: (call) => void seen.push(call) };
      return asking([{ point, run: says(everything) }, spy]).ask(aboutSend(point));
    };
    for (const point of ["run_start", "turn_start", "turn_end", "run_end"] as const)
      expect(await use(point)).toEqual({});
    expect(await use("after_tool")).toEqual({ output: "x", is_error: true, contexts: ["more"] });
    expect(await use("stop")).toEqual({ block: "no" });
    expect(await use("before_tool")).not.toHaveProperty("contexts");
    expect(seen.map(({ point, call }) => [point, call?.input["to"]])).toEqual([
      ["run_start", "Ann"],
      ["turn_start", "Ann"],
      ["turn_end", "Ann"],
      ["run_end", "Ann"],
      ["after_tool", "Ann"],
    ]);
  });
});

describe("a hook", () => {
  it("for certain tools is asked about nothing else, also where there is no tool [HOOK-2]", async () => {
    const called: string[] = [];
    const hook = (point: HookPoint, tool: string): Hook => ({
      point,
      tool,
      run: () => void called.push(`${point} ${tool}`),
    });
    const { ask } = asking([
      hook("before_tool", "s*d"),
      hook("before_tool", "sen"),
      hook("before_tool", "end"),
      hook("before_model", "*"),
    ]);
    await ask(aboutSend("before_tool"));
    await ask(callOf("before_model"));
    expect(called).toEqual(["before_tool s*d"]);
  });

  it("cannot change anything but by its answer", async () => {
    const call = aboutSend("before_tool");
    const { ask } = asking([{ point: "before_tool", run: ({ call }) => void (call!.input["to"] = "Eve") }]);
    await ask(call);
    expect(call.call!.input).toEqual({ to: "Ann" });
  });

  it("that answers after its time is not heard, and knows it from its signal [HOOK-14]", async () => {
    const late = Promise.withResolvers<HookReply>();
    let over: AbortSignal | undefined;
    const run: Hook["run"] = (_, signal) => {
      over = signal;
      return late.promise;
    };
    const { ask, clock, events } = asking([{ point: "before_tool", run }]);
    const called = ask(aboutSend("before_tool"));
    clock.advance(999);
    expect(over!.aborted).toBe(false);
    clock.advance(1);
    expect(await called).toEqual({ block: "A hook of before_tool failed: it did not answer within 1000 ms" });
    expect(over!.aborted).toBe(true);
    late.resolve({ output: "late" });
    late.promise.catch(() => undefined);
    expect(events).toEqual([]);
  });

  it("that fails after its time fails for nobody", async () => {
    const late = Promise.withResolvers<HookReply>();
    const { ask, clock, events } = asking([{ point: "after_tool", run: () => late.promise }]);
    const called = ask(aboutSend("after_tool"));
    clock.advance(1000);
    expect(await called).toEqual({});
    late.reject(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve)); // an unhandled rejection would fail the test run
    expect(events).toMatchObject([{ type: "warning", code: "hook_failed", turn: 1 }]);
  });

  it.each(["user_input", "before_model", "after_model", "before_tool"] as const)(
    "of %s that fails has blocked, and the next one is not asked [HOOK-14]",
    async (point) => {
      const called: string[] = [];
      const run = () => {
        throw new Error("no network");
      };
      const { ask, events } = asking([
        { point, run },
        { point, run: () => void called.push("next") },
      ]);
      expect(await ask(callOf(point))).toEqual({ block: `A hook of ${point} failed: no network` });
      expect([called, events]).toEqual([[], []]);
    },
  );

  it.each(["run_start", "turn_start", "after_tool", "tool_failure", "turn_end", "stop", "run_end"] as const)(
    "of %s that fails is passed over, with a warning [HOOK-15]",
    async (point) => {
      const called: string[] = [];
      const { ask, events } = asking([
        { point, run: () => Promise.reject(new Error("no network")) },
        { point, run: () => void called.push("next") },
      ]);
      expect(await ask(callOf(point))).toEqual({});
      expect(called).toEqual(["next"]);
      const message = `A hook of ${point} failed: no network`;
      expect(events).toEqual([{ type: "warning", turn: 1, code: "hook_failed", message }]);
    },
  );

  it("that never answers keeps no cancelled run waiting", async () => {
    const called: string[] = [];
    const { ask, cancel, events } = asking([
      { point: "before_tool", run: () => new Promise(() => {}) },
      { point: "before_tool", run: () => void called.push("next") },
    ]);
    const waiting = ask(aboutSend("before_tool"));
    cancel.abort();
    expect(await waiting).toEqual({});
    expect([called, events]).toEqual([[], []]);
  });

  it("still hears of a run that was cancelled, but nobody waits for it", async () => {
    const called: string[] = [];
    const never = (name: string) => () => {
      called.push(name);
      return new Promise<HookReply>(() => {});
    };
    const { ask, cancel } = asking([
      { point: "run_end", run: never("one") },
      { point: "run_end", run: never("two") },
      { point: "before_model", run: never("three") },
    ]);
    cancel.abort();
    await ask(callOf("run_end"));
    await ask(callOf("before_model"));
    expect(called).toEqual(["one", "two"]);
  });

  it("without a time limit sets no timer, and one that has answered leaves none", async () => {
    const sleeping = new Set<object>();
    const clock = {
      now: () => 0,
      sleep: (_: number, signal?: AbortSignal) => {
        const sleeper = {};
        sleeping.add(sleeper);
        signal?.addEventListener("abort", () => sleeping.delete(sleeper), { once: true });
        return new Promise<void>(() => {});
      },
    };
    await asking([{ point: "stop", run: says({}) }], { clock }).ask(callOf("stop"));
    expect(sleeping.size).toBe(0);
    let counted = -1;
    const run = () => void (counted = sleeping.size);
    await asking([{ point: "stop", run }], { clock, timeoutMs: null }).ask(callOf("stop"));
    expect(counted).toBe(0);
  });
});
