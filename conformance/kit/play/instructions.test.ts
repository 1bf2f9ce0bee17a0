// Shows that instructions are made as the case says, and that a driver is refused that asks for them otherwise, or does not send them.

import { describe, expect, it } from "vitest";
import type { Case, CaseInstructions, RunResponse, RunResult, Session } from "../../../schemas/types.ts";
import { CaseRun } from "./play-variant.ts";
import { fillCase } from "../suite/fill-case.ts";
import { judge } from "../checks/judge.ts";
import type { DriverRequest } from "../base/protocol.ts";
import { readScript } from "../suite/script.ts";

const caseWith = (dynamic_instructions: CaseInstructions | undefined): Case => ({
  title: "A run whose instructions change",
  since: "1.0",
  requires: ["LOOP-1"],
  features: ["dynamic_instructions"],
  given: {
    messages: [{ role: "user", content: "Go." }],
    tools: [{ name: "send", input_schema: { type: "object" } }],
    context: { user: "Ann" },
    handlers: { send: { output: "sent", context_updates: { user: "Bob" } } },
    ...(dynamic_instructions && { dynamic_instructions }),
  },
  model: [{ respond: [{ tool_call: { id: "c1", name: "send", input: {} } }] }, { text: "Done." }],
  expect: { request_count: 1 },
});

interface Functions {
  evaluate(turn: number, user?: string, agent?: string): Promise<string>;
  invoke(system?: string): Promise<unknown>;
  execute(): Promise<unknown>;
}

/** What is broken by a driver that does this when it is told to run, as far as its instructions are concerned. */
async function brokenBy(
  source: Case,
  drive: (functions: Functions, params: object) => Promise<unknown>,
  features = ["context", "dynamic_instructions"],
) {
  const ask = (method: DriverRequest, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      run.request(method, { run: "r1", ...params }, { result: resolve, error: (text) => reject(new Error(text)) });
    });
  const filled = fillCase(source, 1, "test");
  const history: Session["messages"] = [...source.given.messages];
  const functions: Functions = {
    evaluate: async (turn, user = "Ann", agent = "main") =>
      ((await ask("instructions/evaluate", { agent, turn, context: { user } })) as { text: string }).text,
    invoke: async (system) => {
      const first = system === undefined ? [] : [{ role: "system", content: system }];
      const request = { messages: [...first, ...history], tools: source.given.tools };
      const { messages } = (await ask("model/invoke", { request })) as { messages: Session["messages"] };
      history.push(...messages);
    },
    execute: async () => {
      const context = { user: "Ann" };
      await ask("tool/execute", { call: { id: "c1", name: "send", input: {} }, context });
      history.push({ type: "tool_result", id: "c1", output: "sent", outcome: "ok" });
    },
  };
  const run: CaseRun = new CaseRun({
    run: "r1",
    filled,
    script: readScript(filled.case, "r1"),
    variant: { name: "generic", seam: "generic" },
    driver: {
      protocol: 1,
      implementation: { name: "by hand", version: "1", language: "typescript" },
      seams: ["generic"],
      features,
      reports: ["result"],
    },
    connection: {
      request: async (_method, params) => {
        const steps = (await drive(functions, params as object)) as RunResult["steps"] | undefined;
        return { ...(steps && { result: { status: "completed", steps } }) } as RunResponse;
      },
      notify: () => undefined,
    },
    sessionId: "session-r1",
    apiKey: "test-key",
  });
  const found = judge(await run.play()).map(({ requirement }) => requirement!);
  return found.filter((id) => /^LOOP-(74|75|77|28)$/.test(id));
}

const template = { template: "{agent} {turn} {context.user} {other}" };
const steps = (...systems: (string | undefined)[]) =>
  systems.map((system) => ({ ...(system !== undefined && { system }) }));

describe("a driver whose instructions are a function", () => {
  it("is told so, and not what the function says", async () => {
    let received: object = {};
    await brokenBy(caseWith({ sequence: ["secret"] }), async (_, params) => void (received = params));
    expect(received).toMatchObject({ dynamic_instructions: true });
    expect(JSON.stringify(received)).not.toContain("secret");
  });

  it("is answered as the case says", async () => {
    const texts: string[] = [];
    const source = caseWith({ sequence: ["one", "two"] });
    await brokenBy(source, async ({ evaluate }) => {
      for (const turn of [1, 2, 3]) texts.push(await evaluate(turn));
    });
    await brokenBy(caseWith(template), async ({ evaluate }) => void texts.push(await evaluate(1)));
    const failing = { sequence: ["one"], throw: "trouble" };
    await brokenBy(caseWith(failing), async ({ evaluate }) => {
      texts.push(await evaluate(1), await evaluate(2).catch(({ message }: Error) => message));
    });
    expect(texts).toEqual(["one", "two", "two", "main 1 Ann {other}", "one", "trouble"]);
  });

  it("makes them in every turn for what there is then, sends them, and reports them", async () => {
    const whole = async ({ evaluate, invoke, execute }: Functions) => {
      const first = await evaluate(1);
      await invoke(first);
      await execute();
      const second = await evaluate(2, "Bob");
      await invoke(second);
      return steps(first, second);
    };
    expect(await brokenBy(caseWith(template), whole)).toEqual([]);
  });

  it.each<[string, (functions: Functions) => Promise<unknown>, string[]]>([
    [
      "leave them out",
      async ({ evaluate, invoke }) => (await evaluate(1), await invoke(), steps("main 1 Ann {other}")),
      ["LOOP-74"],
    ],
    [
      "send others",
      async ({ evaluate, invoke }) => (await evaluate(1), await invoke("x"), steps("main 1 Ann {other}")),
      ["LOOP-74"],
    ],
    ["make none", async ({ invoke }) => (await invoke(), steps()), ["LOOP-74"]],
    [
      "make them twice",
      async ({ evaluate, invoke }) => (await evaluate(1), await invoke(await evaluate(1))),
      ["LOOP-74"],
    ],
    [
      "send them again",
      async ({ evaluate, invoke, execute }) => {
        const text = await evaluate(1);
        await invoke(text);
        await execute();
        await invoke(text);
      },
      ["LOOP-74"],
    ],
    [
      "make them for variables that are out of date",
      async ({ evaluate, invoke, execute }) => {
        await invoke(await evaluate(1));
        await execute();
        await invoke(await evaluate(2));
      },
      ["LOOP-75"],
    ],
    ["make them for another agent", async ({ evaluate, invoke }) => invoke(await evaluate(1, "Ann", "x")), ["LOOP-75"]],
    ["report others", async ({ evaluate, invoke }) => (await invoke(await evaluate(1)), steps("x")), ["LOOP-77"]],
    ["report none", async ({ evaluate, invoke }) => (await invoke(await evaluate(1)), steps(undefined)), ["LOOP-77"]],
  ])("must not %s", async (_, drive, broken) => {
    expect(await brokenBy(caseWith(template), drive)).toEqual(broken);
  });
});
