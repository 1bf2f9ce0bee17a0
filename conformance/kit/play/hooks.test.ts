// Shows that hooks are answered as the case says, and that a driver is refused that asks them otherwise, or does not heed them.

import { describe, expect, it } from "vitest";
import type { Case, CaseHook, HookCall, InitializeResult } from "../../../schemas/types.ts";
import { CaseRun } from "./play-variant.ts";
import { fillCase } from "../suite/fill-case.ts";
import { judge } from "../checks/judge.ts";
import type { Observation } from "../observed/observation.ts";
import type { DriverRequest } from "../base/protocol.ts";
import { readScript } from "../suite/script.ts";

const driver: InitializeResult = {
  protocol: 1,
  implementation: { name: "by hand", version: "1", language: "typescript" },
  seams: ["generic"],
  features: ["hooks"],
  reports: [],
};

const caseWith = (...hooks: CaseHook[]): Case => ({
  title: "A run with hooks",
  since: "1.0",
  requires: ["HOOK-1"],
  features: ["hooks"],
  given: {
    messages: [{ role: "user", content: "Go." }],
    tools: [{ name: "send", input_schema: { type: "object" } }],
    handlers: { send: { output: "sent" } },
    hooks,
  },
  model: [{ respond: [{ tool_call: { id: "c1", name: "send", input: { to: "Ann" } } }] }],
  expect: { request_count: 1 },
});

type Ask = (method: DriverRequest, params: object) => Promise<unknown>;

const input = { to: "Ann" };
const at = (point: HookCall["point"], more: Partial<HookCall> = {}): HookCall => ({
  point,
  turn: 1,
  agent: "main",
  session_id: "session-r1",
  ...more,
});
const about = (point: HookCall["point"], more: Partial<HookCall> = {}) =>
  at(point, { call: { id: "c1", name: "send", input }, ...more });
const fire = (ask: Ask, hook: number, call: HookCall) => ask("hook/fire", { hook, call });
const invoke = (ask: Ask) =>
  ask("model/invoke", { request: { messages: [{ role: "user", content: "Go." }], tools: caseWith().given.tools } });
const execute = (ask: Ask, given: object = input) =>
  ask("tool/execute", { call: { id: "c1", name: "send", input: given } });

/** What the kit saw of a driver that does this when it is told to run. */
async function played(source: Case, drive: (ask: Ask, params: object) => Promise<unknown>): Promise<Observation> {
  const ask: Ask = (method, params) =>
    new Promise((resolve, reject) => {
      run.request(method, { run: "r1", ...params }, { result: resolve, error: (text) => reject(new Error(text)) });
    });
  const filled = fillCase(source, 1, "test");
  const run: CaseRun = new CaseRun({
    run: "r1",
    filled,
    script: readScript(filled.case, "r1"),
    variant: { name: "generic", seam: "generic" },
    driver,
    connection: {
      request: async (_method, params) => {
        await drive(ask, params);
        return {};
      },
      notify: () => undefined,
    },
    sessionId: "session-r1",
    apiKey: "test-key",
  });
  return await run.play();
}

const broken = (seen: Observation) => judge(seen).map(({ requirement, code }) => requirement ?? code);

describe("a driver with hooks", () => {
  it("is told where they are, and not what they answer", async () => {
    let received: object = {};
    const hooks: CaseHook[] = [
      { point: "before_tool", tool: "s*", reply: { block: "secret" } },
      { point: "stop", throw: "secret" },
    ];
    await played(caseWith(...hooks), async (_, params) => (received = params));
    expect(received).toMatchObject({ hooks: [{ point: "before_tool", tool: "s*" }, { point: "stop" }] });
    expect(JSON.stringify(received)).not.toContain("secret");
  });

  it("is answered as the case says: the same, one after another, or by an error", async () => {
    const replies: unknown[] = [];
    const source = caseWith(
      { point: "turn_end", reply: {} },
      { point: "stop", sequence: [{ block: "one" }, { block: "two" }] },
      { point: "run_end", throw: "three" },
    );
    const seen = await played(source, async (ask) => {
      await invoke(ask);
      await execute(ask);
      replies.push(await fire(ask, 0, at("turn_end")));
      for (let time = 0; time < 3; time += 1) replies.push(await fire(ask, 1, at("stop", { turn: time + 1 })));
      replies.push(await fire(ask, 2, at("run_end")).catch(({ message }: Error) => message));
    });
    expect(replies).toEqual([{}, { block: "one" }, { block: "two" }, { block: "two" }, "three"]);
    expect(broken(seen)).toEqual([]);
    expect(seen.hooks.map(({ hook, point }) => `${hook} ${point}`)).toEqual([
      "0 turn_end",
      "1 stop",
      "1 stop",
      "1 stop",
      "2 run_end",
    ]);
  });

  it("may execute a call with the arguments of a hook, and no others", async () => {
    const source = caseWith({ point: "before_tool", reply: { input: { to: "Bob" } } });
    const run = (given: object) =>
      played(source, async (ask) => {
        await invoke(ask);
        await fire(ask, 0, about("before_tool"));
        await execute(ask, given);
      });
    expect(broken(await run({ to: "Bob" }))).toEqual([]);
    expect(broken(await run({ to: "Ann" }))).toEqual(["TOOL-8"]);
  });

  const called = { type: "tool_call", id: "c1", name: "send", input } as const;
  const sent = [{ role: "user", content: "Go." }, called, { type: "tool_result", id: "c1", output: "sent" }] as const;
  const more = { role: "user", content: "more", synthetic: true } as const;
  const speaking: [point: HookCall["point"], says: boolean][] = [
    ["after_tool", true],
    ["after_model", false],
    ["turn_end", false],
  ];
  it.each(speaking)("says to the model what a hook of %s adds: %s", async (point, says) => {
    const source: Case = {
      ...caseWith({ point, reply: { add_context: "more" } }),
      model: [...caseWith().model, { text: "Done." }],
      expect: { request_count: 2 },
    };
    const run = (messages: readonly object[]) =>
      played(source, async (ask) => {
        await invoke(ask);
        if (point === "after_model") await fire(ask, 0, at(point, { messages: [called] }));
        await execute(ask);
        if (point === "after_tool") await fire(ask, 0, about(point, { output: "sent" }));
        if (point === "turn_end") await fire(ask, 0, at(point));
        await ask("model/invoke", { request: { messages, tools: source.given.tools } });
      });
    expect(broken(await run(says ? [...sent, more] : sent))).toEqual([]);
    expect(broken(await run(says ? sent : [...sent, more]))).toEqual(["LOOP-1"]);
  });

  const settled: [requirement: string, hook: CaseHook, call: HookCall][] = [
    ["HOOK-5", { point: "before_tool", reply: { block: "no" } }, about("before_tool")],
    ["HOOK-7", { point: "before_tool", reply: { skip: true } }, about("before_tool")],
    ["HOOK-8", { point: "before_tool", reply: { output: "cached" } }, about("before_tool")],
    ["HOOK-12", { point: "after_model", reply: { block: "no" } }, at("after_model", { messages: [] })],
    ["HOOK-14", { point: "before_tool", throw: "broken" }, about("before_tool")],
  ];
  it.each(settled)("must not execute a call that a hook has settled [%s]", async (requirement, hook, call) => {
    const seen = await played(caseWith(hook), async (ask) => {
      await invoke(ask);
      await fire(ask, 0, call).catch(() => undefined);
      await execute(ask);
    });
    expect(broken(seen)).toEqual([requirement]);
  });

  const refused: [what: string, requirement: string, drive: (ask: Ask) => Promise<unknown>][] = [
    ["at another point", "HOOK-1", (ask) => fire(ask, 0, about("after_tool"))],
    [
      "beside another one",
      "HOOK-1",
      (ask) => Promise.all([fire(ask, 0, about("before_tool")), fire(ask, 1, about("before_tool"))]),
    ],
    ["that is not there", "HOOK-1", (ask) => fire(ask, 7, about("before_tool")).catch(() => undefined)],
    ["about another tool", "HOOK-2", (ask) => fire(ask, 2, about("before_tool"))],
    [
      "about other arguments",
      "HOOK-3",
      (ask) => fire(ask, 0, at("before_tool", { call: { id: "c1", name: "send", input: {} } })),
    ],
    [
      "about another output",
      "HOOK-3",
      async (ask) => {
        await execute(ask);
        await fire(ask, 3, about("after_tool", { output: "lost" }));
      },
    ],
    [
      "about a call that is settled",
      "HOOK-4",
      async (ask) => {
        await fire(ask, 4, about("before_tool"));
        await fire(ask, 0, about("before_tool"));
      },
    ],
  ];
  it.each(refused)("must not ask a hook %s [%s]", async (_, requirement, drive) => {
    const source = caseWith(
      { point: "before_tool", reply: {} },
      { point: "before_tool", reply: {} },
      { point: "before_tool", tool: "read", reply: {} },
      { point: "after_tool", reply: {} },
      { point: "before_tool", reply: { skip: true } },
    );
    const seen = await played(source, async (ask) => {
      await invoke(ask);
      await drive(ask);
    });
    expect(broken(seen)).toEqual([requirement]);
  });
});
