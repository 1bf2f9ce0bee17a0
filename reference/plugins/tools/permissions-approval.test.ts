// Approval inside the process and after a suspension: what is executed, what is answered, and what is refused.

import type { RunSetup } from "../../run/setup.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, resume } from "../../run/run.ts";
import type { Approve, Classify } from "./permissions.ts";
import type { Provider } from "../../core/ports.ts";
import { initSession } from "../../core/session.ts";
import { defineTool, type DefinedTool } from "../../tools/define-tool.ts";
import type { ModelResponse, PermissionRule, ResumeDecision, RunResult, Session } from "../../../schemas/types.ts";

let counter = 0;

/** A run whose model sends twice the same, and is then done. */
function begin(extra: Partial<RunSetup> = {}) {
  const sent: unknown[] = [];
  const send = defineTool({
    name: "send",
    input_schema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    execute: async (input) => {
      sent.push(input);
      return "sent";
    },
  });
  const calls = ["c1", "c2"].map((id) => ({ type: "tool_call" as const, id, name: "send", input: { to: "Ann" } }));
  const answers: ModelResponse[] = [
    { messages: calls, stop_reason: "tool_use" },
    { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" },
  ];
  const provider: Provider = { name: "scripted", invokeModel: async () => answers.shift()! };
  const setup: RunSetup = { provider, tools: [send], options: { permissions: {} }, ...extra };
  const session = initSession({ id: `approval-${(counter += 1)}`, user: "Send." });
  return { sent, setup, run: agentLoop({ ...setup, session }) };
}

const outcomes = ({ messages }: Session) =>
  messages.flatMap((one) => (one.type === "tool_result" ? [one.outcome] : []));

describe("an approver inside the process", () => {
  const decide =
    (...approvals: Awaited<ReturnType<Approve>>[]): Approve =>
    async () =>
      approvals.shift()!;

  it("is asked about each call, before any of the batch is executed", async () => {
    const called: string[] = [];
    const { run, sent } = begin({
      approve: async ({ id }) => {
        called.push(`${id} ${sent.length}`);
        return { action: "approve" };
      },
    });
    expect((await run.result).status).toBe("completed");
    expect(called).toEqual(["c1 0", "c2 0"]);
    expect(sent).toHaveLength(2);
  });

  it("may change the arguments, deny, skip and respond [PERMISSION-15, PERMISSION-16, PERMISSION-17]", async () => {
    const first = begin({ approve: decide({ action: "approve", input: { to: "Bob" } }, { action: "skip" }) });
    expect(outcomes(await first.run.session)).toEqual(["ok", "skipped"]);
    expect(first.sent).toEqual([{ to: "Bob" }]);
    const deny = { action: "deny", reason: "not today" } as const;
    const second = begin({ approve: decide(deny, { action: "respond", output: "as if" }) });
    expect(outcomes(await second.run.session)).toEqual(["denied", "ok"]);
    expect(second.sent).toEqual([]);
    const third = begin({ approve: decide({ action: "approve", input: { to: 7 } }, { action: "approve" }) });
    expect(outcomes(await third.run.session)).toEqual(["invalid_arguments", "ok"]);
  });

  it("may not write what is denied, unless it overrides the rule [PERMISSION-25, PERMISSION-26]", async () => {
    const rules: PermissionRule[] = [
      { effect: "ask", match: "send" },
      { effect: "deny", match: "send(Eve)" },
    ];
    const options = { permissions: { rules } };
    const approvals = [
      { action: "approve", input: { to: "Eve" } },
      { action: "approve", input: { to: "Eve" }, override: true },
    ] as const;
    const { run, sent } = begin({ options, approve: decide(...approvals) });
    const warnings: string[] = [];
    for await (const event of run) if (event.type === "warning") warnings.push(event.code);
    expect(outcomes(await run.session)).toEqual(["denied", "ok"]);
    expect(sent).toEqual([{ to: "Eve" }]);
    expect(warnings).toEqual(["permission_overridden"]);
  });

  it("may not write what the classifier denies [PERMISSION-25]", async () => {
    const classify: Classify = async ({ input }) => (input["to"] === "Eve" ? "deny" : "ask");
    const approve = decide({ action: "approve", input: { to: "Eve" } }, { action: "approve" });
    const { run, sent } = begin({ options: { permissions: { mode: "auto" } }, classify, approve });
    expect(outcomes(await run.session)).toEqual(["denied", "ok"]);
    expect(sent).toEqual([{ to: "Ann" }]);
  });

  it("is asked by a resumed run about what needs approval by then [PERMISSION-28]", async () => {
    const rules: PermissionRule[] = [{ effect: "allow", match: "send(Ann)" }];
    const [external] = [{ name: "ask_user", input_schema: { type: "object" }, external: true } as const];
    const { setup, sent } = begin();
    const calls = [
      { type: "tool_call" as const, id: "c1", name: "ask_user", input: {} },
      { type: "tool_call" as const, id: "c2", name: "send", input: { to: "Ann" } },
    ];
    const provider: Provider = {
      name: "scripted",
      invokeModel: async () => ({ messages: calls, stop_reason: "tool_use" }),
    };
    const both = { ...setup, tools: [external, ...(setup.tools as DefinedTool[])], provider };
    const options = {
      permissions: { rules: [...rules, { effect: "allow" as const, match: "ask_user" }] },
      max_turns: 1,
    };
    const suspended = await agentLoop({ ...both, options, session: initSession({ id: "by-then", user: "Send." }) })
      .result;
    const anew = { permissions: { rules: [{ effect: "ask" as const, match: "*" }] } };
    const decisions: ResumeDecision[] = [{ id: "c1", action: "respond", output: "yes" }];
    const approve = decide({ action: "approve", input: { to: "Bob" } });
    const run = resume({ ...both, options: anew, snapshot: suspended.snapshot!, decisions, approve });
    expect((await run.result).status).toBe("max_turns");
    expect(sent).toEqual([{ to: "Bob" }]);
  });

  it("that fails has denied [PERMISSION-5]", async () => {
    const { run, sent } = begin({
      approve: async () => {
        throw new Error("the window was closed");
      },
    });
    expect(outcomes(await run.session)).toEqual(["denied", "denied"]);
    expect(sent).toEqual([]);
  });

  it("that never answers does not keep a cancelled run waiting", async () => {
    let called = () => {};
    const waiting = new Promise<void>((resolve) => (called = resolve));
    const { run, sent } = begin({
      approve: () => {
        called();
        return new Promise(() => {});
      },
    });
    await waiting;
    run.cancel();
    expect((await run.result).status).toBe("cancelled");
    expect(outcomes(await run.session)).toEqual(["cancelled", "cancelled"]);
    expect(sent).toEqual([]);
  });
});

describe("a suspended run", () => {
  const hashes = ({ pending }: RunResult) => pending!.map(({ input_hash }) => input_hash!);

  it("is not resumed if its calls are not those whose hashes it has [PERMISSION-24]", async () => {
    const { run, setup, sent } = begin();
    const { snapshot } = await run.result;
    const changed = structuredClone(snapshot!);
    const call = changed.session.messages.find((one) => one.type === "tool_call" && one.id === "c2");
    Object.assign(call!, { input: { to: "Eve" } });
    const without = structuredClone(snapshot!);
    for (const decision of without.decisions) if (decision.do === "ask") delete decision.input_hash;
    const decisions: ResumeDecision[] = ["c1", "c2"].map((id) => ({ id, action: "skip" }));
    for (const wrong of [changed, without]) {
      const { error } = await resume({ ...setup, snapshot: wrong, decisions }).result;
      expect(error).toEqual({ kind: "configuration", message: expect.stringMatching(/input_hash/) });
    }
    expect((await resume({ ...setup, snapshot: snapshot!, decisions }).result).status).toBe("completed");
    expect(sent).toEqual([]);
  });

  it("never waits for the approval of a number that JSON does not have [PERMISSION-22]", async () => {
    const calls = [{ type: "tool_call" as const, id: "c1", name: "pay", input: { amount: Infinity } }];
    const provider: Provider = {
      name: "scripted",
      invokeModel: async () => ({ messages: calls, stop_reason: "tool_use" }),
    };
    const pay = defineTool({ name: "pay", input_schema: { type: "object" }, execute: async () => "paid" });
    const { run } = begin({ provider, tools: [pay], options: { permissions: {}, max_turns: 1 } });
    expect((await run.result).status).toBe("max_turns");
    expect(outcomes(await run.session)).toEqual(["denied"]);
  });

  it("gives calls with the same arguments different hashes, and the same hash when it is asked again [PERMISSION-12]", async () => {
    const { run, setup } = begin();
    const first = await run.result;
    const [one, two] = hashes(first);
    expect(one).not.toBe(two);
    const mixed: ResumeDecision[] = [
      { id: "c1", action: "approve", input_hash: two! },
      { id: "c2", action: "approve", input_hash: one! },
    ];
    const refused = await resume({ ...setup, snapshot: first.snapshot!, decisions: mixed }).result;
    expect(refused.error?.kind).toBe("configuration");
    const right = mixed.map((decision, i) => ({ ...decision, input_hash: hashes(first)[i]! })) as ResumeDecision[];
    const kept = JSON.parse(JSON.stringify(first.snapshot)) as NonNullable<RunResult["snapshot"]>;
    expect((await resume({ ...setup, snapshot: kept, decisions: right }).result).status).toBe("completed");
  });
});
