// Compaction beyond what a case can show: cancels, resumed runs, what is asked for a summary, and what other modules see of it.

import { describe, expect, it } from "vitest";

import { agentLoop, resume } from "../../run/run.ts";
import { UNKNOWN } from "../../core/usage.ts";
import { defineTool } from "../../tools/define-tool.ts";
import { LONG, AT, calls, says, scripted, save, start, run, warnings, replacements } from "../../testing/long-calls.ts";
import type { Message, ModelResponse, Session } from "../../../schemas/types.ts";

type Replaced = ReturnType<typeof replacements>[number];

describe("a summary", () => {
  const SUMMARIZE = { strategy: "summarize", at_tokens: AT, keep_last_turns: 1 };

  it("is asked for without tools, with the model that is asked next, and again if that fails [COMPACT-16]", async () => {
    const failed: ModelResponse = {
      messages: [],
      stop_reason: "error",
      error: { kind: "overloaded", message: "busy", retry_after_ms: 0 },
    };
    const provider = scripted(calls("a", 1), calls("b"), failed, says("A summary."), says("Done."));
    const outcome = await run(provider, SUMMARIZE, { model: "m" });
    expect(provider.asked[2]).toMatchObject({ model: "m", tools: [] });
    expect(outcome.result).toMatchObject({ status: "completed", turns: 3 });
    expect(outcome.result.compactions).toMatchObject([{ turn: 2, attempts: [{ error: { kind: "overloaded" } }] }]);
    expect(outcome.events.filter(({ type }) => type === "retry")).toEqual([]);
  });

  it("is broken off with the run, and leaves the session as it was [COMPACT-4]", async () => {
    const cancel = new AbortController();
    const slow = () => new Promise<ModelResponse>(() => setImmediate(() => cancel.abort()));
    const outcome = await run(scripted(calls("a", 1), calls("b"), slow), SUMMARIZE, { signal: cancel.signal });
    expect(outcome.result.status).toBe("cancelled");
    expect(warnings(outcome)).toEqual([]);
    expect(outcome.messages).toHaveLength(5);
  });

  it("does not forget ids, and stop conditions still count the calls that are gone [SESSION-9] [LOOP-48]", async () => {
    const provider = scripted(calls("a", 1), calls("b"), says("A summary."), calls("a", 1), says("Done."));
    const options = { stop_when: [{ no_progress: 9 }, { same_call: 9 }] };
    const outcome = await run(provider, SUMMARIZE, { options });
    expect(outcome.result.status).toBe("completed");
    const ids = outcome.messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : []));
    expect(ids).toEqual(["b", "a_2"]);
  });

  it("is in the budget before the next turn [COMPACT-17]", async () => {
    const prices = { currency: "USD", models: { m: { input: "1000", output: "0" } } };
    const dear = { ...says("A summary."), model: "m", usage: { ...UNKNOWN, input_tokens: 3_000, output_tokens: 1 } };
    const b = calls("b");
    const spoken = { ...b, model: "m", messages: [{ role: "assistant" as const, content: "I save." }, ...b.messages] };
    const provider = scripted({ ...calls("a", 1), model: "m" }, spoken, dear, says("never"));
    const outcome = await run(provider, SUMMARIZE, { model: "m", options: { prices, budget: "4" } });
    expect(outcome.result).toMatchObject({ status: "budget", cost: "5.001", cost_by_model: { m: "5.001" }, turns: 2 });
    expect(outcome.result.final_text).toBe("I save."); // wherever that has moved [RESULT-2]
    const [{ before_tokens, after_tokens }] = replacements(outcome) as [Replaced];
    expect(before_tokens).toBeGreaterThan(2 * AT);
    expect(after_tokens).toBeLessThan(AT); // what the provider reported holds no more [COMPACT-3]
  });

  it("is summarized again with what came after it, once", async () => {
    const provider = scripted(
      ...[calls("a", 1), calls("b"), says("First."), calls("c"), says("Second."), says("Done.")],
    );
    const outcome = await run(provider, SUMMARIZE);
    expect(JSON.stringify(provider.asked[4])).toContain("First.");
    expect(outcome.messages.filter(({ role }) => role === "user")).toHaveLength(2);
    expect(outcome.messages[1]).toMatchObject({ content: expect.stringContaining("Second.") as string });
  });
});

describe("a compacted run", () => {
  const OLD = { strategy: "truncate_old", at_tokens: AT, keep_last_turns: 1 };

  it("leaves the caller's session and its messages alone [SESSION-3]", async () => {
    const session: Session = {
      ...start,
      messages: [
        { role: "user", content: "Go." },
        { type: "tool_call", id: "x", name: "save", input: { text: LONG } },
        { type: "tool_result", id: "x", output: LONG.repeat(3) },
        { role: "assistant", content: "Done." },
        { role: "user", content: "More." },
      ],
    };
    const before = structuredClone(session);
    const outcome = await run(scripted(says("Done.")), { ...OLD, at_tokens: 1, max_result_chars: 300 }, { session });
    expect(session).toEqual(before);
    expect(replacements(outcome).map(({ strategy }) => strategy)).toEqual(["shorten_results", "truncate_old"]);
  });

  it("goes on counting failures, and what the provider reported, where it was resumed [COMPACT-22]", async () => {
    const ask = defineTool({ name: "ask", input_schema: { type: "object" } });
    const waits: ModelResponse = { ...calls("q"), messages: [{ type: "tool_call", id: "q", name: "ask", input: {} }] };
    const setup = { tools: [save, ask], options: { compaction: OLD } };
    const first = agentLoop({ provider: scripted(calls("a"), waits), ...setup, session: start });
    const { snapshot } = await first.result;
    expect(snapshot!.counters).toMatchObject({ context_tokens: 2 * AT, context_messages: 3 });
    const decisions = [{ id: "q", action: "respond" as const, output: "yes" }];
    const kept = JSON.parse(JSON.stringify(snapshot)) as NonNullable<typeof snapshot>;
    const second = resume({ provider: scripted(says("Done.")), ...setup, snapshot: kept, decisions });
    const { messages } = await second.session;
    expect(messages[1]).toMatchObject({ id: "a", compacted: true });
    expect(messages.at(-1)).toMatchObject({ content: "Done." });
  });

  it("has the guardrails look at the input once [GUARDRAIL-2]", async () => {
    let checks = 0;
    const guardrail = { name: "g", points: ["input" as const], check: () => ({ trip: (checks += 1) > 9 }) };
    const session = {
      ...start,
      messages: [...start.messages, ...toolTurn("x"), { role: "user" as const, content: "More." }],
    };
    const outcome = await run(scripted(says("Done.")), { max_result_chars: 300 }, { session, guardrails: [guardrail] });
    expect(replacements(outcome)).toHaveLength(1);
    expect(checks).toBe(1);
  });

  it("never has half a letter [COMPACT-13]", async () => {
    const input = { text: `${"x".repeat(190)}${"🙂".repeat(50)}` };
    const { messages } = await run(scripted(calls("a", 1, input), calls("b"), says("Done.")), OLD);
    const { preview } = (messages[1] as unknown as { input: { preview: string } }).input;
    expect(preview.isWellFormed()).toBe(true);
    expect(preview.length).toBeGreaterThan(195);
  });
});

function toolTurn(id: string): Message[] {
  return [
    { type: "tool_call", id, name: "save", input: {} },
    { type: "tool_result", id, output: LONG },
    { role: "assistant", content: "Done." },
  ];
}

describe("a strategy", () => {
  it.each(["truncate_old", "summarize"])("%s that nothing would ever ask is refused [COMPACT-27]", async (strategy) => {
    const provider = scripted(says("never"));
    const { result } = await run(provider, { strategy });
    expect(result.error).toEqual({ kind: "configuration", message: expect.stringMatching(/at_tokens or window/) });
    expect(provider.asked).toEqual([]);
    expect((await run(scripted(says("Done.")), { max_result_chars: 9 })).result.status).toBe("completed");
  });
});
