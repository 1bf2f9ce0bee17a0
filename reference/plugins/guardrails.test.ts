// Guardrails beyond what a case can show: a cancel while one is asked, findings that are none, tools that run at once.

import type { RunSetup } from "../run/setup.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, resume } from "../run/run.ts";
import type { Provider } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { Guardrail } from "./guardrails.ts";
import { checkSession } from "../state/check-session.ts";
import { foldJournal, type Journal } from "../state/journal-records.ts";
import type {
  GuardrailCheck,
  GuardrailFinding,
  GuardrailPoint,
  JournalRecord,
  ModelResponse,
  RunResult,
} from "../../schemas/types.ts";

const session = initSession({ id: "s", user: "Go." });
const calls = (...names: string[]): ModelResponse => ({
  messages: names.map((name, i) => ({ type: "tool_call" as const, id: `c${i}`, name, input: {} })),
  stop_reason: "tool_use",
});
const text = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});

function scripted(...responses: (ModelResponse | (() => Promise<ModelResponse>))[]): Provider & { asked: number } {
  const provider = {
    name: "scripted",
    asked: 0,
    invokeModel: async () => {
      const next = responses[provider.asked++]!;
      return typeof next === "function" ? next() : next;
    },
  };
  return provider;
}

const input_schema = { type: "object" } as const;
const annotations = { read_only: true };
const look = defineTool({ name: "look", input_schema, annotations, execute: () => "seen" });
const everywhere: GuardrailPoint[] = ["input", "model_output", "tool_input", "tool_output", "final_output"];
const guard = (check: Guardrail["check"], ...points: GuardrailPoint[]): Guardrail => ({
  name: "guard",
  points: points.length > 0 ? points : everywhere,
  check,
});
const never = () => Promise.withResolvers<never>().promise;

/** Runs to the end. The session must be one that another run could begin on. */
async function ran(setup: RunSetup & { session: typeof session }): Promise<RunResult> {
  const run = agentLoop(setup);
  const [result, after] = await Promise.all([run.result, run.session]);
  expect(checkSession(after)).toEqual([]);
  return result;
}

describe("a cancel while a guardrail is asked", () => {
  it.each(everywhere)(
    "ends the run at once at %s, with the signal aborted and nothing asked after it",
    async (point) => {
      const received: string[] = [];
      let signalled: AbortSignal | undefined;
      const stuck = guard((_, signal) => {
        signalled = signal;
        queueMicrotask(() => run.cancel());
        return never();
      }, point);
      const after = guard(({ point: asked }) => (received.push(asked), { trip: true }), point);
      const provider = scripted(calls("look"), text("Done."));
      const run = agentLoop({ session, provider, tools: [look], guardrails: [stuck, after] });
      const [result, left] = await Promise.all([run.result, run.session]);
      expect(result.status).toBe("cancelled");
      expect(result.guardrail).toBeUndefined();
      expect(signalled?.aborted).toBe(true);
      expect(received).toEqual([]);
      expect(checkSession(left)).toEqual([]);
    },
  );

  it("leaves a check alone that fails after nobody waits for it any more", async () => {
    const late = Promise.withResolvers<GuardrailFinding>();
    const stuck = guard(() => {
      queueMicrotask(() => run.cancel());
      return late.promise;
    }, "input");
    const run = agentLoop({ session, provider: scripted(text("Done.")), guardrails: [stuck] });
    expect((await run.result).status).toBe("cancelled");
    late.reject(new Error("too late"));
  });

  it("asks nobody about a run that was cancelled before it began", async () => {
    const received: GuardrailCheck[] = [];
    const guardrails = [guard((check) => (received.push(check), { trip: false }))];
    const result = await ran({ session, provider: scripted(), guardrails, signal: AbortSignal.abort() });
    expect(result.status).toBe("cancelled");
    expect(received).toEqual([]);
  });
});

describe("a check that fails [GUARDRAIL-8]", () => {
  const failing: [string, Guardrail["check"]][] = [
    [
      "throws",
      () => {
        throw new Error("no service");
      },
    ],
    [
      "throws what is no error",
      () => {
        throw "no service";
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("no service");
      },
    ],
    ["says nothing", () => undefined as never],
    ["says whether it passed", () => ({ passed: false }) as never],
    ["says it in words", () => ({ trip: "no" }) as never],
  ];

  it.each(failing)("has tripped where it %s", async (_, check) => {
    const provider = scripted(text("never"));
    const result = await ran({ session, provider, guardrails: [guard(check, "input")] });
    expect(result).toMatchObject({ status: "guardrail", guardrail: { name: "guard", point: "input" } });
    expect(result.reason).toMatch(/no service|expected a finding/);
    expect(provider.asked).toBe(0);
  });
});

describe("the order of guardrails [GUARDRAIL-10]", () => {
  it("is theirs, one after another, however long each takes", async () => {
    const log: string[] = [];
    const named = (name: string, trip = false): Guardrail => ({
      name,
      points: ["final_output"],
      async check() {
        log.push(`${name} asked`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`${name} answers`);
        return { trip };
      },
    });
    const guardrails = [named("a"), named("b", true), named("c")];
    const result = await ran({ session, provider: scripted(text("Done.")), guardrails });
    expect(result.guardrail).toEqual({ name: "b", point: "final_output" });
    expect(log).toEqual(["a asked", "a answers", "b asked", "b answers"]);
  });
});

describe("a final text that is refused [GUARDRAIL-14]", () => {
  it("is marked in the journal, too, with the thinking before it", async () => {
    const records: JournalRecord[] = [];
    const journal: Journal = {
      read: async () => records,
      append: async (written) => void records.push(...written),
    };
    const thought: ModelResponse = {
      messages: [
        { type: "thinking", content: "They want the key." },
        { role: "assistant", content: "It is in the drawer." },
      ],
      stop_reason: "end_turn",
    };
    const guardrails = [guard(() => ({ trip: true }), "final_output")];
    const run = agentLoop({ session, provider: scripted(thought), guardrails, journal });
    const left = await run.session;
    expect(left.messages.slice(-2)).toMatchObject([
      { type: "thinking", status: "incomplete", meta: { guardrail: "guard" } },
      { role: "assistant", status: "incomplete", meta: { guardrail: "guard" } },
    ]);
    expect(foldJournal(records).session).toEqual(left);
  });
});

describe("tools that run at once", () => {
  it("all end, and each output over which it trips is marked; the first in call order is the ending [GUARDRAIL-22]", async () => {
    const slow = Promise.withResolvers<string>();
    const log: string[] = [];
    const tools = [
      defineTool({ name: "slow", input_schema, annotations, execute: () => slow.promise }),
      defineTool({ name: "quick", input_schema, annotations, execute: () => "quick" }),
      look,
    ];
    const trips = guard(({ call, output }) => {
      log.push(String(output));
      if (call!.name === "quick") slow.resolve("slow");
      return { trip: call!.name !== "look", reason: call!.name };
    }, "tool_output");
    const provider = scripted(calls("slow", "quick", "look"), text("never"));
    const run = agentLoop({ session, provider, tools, guardrails: [trips] });
    const [result, left] = await Promise.all([run.result, run.session]);
    expect(result).toMatchObject({ status: "guardrail", reason: "slow" });
    expect(log.toSorted()).toEqual(["quick", "seen", "slow"]);
    expect(left.messages.slice(-3).map((message) => message.meta?.guardrail)).toEqual(["guard", "guard", undefined]);
    expect(provider.asked).toBe(1);
  });

  it("are not looked at where the loop made the result up", async () => {
    const received: unknown[] = [];
    const deaf = defineTool({ name: "deaf", input_schema, timeout_ms: 1, execute: never });
    const guardrails = [guard(({ output }) => (received.push(output), { trip: true }), "tool_output")];
    const result = await ran({ session, provider: scripted(calls("deaf"), text("Done.")), tools: [deaf], guardrails });
    expect(result.status).toBe("completed");
    expect(received).toEqual([]);
  });
});

describe("what a guardrail is told", () => {
  it("is a copy: it changes nothing", async () => {
    const spoil = guard((received) => {
      for (const message of received.messages ?? [])
        Object.assign(message, { content: "spoilt", input: { spoilt: true } });
      if (received.call) received.call.input["spoilt"] = true;
      return { trip: false };
    });
    const inputs: unknown[] = [];
    const tools = [defineTool({ name: "take", input_schema, execute: (input) => (inputs.push(input), "ok") })];
    const run = agentLoop({ session, provider: scripted(calls("take"), text("Done.")), tools, guardrails: [spoil] });
    expect(await run.session).toMatchObject({
      messages: [{ content: "Go." }, { input: {} }, {}, { content: "Done." }],
    });
    expect(JSON.stringify(await run.session)).not.toContain("spoilt");
    expect(inputs).toEqual([{}]);
  });

  it("is not what hooks and people add before the first turn", async () => {
    const received: unknown[] = [];
    const guardrails = [guard(({ messages }) => (received.push(messages), { trip: false }), "input")];
    const hooks = [{ point: "user_input" as const, run: () => ({ add_context: "It is Monday." }) }];
    await ran({ session, provider: scripted(text("Done.")), guardrails, hooks });
    expect(received).toEqual([[{ role: "user", content: "Go." }]]);
  });

  it("is no model call that failed", async () => {
    const received: unknown[] = [];
    const guardrails = [guard(({ messages }) => (received.push(messages), { trip: true }), "model_output")];
    const failed: ModelResponse = {
      messages: [{ role: "assistant", content: "I w" }],
      stop_reason: "interrupted",
      error: { kind: "stream_interrupted", message: "lost" },
    };
    const result = await ran({ session, provider: scripted(failed), guardrails, options: { max_retries: 0 } });
    expect(result.status).toBe("error");
    expect(received).toEqual([]);
  });
});

describe("a run that waits for its caller", () => {
  const ask = defineTool({ name: "ask", input_schema });

  it("is looked at before the rest of its batch is executed, and not before", async () => {
    const received: string[] = [];
    const guardrails = [guard(({ call }) => (received.push(call!.id), { trip: true, reason: "no" }), "tool_input")];
    const setup = { provider: scripted(calls("look", "ask"), text("never")), tools: [look, ask], guardrails };
    const { status, snapshot } = await agentLoop({ session, ...setup }).result;
    expect(status).toBe("suspended");
    expect(received).toEqual([]);
    const decisions = [{ id: "c1", action: "respond" as const, output: "Friday" }];
    const run = resume({ ...setup, snapshot: snapshot!, decisions });
    expect(await run.result).toMatchObject({ status: "guardrail", reason: "no" });
    expect((await run.session).messages.slice(-2)).toMatchObject([{ outcome: "denied" }, { output: "Friday" }]);
    expect(received).toEqual(["c0"]);
  });
});
