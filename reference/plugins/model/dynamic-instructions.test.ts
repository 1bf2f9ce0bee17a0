// Instructions that a function makes, beyond what a case can show: a cancel while they are made, copies, several agents.

import type { AgentWithTools } from "../../tools/agents.ts";
import { describe, expect, it } from "vitest";

import { agentLoop } from "../../run/run.ts";
import type { Provider } from "../../core/ports.ts";
import { initSession } from "../../core/session.ts";
import { defineTool } from "../../tools/define-tool.ts";
import type { ToldInTurn } from "../../tools/turn-info.ts";
import type { ModelRequest, ModelResponse } from "../../../schemas/types.ts";

const session = initSession({ id: "s", user: "Go." });
const input_schema = { type: "object" } as const;
const call = (name: string): ModelResponse => ({
  messages: [{ type: "tool_call", id: "c", name, input: {} }],
  stop_reason: "tool_use",
});
const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };

/** A provider with a script, and the requests that it saw. */
function scripted(...responses: ModelResponse[]): Provider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return { name: "scripted", requests, invokeModel: async (request) => (requests.push(request), responses.shift()!) };
}

const leading = ({ requests }: { requests: ModelRequest[] }) => requests.map(({ messages }) => messages[0]);

describe("a function that makes instructions", () => {
  it("is told what there is in its turn, as copies", async () => {
    const received: ToldInTurn[] = [];
    const look = defineTool({ name: "look", input_schema, execute: () => "seen" });
    const provider = scripted(call("look"), done);
    const run = agentLoop({
      session,
      provider,
      tools: [look],
      context: { user: { name: "Ann" } },
      instructions: (now) => {
        received.push(structuredClone(now));
        (now.context["user"] as { name: string }).name = "Bob";
        now.session.messages.length = 0;
        return `Turn ${now.turn}.`;
      },
    });
    const result = await run.result;
    expect(result).toMatchObject({ status: "completed", context: { user: { name: "Ann" } } });
    expect(result.steps.map(({ system }) => system)).toEqual(["Turn 1.", "Turn 2."]);
    expect(received.map(({ turn, agent, context }) => [turn, agent, context])).toEqual([
      [1, "main", { user: { name: "Ann" } }],
      [2, "main", { user: { name: "Ann" } }],
    ]);
    expect(received[1]!.session.messages).toHaveLength(3);
    expect((await run.session).messages).toHaveLength(4);
    expect(leading(provider)).toEqual([
      { role: "system", content: "Turn 1." },
      { role: "system", content: "Turn 2." },
    ]);
  });

  it("speaks for its own agent only, and a text stays a text", async () => {
    const toCook = defineTool({ name: "to_cook", input_schema, execute: () => ({ output: "ok", handoff: "cook" }) });
    const agents: Record<string, AgentWithTools> = {
      clerk: { name: "clerk", instructions: "You are a clerk.", tools: [toCook] },
      cook: { name: "cook", instructions: async ({ agent }) => `You are a ${agent}.` },
    };
    const provider = scripted(call("to_cook"), done);
    const result = await agentLoop({ session, provider, agents, agent: "clerk" }).result;
    expect(leading(provider).map((message) => message?.["content" as never])).toEqual([
      "You are a clerk.",
      "You are a cook.",
    ]);
    expect(result.steps.map((step) => step.system)).toEqual([undefined, "You are a cook."]);
    expect(result.steps[0]).not.toHaveProperty("system");
  });

  it("ends the run if it throws or makes no text [LOOP-78]", async () => {
    const broken: [() => string, RegExp][] = [
      [
        () => {
          throw new Error("no template");
        },
        /no template/,
      ],
      [() => undefined as never, /expected a string, got undefined/],
    ];
    for (const [instructions, message] of broken) {
      const provider = scripted();
      const result = await agentLoop({ session, provider, instructions }).result;
      expect(result).toMatchObject({ status: "error", error: { kind: "configuration" } });
      expect(result.error!.message).toMatch(message);
      expect(provider.requests).toEqual([]);
    }
  });

  it("is not waited for once the run is cancelled, and may fail later", async () => {
    const late = Promise.withResolvers<string>();
    const provider = scripted();
    const instructions = () => {
      queueMicrotask(() => run.cancel());
      return late.promise;
    };
    const run = agentLoop({ session, provider, instructions });
    expect(await run.result).toMatchObject({ status: "cancelled", turns: 1 });
    expect((await run.session).messages).toEqual(session.messages);
    late.reject(new Error("too late"));
    expect(provider.requests).toEqual([]);
  });

  it("does not get into a snapshot", async () => {
    const ask = defineTool({ name: "ask", input_schema });
    const run = agentLoop({ session, provider: scripted(call("ask")), tools: [ask], instructions: () => "Be brief." });
    const { status, snapshot } = await run.result;
    expect(status).toBe("suspended");
    expect(structuredClone(snapshot)).toEqual(snapshot);
    expect(JSON.stringify(snapshot!.session)).not.toContain("Be brief.");
  });
});
