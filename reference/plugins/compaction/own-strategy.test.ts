// Strategies of the caller: what they may do, and that nothing else is done.

import { describe, expect, it } from "vitest";

import {
  LONG,
  AT,
  calls,
  says,
  scripted,
  save,
  fails,
  run,
  warnings,
  replacements,
  type Outcome,
} from "../../testing/long-calls.ts";
import type { Message } from "../../../schemas/types.ts";
import type { CompactionStrategy, Replacement } from "./strategy.ts";

const own = (compact: CompactionStrategy["compact"]): CompactionStrategy => ({ name: "own", compact });
const OWN = { strategy: "own", at_tokens: AT, keep_last_turns: 1 };

/** The first turn has failed, the second one is the last response when the strategy is asked. */
async function withOwn(compact: CompactionStrategy["compact"], tool = save): Promise<Outcome> {
  const provider = scripted(calls("a", 1), calls("b"), says("Done."));
  return run(provider, OWN, { compactWith: [own(compact)], tools: [tool] });
}

describe("a strategy of the caller", () => {
  it("is used if it keeps what must stay [COMPACT-20]", async () => {
    const note: Message = { role: "user", content: "It was saved.", synthetic: true, compacted: true };
    const outcome = await withOwn(({ keepFrom }) => ({ from: 1, to: keepFrom, messages: [note] }));
    expect(warnings(outcome)).toEqual([]);
    expect(replacements(outcome)).toMatchObject([{ strategy: "own", from: 1, to: 3, messages: [note] }]);
    expect(outcome.messages.map(({ role, type }) => role ?? type)).toEqual([
      "user",
      "user",
      "tool_call",
      "tool_result",
      "assistant",
    ]);
    expect(outcome.result).toMatchObject({ status: "completed", final_text: "Done." });
  });

  it("that asks the model, and then leaves the session as it is, is paid for [COMPACT-17]", async () => {
    const provider = scripted(calls("a", 1), calls("b"), says("Nothing to gain."), says("Done."));
    const compact: CompactionStrategy["compact"] = async ({ ask }) => {
      await ask([{ role: "user", content: "Would it help?" }]);
      return undefined;
    };
    const { result } = await run(provider, OWN, { compactWith: [own(compact)], tools: [save] });
    expect(result.compactions).toMatchObject([{ strategy: "own", failed: "nothing came of it", usage: {} }]);
  });

  const call = (messages: readonly Message[], at: number) =>
    structuredClone(messages[at]!) as Message & { input: object };
  const bad: Record<string, CompactionStrategy["compact"]> = {
    "loses the task": ({ keepFrom }) => ({ from: 0, to: keepFrom, messages: [] }),
    "puts the task in other words": () => ({ from: 0, to: 1, messages: [{ role: "user", content: "Go?" }] }),
    "loses a result": () => ({ from: 2, to: 3, messages: [] }),
    "loses a call": () => ({ from: 1, to: 2, messages: [] }),
    "changes the last response": ({ messages }) => ({
      from: 3,
      to: 4,
      messages: [{ ...call(messages, 3), input: { _compacted: true, preview: "…" }, compacted: true } as Message],
    }),
    "loses the last response": () => ({ from: 3, to: 5, messages: [{ role: "user", content: "…", compacted: true }] }),
    "ends in a message of the assistant": () => ({
      from: 5,
      to: 5,
      messages: [{ role: "assistant", content: "Well." }],
    }),
    "makes up what the model said": () => ({
      from: 3,
      to: 3,
      messages: [{ role: "assistant", content: "I saved it." }],
    }),
    "says something unmarked": () => ({ from: 3, to: 3, messages: [{ role: "user", content: "It was saved." }] }),
    "cuts arguments off": ({ messages }) => ({
      from: 1,
      to: 2,
      messages: [{ ...call(messages, 1), input: null, raw_input: '{"text":"A lo', compacted: true } as Message],
    }),
    "gives another id": ({ messages }) => ({ from: 1, to: 2, messages: [{ ...call(messages, 1), id: "z" }] }),
    "changes the order": ({ messages }) => ({ from: 0, to: 3, messages: [1, 2, 0].map((at) => call(messages, at)) }),
    "has a range that is none": () => ({ from: 2, to: 1, messages: [] }),
    "goes beyond the end": () => ({ from: 1, to: 99, messages: [] }),
    throws: () => {
      throw new Error("no space");
    },
    rejects: async () => Promise.reject(new Error("no space")),
    "answers nonsense": () => ({}) as Replacement,
  };
  it.each(Object.entries(bad))("that %s changes nothing [COMPACT-20]", async (_, compact) => {
    const outcome = await withOwn(compact);
    expect(warnings(outcome)).toMatchObject([{ code: "compaction_failed", turn: 2 }]);
    expect(replacements(outcome)).toEqual([]);
    expect(outcome.messages).toMatchObject([
      { role: "user", content: "Go." },
      { type: "tool_call", id: "a", input: { text: LONG } },
      { type: "tool_result", id: "a" },
      { type: "tool_call", id: "b", input: { text: LONG } },
      { type: "tool_result", id: "b" },
      { role: "assistant" },
    ]);
    expect(outcome.result).toMatchObject({
      status: "completed",
      compactions: [{ strategy: "own", failed: expect.any(String) }],
    });
  });

  it("that loses an error, or shortens it, changes nothing [COMPACT-20]", async () => {
    const shorter: CompactionStrategy["compact"] = ({ messages }) => ({
      from: 2,
      to: 3,
      messages: [{ ...messages[2]!, output: "disk", compacted: true } as Message],
    });
    for (const compact of [shorter, () => ({ from: 1, to: 3, messages: [] })]) {
      const outcome = await withOwn(compact, fails);
      expect(warnings(outcome)).toMatchObject([{ code: "compaction_failed" }]);
      expect(outcome.messages[2]).toMatchObject({ output: "disk full", is_error: true });
    }
  });

  it("cannot change the session that it is shown, nor hold up a cancel [COMPACT-20]", async () => {
    const cancel = new AbortController();
    const waits = own(() => new Promise(() => setImmediate(() => cancel.abort())));
    const provider = scripted(calls("a"), says("never"));
    const outcome = await run(provider, OWN, { compactWith: [waits], signal: cancel.signal });
    expect(outcome.result.status).toBe("cancelled");
    expect(warnings(outcome)).toEqual([]);
    expect(provider.asked).toHaveLength(1);
  });

  it("that has nothing to do has not failed [COMPACT-22]", async () => {
    const provider = scripted(...["a", "b", "c", "d", "e"].map((id) => calls(id)), says("Done."));
    let attempts = 0;
    const outcome = await run(provider, OWN, { compactWith: [own(() => void (attempts += 1))] });
    expect(attempts).toBe(5);
    expect(warnings(outcome)).toEqual([]);
    expect(outcome.result.compactions).toBeUndefined();
  });
});
