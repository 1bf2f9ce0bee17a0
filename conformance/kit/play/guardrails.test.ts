// Shows that guardrails are answered as the case says, and that a driver is refused that asks them otherwise, or does not heed them.

import { describe, expect, it } from "vitest";
import type {
  Case,
  CaseGuardrail,
  GuardrailCheck,
  InitializeResult,
  LoopEvent,
  Message,
  RunResponse,
  RunResult,
  Tool,
} from "../../../schemas/types.ts";
import { CaseRun } from "./play-variant.ts";
import { fillCase } from "../suite/fill-case.ts";
import { judge } from "../checks/judge.ts";
import type { DriverRequest } from "../base/protocol.ts";
import { readScript } from "../suite/script.ts";

const tools: Tool[] = [{ name: "send", input_schema: { type: "object" } }];

const caseWith = (...guardrails: CaseGuardrail[]): Case => ({
  title: "A run with guardrails",
  since: "1.0",
  requires: ["GUARDRAIL-1"],
  features: ["guardrails"],
  given: {
    messages: [{ role: "user", content: "Go." }],
    tools,
    handlers: { send: { output: "sent" } },
    guardrails,
  },
  model: [
    {
      respond: [
        { tool_call: { id: "c1", name: "send", input: {} } },
        { tool_call: { id: "c2", name: "send", input: {} } },
      ],
    },
    { text: "Done." },
  ],
  expect: { request_count: 1 },
});

type Ask = (method: DriverRequest, params: object) => Promise<unknown>;
type Response = Partial<{ result: Partial<RunResult>; session: Message[]; events: Partial<LoopEvent>[] }>;

const check = (ask: Ask, guardrail: number, point: GuardrailCheck["point"], more: Partial<GuardrailCheck> = {}) =>
  ask("guardrail/check", { guardrail, check: { point, turn: 1, agent: "main", session_id: "session-r1", ...more } });
const about = (id: string) => ({ call: { id, name: "send", input: {} } });
const invoke = (ask: Ask) => ask("model/invoke", { request: { messages: [{ role: "user", content: "Go." }], tools } });
const execute = (ask: Ask, id: string) => ask("tool/execute", { call: { id, name: "send", input: {} } });

/** What is broken by a driver that does this when it is told to run, as far as guardrails are concerned. */
async function brokenBy(source: Case, drive: (ask: Ask, params: object) => Promise<Response | unknown>) {
  const ask: Ask = (method, params) =>
    new Promise((resolve, reject) => {
      run.request(method, { run: "r1", ...params }, { result: resolve, error: (text) => reject(new Error(text)) });
    });
  const filled = fillCase(source, 1, "test");
  const reports: NonNullable<InitializeResult["reports"]> = [];
  const run: CaseRun = new CaseRun({
    run: "r1",
    filled,
    script: readScript(filled.case, "r1"),
    variant: { name: "generic", seam: "generic" },
    driver: {
      protocol: 1,
      implementation: { name: "by hand", version: "1", language: "typescript" },
      seams: ["generic"],
      features: ["guardrails"],
      reports,
    },
    connection: {
      request: async (_method, params) => {
        const { result, session, events } = ((await drive(ask, params as object)) ?? {}) as Response;
        if (result) reports.push("result");
        if (session) reports.push("session");
        if (events) reports.push("events");
        for (const event of events ?? []) run.notification("event", { run: "r1", event });
        return { ...(result && { result }), ...(session && { session: { messages: session } }) } as RunResponse;
      },
      notify: () => undefined,
    },
    sessionId: "session-r1",
    apiKey: "test-key",
  });
  const found = judge(await run.play()).map(({ requirement }) => requirement!);
  return found.filter((id) => id.startsWith("GUARDRAIL") || id.startsWith("LOOP-28"));
}

const trip = { finding: { trip: true, reason: "why" } };
const pass = { finding: { trip: false } };

describe("a driver with guardrails", () => {
  it("is told where they are, and not what they find", async () => {
    let received: object = {};
    const guardrails: CaseGuardrail[] = [
      { name: "one", points: ["input", "final_output"], finding: { trip: true, reason: "secret" } },
      { name: "two", points: ["tool_input"], throw: "secret" },
    ];
    await brokenBy(caseWith(...guardrails), async (_, params) => void (received = params));
    expect(received).toMatchObject({
      guardrails: [
        { name: "one", points: ["input", "final_output"] },
        { name: "two", points: ["tool_input"] },
      ],
    });
    expect(JSON.stringify(received)).not.toContain("secret");
  });

  it("is answered as the case says: the same, one after another, or by an error", async () => {
    const replies: unknown[] = [];
    const source = caseWith(
      { name: "same", points: ["model_output"], ...pass },
      { name: "row", points: ["tool_input"], sequence: [{ trip: false, reason: "odd" }, { trip: false }] },
      { name: "broken", points: ["tool_output"], throw: "three" },
    );
    const broken = await brokenBy(source, async (ask) => {
      await invoke(ask);
      replies.push(await check(ask, 0, "model_output"));
      for (const id of ["c1", "c2", "c2"]) replies.push(await check(ask, 1, "tool_input", about(id)));
      await execute(ask, "c1");
      replies.push(await check(ask, 2, "tool_output", about("c1")).catch(({ message }: Error) => message));
    });
    expect(replies).toEqual([
      { trip: false },
      { trip: false, reason: "odd" },
      { trip: false },
      { trip: false },
      "three",
    ]);
    expect(broken).toEqual([]);
  });

  it("keeps nothing of a response that has nothing, where a guardrail trips over it [GUARDRAIL-7]", async () => {
    const guarded = caseWith({ name: "watch", points: ["model_output"], ...trip });
    const before: Message[] = [
      { role: "user", content: "Go." },
      { role: "assistant", content: "Gone." },
    ];
    const guardrail = { name: "watch", point: "model_output" } as const;
    const result: Partial<RunResult> = { status: "guardrail", guardrail, reason: "why", steps: [] };
    const run = (respond: object[]) => {
      const source = { ...guarded, model: [{ respond }] } as Case;
      const session = [...before, ...(respond.length > 0 ? [{ role: "assistant", content: "No." } as Message] : [])];
      return brokenBy({ ...source, given: { ...source.given, messages: before } }, async (ask) => {
        await invoke(ask);
        await check(ask, 0, "model_output");
        return { result, session };
      });
    };
    expect(await run([])).toEqual([]);
    expect(await run([{ text: "No." }])).toEqual(["GUARDRAIL-7"]);
  });

  it("is answered by a guardrail that is held once its gate is open", async () => {
    const held = caseWith({ name: "held", points: ["model_output"], ...trip, hold: "gate" });
    const actions: Case["actions"] = [{ when: { tool_start: "send" }, do: { release: "gate" } }];
    const order: string[] = [];
    const broken = await brokenBy({ ...held, actions }, async (ask) => {
      await invoke(ask);
      const finding = check(ask, 0, "model_output").then(() => order.push("finding"));
      await execute(ask, "c1").then(() => order.push("executed"));
      await finding;
    });
    expect(order).toEqual(["finding", "executed"]);
    expect(broken).toEqual([]);
  });

  it("asks one that there is, where it is to be asked", async () => {
    const source = caseWith({ name: "one", points: ["tool_input"], ...pass });
    const wrong = await brokenBy(source, async (ask) => {
      await invoke(ask);
      await check(ask, 7, "tool_input", about("c1")).catch(() => undefined);
      await check(ask, 0, "model_output");
      await check(ask, 0, "tool_input", about("c9"));
    });
    expect(wrong).toEqual(["GUARDRAIL-1", "GUARDRAIL-10", "GUARDRAIL-4"]);
  });

  it("says whose session it asks about", async () => {
    const of = (session_id: string) =>
      brokenBy(caseWith({ name: "one", points: ["input"], ...pass }), (ask) => check(ask, 0, "input", { session_id }));
    expect(await of("session-r1")).not.toContain("GUARDRAIL-24");
    for (const id of ["session-r2", "session-r1/c1"]) expect(await of(id)).toContain("GUARDRAIL-24");
  });

  it("does not call the model before the input was let pass", async () => {
    const source = caseWith({ name: "one", points: ["input"], ...pass }, { name: "two", points: ["input"], ...pass });
    expect(await brokenBy(source, async (ask) => void (await check(ask, 0, "input"), await invoke(ask)))).toEqual([
      "GUARDRAIL-2",
    ]);
    const late = async (ask: Ask) => {
      await check(ask, 0, "input");
      await check(ask, 1, "input");
      await invoke(ask);
    };
    expect(await brokenBy(source, late)).toEqual([]);
    const refused = caseWith({ name: "one", points: ["input"], ...pass }, { name: "two", points: ["input"], ...trip });
    expect(await brokenBy(refused, late)).toContain("GUARDRAIL-2");
  });

  it("executes nothing after a trip over the response or a call, and asks about no call of a batch that it has begun", async () => {
    const refused = caseWith({ name: "one", points: ["model_output", "tool_input"], ...trip });
    const over = (point: "model_output" | "tool_input") => async (ask: Ask) => {
      await invoke(ask);
      await check(ask, 0, point, point === "tool_input" ? about("c1") : {});
      await execute(ask, "c2");
    };
    expect(await brokenBy(refused, over("model_output"))).toEqual(["GUARDRAIL-3"]);
    expect(await brokenBy(refused, over("tool_input"))).toEqual(["GUARDRAIL-4"]);
    const late = await brokenBy(caseWith({ name: "one", points: ["tool_input"], ...pass }), async (ask) => {
      await invoke(ask);
      await check(ask, 0, "tool_input", about("c1"));
      await execute(ask, "c1");
      await check(ask, 0, "tool_input", about("c2"));
    });
    expect(late).toEqual(["GUARDRAIL-4"]);
  });

  it("does not call the model after a trip", async () => {
    const again = (point: GuardrailCheck["point"], more = {}) =>
      brokenBy(caseWith({ name: "one", points: [point], ...trip }), async (ask) => {
        await invoke(ask);
        await check(ask, 0, point, more);
        await invoke(ask);
      });
    expect(await again("tool_output", about("c1"))).toContain("GUARDRAIL-5");
    expect(await again("model_output")).toContain("GUARDRAIL-1");
  });
});

describe("the result of a run whose guardrail tripped", () => {
  const ended = (result: Partial<RunResult>, finding = trip.finding as { trip: boolean }) =>
    brokenBy(caseWith({ name: "one", points: ["final_output"], finding }), async (ask) => {
      await invoke(ask);
      await check(ask, 0, "final_output", { text: "Done." });
      return { result: { turns: 1, steps: [], tool_calls: 2, ...result } };
    });
  const guardrail = { name: "one", point: "final_output" as const };

  it("says so", async () => {
    expect(await ended({ status: "guardrail", guardrail, reason: "why" })).toEqual([]);
    expect(await ended({ status: "completed" }, { trip: false })).toEqual([]);
  });

  it.each<[string, Partial<RunResult>]>([
    ["another status", { status: "completed" }],
    ["no name", { status: "guardrail" }],
    ["another name", { status: "guardrail", guardrail: { ...guardrail, name: "two" }, reason: "why" }],
    ["another point", { status: "guardrail", guardrail: { ...guardrail, point: "input" }, reason: "why" }],
    ["another reason", { status: "guardrail", guardrail, reason: "other" }],
    ["no reason", { status: "guardrail", guardrail }],
    ["a name beside another status", { status: "stopped", stop_condition: "x", guardrail, reason: "why" }],
  ])("does not have %s", async (_, result) => expect(await ended(result)).toEqual(["GUARDRAIL-1"]));

  it("says nothing of the kind where none tripped", async () => {
    expect(await ended({ status: "guardrail", guardrail, reason: "why" }, { trip: false })).toEqual(["GUARDRAIL-1"]);
  });
});

describe("what a guardrail tripped over", () => {
  const call = (id: string, meta?: object) => ({
    type: "tool_call",
    id,
    name: "send",
    input: {},
    ...(meta && { meta }),
  });
  const result = (id: string, meta?: object) => ({ type: "tool_result", id, output: "sent", ...(meta && { meta }) });
  const kept = (point: "model_output" | "tool_output", ...messages: object[]) =>
    brokenBy(caseWith({ name: "one", points: [point], ...trip }), async (ask) => {
      await invoke(ask);
      if (point === "tool_output") await Promise.all([execute(ask, "c1"), execute(ask, "c2")]);
      await check(ask, 0, point, point === "tool_output" ? about("c2") : {});
      return { session: [{ role: "user", content: "Go." }, ...messages] };
    });
  const meta = { guardrail: "one" };

  it("says so in the session, each message of it", async () => {
    expect(await kept("tool_output", call("c1"), call("c2"), result("c1"), result("c2", meta))).toEqual([]);
    expect(await kept("tool_output", call("c1"), call("c2"), result("c1", meta), result("c2"))).toContain(
      "GUARDRAIL-7",
    );
    expect(await kept("model_output", call("c1", meta), call("c2", meta), result("c1"), result("c2"))).not.toContain(
      "GUARDRAIL-7",
    );
    expect(await kept("model_output", call("c1", meta), call("c2"), result("c1"), result("c2"))).toContain(
      "GUARDRAIL-7",
    );
    expect(
      await kept("model_output", call("c1", meta), call("c2", { guardrail: "two" }), result("c1"), result("c2")),
    ).toContain("GUARDRAIL-7");
  });
});

describe("a finding that ends nothing", () => {
  const warned = (...events: Partial<LoopEvent>[]) =>
    brokenBy(caseWith({ name: "one", points: ["input"], finding: { trip: false, reason: "odd" } }), async (ask) => {
      await check(ask, 0, "input");
      await invoke(ask);
      return { events };
    });

  it("is one warning", async () => {
    const warning = { type: "warning", turn: 0, code: "guardrail_finding", message: "odd" } as Partial<LoopEvent>;
    expect(await warned(warning)).toEqual([]);
    expect(await warned()).toEqual(["GUARDRAIL-9"]);
    expect(await warned(warning, warning)).toEqual(["GUARDRAIL-9"]);
  });
});
