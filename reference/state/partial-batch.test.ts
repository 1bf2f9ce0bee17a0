// A batch that is executed in part: what is not lost while the caller decides.

import type { RunSetup } from "../run/setup.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, resume } from "../run/run.ts";
import { agentLoop as runCore, plainPoints } from "../core/agent-loop.ts";
import type { Ports, Provider } from "../core/ports.ts";
import { initSession, initState } from "../core/session.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { ModelRequest, ModelResponse, PendingCall, Snapshot, Tool } from "../../schemas/types.ts";

const calls = ["look", "send"].map((name) => ({ type: "tool_call" as const, id: name, name, input: {} }));
const answers = (): ModelResponse[] => [
  { messages: structuredClone(calls), stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" },
];
const options = { approval_batch: "eager", permissions: { rules: [{ effect: "allow", match: "look" }] } } as const;
const session = () => initSession({ id: `parts-${crypto.randomUUID()}`, user: "Go." });

function begin(extra: Partial<RunSetup> = {}) {
  const executed: string[] = [];
  const requests: ModelRequest[] = [];
  const script = answers();
  const provider: Provider = {
    name: "scripted",
    async invokeModel(request) {
      requests.push(request);
      return script.shift()!;
    },
  };
  const tools = calls.map(({ name }) =>
    defineTool({ name, input_schema: { type: "object" }, execute: () => `${executed.push(name)}` }),
  );
  const setup: RunSetup = {
    provider,
    tools,
    options: { ...options, permissions: { rules: [...options.permissions.rules] } },
    ...extra,
  };
  return { executed, requests, setup };
}

/** As another process would read it. */
const copyOf = (snapshot: Snapshot) => JSON.parse(JSON.stringify(snapshot)) as Snapshot;

describe("a batch of which a call waits", () => {
  it("keeps what came of the rest in the snapshot, and reports it once [PERMISSION-20]", async () => {
    const { setup, executed } = begin();
    const suspended = await agentLoop({ ...setup, session: session() }).result;
    expect(executed).toEqual(["look"]);
    expect(suspended.snapshot!.unfinished).toEqual({
      look: { executed: { result: { type: "tool_result", id: "look", output: "1", outcome: "ok" } } },
    });
    const [{ id, input_hash }] = suspended.pending as [Required<PendingCall>];
    const decisions = [{ id, action: "approve" as const, input_hash }];
    const { status, steps, turns } = await resume({ ...setup, snapshot: copyOf(suspended.snapshot!), decisions })
      .result;
    expect([status, turns]).toEqual(["completed", 2]);
    expect(executed).toEqual(["look", "send"]);
    expect(steps[0]!.tools!.map(({ id: tool }) => tool)).toEqual(["look", "send"]);
    expect(steps[0]!.outcomes).toEqual(["ok", "ok"]);
  });

  it("does not forget what a hook has to say about the rest [HOOK-10]", async () => {
    const hooks = [{ point: "after_tool" as const, tool: "look", run: async () => ({ add_context: "Mind the gap." }) }];
    const { setup } = begin({ hooks });
    const { snapshot } = await agentLoop({ ...setup, session: session() }).result;
    expect(snapshot!.unsaid).toEqual([{ text: "Mind the gap.", id: "look" }]);
    const other = begin();
    other.setup.provider = { name: "scripted", invokeModel: async () => answers()[1]! };
    const decisions = [{ id: "send", action: "skip" as const }];
    const after = await resume({ ...other.setup, snapshot: copyOf(snapshot!), decisions }).session;
    const steered = after.messages.filter((message) => "role" in message && message.role === "user").slice(1);
    expect(steered).toEqual([{ role: "user", content: "Mind the gap.", synthetic: true }]);
  });

  it("suspends at once where everything waits, and keeps nothing", async () => {
    const { setup, executed } = begin({ options: { approval_batch: "eager", permissions: {} } });
    const { status, snapshot, pending } = await agentLoop({ ...setup, session: session() }).result;
    expect([status, executed, pending!.length]).toEqual(["suspended", [], 2]);
    expect(snapshot).not.toHaveProperty("unfinished");
  });

  it("is executed by the plain core as well, without the call that waits", async () => {
    const executed: string[] = [];
    const script = answers();
    const toolOf = (name: string): Tool => ({ name, input_schema: { type: "object" }, external: name === "send" });
    const tools = calls.map(({ name }) => toolOf(name));
    const ports: Ports = {
      ...plainPoints,
      agents: { main: { name: "main", tools } },
      invokeModel: async () => script.shift()!,
      executeTool: async ({ name }) => `${executed.push(name)}`,
      emit: () => {},
      signal: new AbortController().signal,
      validateInput: async () => [],
    };
    const last = await runCore(initState(session(), "main", { approval_batch: "eager" }), ports);
    expect([last.phase, executed]).toEqual(["suspended", ["look"]]);
  });
});
