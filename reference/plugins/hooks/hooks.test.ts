// Hooks in whole runs: when each point comes, how often, and what follows, also when the run breaks off.

import type { RunSetup } from "../../run/setup.ts";
import { hookPoints } from "./hooks.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, resume } from "../../run/run.ts";
import { ToolError } from "../../core/execute-tool-calls.ts";
import { virtualClock } from "../../support/clock.ts";
import type { Provider } from "../../core/ports.ts";
import { initSession, initState } from "../../core/session.ts";
import { toolResult } from "../../tools/tool-output.ts";
import { defineTool } from "../../tools/define-tool.ts";
import { askHooks } from "./ask-hooks.ts";
import type { AnyHook as Hook } from "./hook-types.ts";
import type {
  HookCall,
  HookPoint,
  HookReply,
  Message,
  ModelRequest,
  ModelResponse,
  ResumeDecision,
} from "../../../schemas/types.ts";

let counter = 0;

const points: HookPoint[] = [
  "run_start",
  "user_input",
  "turn_start",
  "before_model",
  "after_model",
  "before_tool",
  "after_tool",
  "tool_failure",
  "turn_end",
  "stop",
  "run_end",
];

/** A hook at every point, and what they were told. */
function everywhere() {
  const calls: HookCall[] = [];
  const hooks: Hook[] = points.map((point) => ({ point, run: (call) => void calls.push(call) }));
  return { calls, hooks, order: () => calls.map(({ point, turn }) => `${point} ${turn}`) };
}

const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
const calling = (...ids: string[]): ModelResponse => ({
  messages: ids.map((id) => ({ type: "tool_call", id, name: "work", input: { id } })),
  stop_reason: "tool_use",
});

/** A run whose model answers this, one after another. */
function begin(answers: ModelResponse[], extra: Partial<RunSetup> = {}) {
  const requests: ModelRequest[] = [];
  const executed: unknown[] = [];
  const left = [...answers];
  const provider: Provider = {
    name: "scripted",
    invokeModel: async (request) => {
      requests.push(structuredClone(request));
      return left.shift()!;
    },
  };
  const work = defineTool({
    name: "work",
    input_schema: { type: "object", properties: { id: { type: "string" } } },
    annotations: { concurrent: true },
    execute: async (input) => {
      executed.push(input);
      return "worked";
    },
  });
  const setup: RunSetup = { provider, tools: [work], ...extra };
  const session = initSession({ id: `hooks-${(counter += 1)}`, user: "Work." });
  return { run: agentLoop({ ...setup, session }), setup, session, requests, executed };
}

const results = (messages: Message[]) => messages.flatMap((one) => (one.type === "tool_result" ? [one] : []));

describe("every point comes", () => {
  it("once, in the order of the run", async () => {
    const { hooks, order, calls } = everywhere();
    await begin([calling("c1"), done], { hooks }).run.result;
    expect(order()).toEqual([
      "run_start 0",
      "user_input 0",
      "before_model 0",
      "turn_start 1",
      "after_model 1",
      "before_tool 1",
      "after_tool 1",
      "turn_end 1",
      "before_model 1",
      "turn_start 2",
      "after_model 2",
      "turn_end 2",
      "stop 2",
      "run_end 2",
    ]);
    expect(calls.at(-1)!.status).toBe("completed");
  });

  it("also when the model fails, of which there is no response [HOOK-39]", async () => {
    const { hooks, order, calls } = everywhere();
    const failed: ModelResponse = {
      messages: [],
      stop_reason: "error",
      error: { kind: "authentication", message: "no key" },
    };
    await begin([failed], { hooks }).run.result;
    const ends = ["turn_start 1", "turn_end 1", "run_end 1"];
    expect(order()).toEqual(["run_start 0", "user_input 0", "before_model 0", ...ends]);
    expect(calls.at(-1)!.status).toBe("error");
  });

  it("also when a tool cancels the run", async () => {
    const { hooks, order, calls } = everywhere();
    const cancel = new AbortController();
    const work = defineTool({
      name: "work",
      input_schema: { type: "object" },
      execute: () => {
        cancel.abort();
        return new Promise<string>(() => {});
      },
    });
    await begin([calling("c1")], { hooks, tools: [work], signal: cancel.signal }).run.result;
    expect(order().slice(-3)).toEqual(["before_tool 1", "turn_end 1", "run_end 1"]);
    expect(calls.at(-1)!.status).toBe("cancelled");
  });

  it("also when a limit is reached: the end is not put off then", async () => {
    const { hooks, order } = everywhere();
    await begin([calling("c1")], { hooks, options: { max_turns: 1 } }).run.result;
    expect(order().slice(-3)).toEqual(["after_tool 1", "turn_end 1", "run_end 1"]);
  });

  it("with both ends of a turn also where it suspends and is resumed", async () => {
    const first = everywhere();
    const { run, setup } = begin([calling("c1"), done], { hooks: first.hooks, options: { permissions: {} } });
    const { snapshot, pending } = await run.result;
    expect(first.order().slice(-3)).toEqual(["before_tool 1", "turn_end 1", "run_end 1"]);
    const decisions: ResumeDecision[] = [{ id: "c1", action: "approve", input_hash: pending![0]!.input_hash! }];
    const second = everywhere();
    await resume({ ...setup, hooks: second.hooks, snapshot: snapshot!, decisions }).result;
    expect(second.order().slice(0, 5)).toEqual([
      "run_start 1",
      "turn_start 1",
      "before_tool 1", // asked again: another process decided then
      "after_tool 1",
      "turn_end 1",
    ]);
    const refused = everywhere();
    await resume({ ...setup, hooks: refused.hooks, snapshot: snapshot!, decisions: [] }).result;
    expect(refused.order()).toEqual(["run_start 1", "run_end 1"]);
  });
});

describe("what the user says", () => {
  const listen = (received: unknown[], reply?: HookReply): Hook => ({
    point: "user_input",
    run: ({ message }) => {
      received.push((message as { content: unknown }).content);
      return reply;
    },
  });

  it("is shown one message after another, without what was said before and what the loop says", async () => {
    const received: unknown[] = [];
    const { setup } = begin([done]);
    const session = {
      ...initSession({ id: "said", user: "old" }),
      messages: [
        { role: "user", content: "old" },
        { role: "assistant", content: "Yes." },
        { role: "user", content: "one" },
        { role: "user", content: "from a hook", synthetic: true },
        { role: "user", content: "two" },
      ] as Message[],
    };
    const more: Hook = { point: "before_model", run: () => ({ add_context: "more" }) };
    await agentLoop({ ...setup, session, hooks: [listen(received), more] }).result;
    expect(received).toEqual(["one", "two"]);
  });

  it("is shown also while the run is under way, and while a resumed run is", async () => {
    const received: unknown[] = [];
    const hooks = [listen(received)];
    const first = begin([calling("c1"), done], { hooks, options: { permissions: {} } });
    const { snapshot, pending } = await first.run.result;
    const decisions: ResumeDecision[] = [{ id: "c1", action: "approve", input_hash: pending![0]!.input_hash! }];
    const again = resume({ ...first.setup, snapshot: snapshot!, decisions });
    again.steer("later");
    expect((await again.result).status).toBe("completed");
    expect(received).toEqual(["Work.", "later"]);
  });
});

describe("what hooks add", () => {
  it("is said in the order of the calls, whatever order their tools ended in, a message each", async () => {
    const ended: string[] = [];
    const slow = Promise.withResolvers<void>();
    const work = defineTool({
      name: "work",
      input_schema: { type: "object" },
      annotations: { concurrent: true },
      execute: async (input: { id?: string }) => {
        if (input.id === "c1") await slow.promise;
        return "worked";
      },
    });
    const after: Hook = {
      point: "after_tool",
      run: ({ call }) => {
        ended.push(call!.id);
        slow.resolve();
        return { add_context: `about ${call!.id}` };
      },
    };
    const before: Hook = { point: "before_model", run: ({ turn }) => (turn > 0 ? { add_context: "and now" } : {}) };
    const { run, requests } = begin([calling("c1", "c2"), done], { tools: [work], hooks: [before, after] });
    await run.result;
    expect(ended).toEqual(["c2", "c1"]);
    expect(requests[1]!.messages.slice(-3)).toMatchObject([
      { content: "about c1", synthetic: true },
      { content: "about c2", synthetic: true },
      { content: "and now", synthetic: true },
    ]);
  });

  it("is not said where the model is not asked again, and keeps no run going", async () => {
    const after: Hook = { point: "after_tool", run: () => ({ add_context: "more" }) };
    const { run } = begin([calling("c1")], { hooks: [after], options: { max_turns: 1 } });
    expect((await run.result).status).toBe("max_turns");
    expect((await run.session).messages.at(-1)).toMatchObject({ type: "tool_result" });
  });
});

describe("around a tool", () => {
  it("a hook that cannot be asked about a call because the run was cancelled permits nothing", async () => {
    const cancel = new AbortController();
    const before: Hook = {
      point: "before_tool",
      run: () => {
        cancel.abort();
        return {};
      },
    };
    const { run, executed } = begin([calling("c1", "c2")], { hooks: [before], signal: cancel.signal });
    expect((await run.result).status).toBe("cancelled");
    expect(executed).toEqual([]);
    expect(results((await run.session).messages).map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled"]);
  });

  it("an approver decides about the arguments as hooks have changed them, and may change them again", async () => {
    const inputs: unknown[] = [];
    const before: Hook = { point: "before_tool", run: ({ call }) => ({ input: { id: `${call!.id}-hook` } }) };
    const { run, executed } = begin([calling("c1", "c2"), done], {
      hooks: [before],
      options: { permissions: {} },
      approve: async ({ id, input }) => {
        inputs.push(input);
        return id === "c1" ? { action: "approve" } : { action: "approve", input: { id: "c2-person" } };
      },
    });
    await run.result;
    expect(inputs).toEqual([{ id: "c1-hook" }, { id: "c2-hook" }]);
    expect(executed).toEqual([{ id: "c1-hook" }, { id: "c2-person" }]);
  });

  it("a fatal failure stays one, in the hook's words [TOOL-18]", async () => {
    const work = defineTool({
      name: "work",
      input_schema: { type: "object" },
      execute: () => {
        throw new ToolError("the disk is full", { fatal: true });
      },
    });
    const output = [
      { type: "text" as const, text: "Storage" },
      { type: "text" as const, text: "is gone." },
    ];
    const failure: Hook = { point: "tool_failure", run: () => ({ output }) };
    const { run } = begin([calling("c1")], { hooks: [failure], tools: [work] });
    expect((await run.result).error).toEqual({ kind: "tool_fatal", message: "Storage\nis gone." });
  });

  it("data for programs, handoffs and the rest of what a tool returned stay as they are", async () => {
    const work = defineTool({
      name: "work",
      input_schema: { type: "object" },
      execute: async () => toolResult({ data: { rows: 2 }, context_updates: { seen: true } }),
    });
    const received: unknown[] = [];
    const after: Hook = {
      point: "after_tool",
      run: ({ output }) => {
        received.push(output);
        return { output: "two rows" };
      },
    };
    const { run } = begin([calling("c1"), done], { hooks: [after], tools: [work] });
    expect((await run.result).context).toEqual({ seen: true });
    expect(received).toEqual(['{"rows":2}']);
    expect(results((await run.session).messages)).toMatchObject([{ output: "two rows", data: { rows: 2 } }]);
  });

  it("a tool that a cancel cut off is no failure that hooks are asked about", async () => {
    const { hooks, order } = everywhere();
    const cancel = new AbortController();
    const work = defineTool({
      name: "work",
      input_schema: { type: "object" },
      execute: (_, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
          cancel.abort();
        }),
    });
    const options = { cancel_grace_ms: 1000 };
    await begin([calling("c1")], { hooks, tools: [work], signal: cancel.signal, options }).run.result;
    expect(order()).not.toContain("tool_failure 1");
  });
});

it("a run without hooks is the run that it was: the same events and the same session", async () => {
  const play = async (hooks: Hook[] | undefined) => {
    const { run } = begin([calling("c1", "c2"), done], hooks && { hooks });
    const events: string[] = [];
    for await (const event of run) events.push(event.type);
    return { events, messages: (await run.session).messages };
  };
  const without = await play(undefined);
  expect(await play(everywhere().hooks)).toEqual(without);
  expect(await play([])).toEqual(without);
});

it("what the user says is shown also after something has replaced messages of the session", async () => {
  const received: unknown[] = [];
  const listen: Hook = {
    point: "user_input",
    run: ({ message }) => void received.push((message as { content: unknown }).content),
  };
  const hooks = hookPoints(
    askHooks({
      hooks: [listen],
      clock: virtualClock(),
      timeoutMs: null,
      signal: new AbortController().signal,
      emit: () => {},
    }),
    { end: () => {}, ending: () => undefined },
    async () => [],
    {},
    false,
  );
  const state = initState(initSession({ id: "shorter", user: "one" }), "main");
  const latest: Message[] = [
    { role: "assistant", content: "Yes." },
    { role: "user", content: "two" },
  ];
  const { beforeTurn } = hooks.betweenTurns!;
  await beforeTurn!(state);
  await beforeTurn!({
    ...state,
    turn: 1,
    session: { ...state.session, messages: [...state.session.messages, ...latest] },
  });
  await beforeTurn!({
    ...state,
    turn: 2,
    session: { ...state.session, messages: [{ role: "user", content: "three" }] },
  });
  expect(received).toEqual(["one", "two", "three"]);
});
