// Runs on copies of a session: what is kept, what is discarded, and the total usage.

import { describe, expect, it } from "vitest";
import { backtrack, bestOf, bestOfN, chain, consolidate, delegate } from "./hypotheses.ts";
import { forkSession } from "../state/edit-session.ts";
import { defineTool, initSession, type ModelRequest, type ModelResponse, type RunSetup } from "../index.ts";
import { type Branch } from "./hypotheses.ts";

const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};
const say = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
  usage,
  model: "m",
});
const failed: ModelResponse = {
  messages: [],
  stop_reason: "error",
  error: { kind: "authentication", message: "no key" },
  usage,
};

/** An agent with scripted answers; `requests` collects its requests. */
function agent(answers: ModelResponse[], requests: ModelRequest[] = []): RunSetup {
  const invokeModel = async (request: ModelRequest) => {
    requests.push(structuredClone(request));
    return answers.shift()!;
  };
  return { provider: { name: "scripted", invokeModel } };
}

const session = initSession({ id: "s", user: "Where are we?" });
session.messages.push({ role: "assistant", content: "In Rome." });
const before = structuredClone(session);
const start = { session, prompt: "What next?" };
const texts = (branches: Branch[]) => branches.map(({ result }) => result.final_text);

describe("a forked session", () => {
  it("has the same messages under its own id, and shares nothing", () => {
    const fork = forkSession(session, "f");
    expect(fork).toEqual({ ...session, id: "f" });
    (fork.messages[0] as { content: string }).content = "changed";
    expect(session).toEqual(before);
  });
});

describe("delegate", () => {
  it("gives an agent the history and a task, and does not modify the session", async () => {
    const requests: ModelRequest[] = [];
    const { result, session: after } = await delegate(agent([say("To Paris.")], requests), start);
    expect(result.final_text).toBe("To Paris.");
    expect(requests[0]!.messages).toEqual([...session.messages, { role: "user", content: "What next?" }]);
    expect(after.messages).toHaveLength(4);
    expect(session).toEqual(before);
  });
});

describe("chain", () => {
  it("passes each agent the final text of its predecessor, but not its history", async () => {
    const requests: ModelRequest[] = [];
    const { chosen, usage: all } = await chain([agent([say("Draft.")]), agent([say("Better.")], requests)], start);
    expect(requests[0]!.messages).toEqual([...session.messages, { role: "user", content: "Draft." }]);
    expect(chosen).toMatchObject({ result: { final_text: "Better." }, session: { id: "s" } });
    expect(all.input_tokens).toBe(20);
  });

  it("ends with a run that does not complete", async () => {
    const { chosen, branches } = await chain([agent([failed]), agent([])], start);
    expect(chosen).toBeUndefined();
    expect(branches).toMatchObject([{ result: { status: "error" } }]);
  });
});

describe("consolidate", () => {
  it("combines the available answers into one", async () => {
    const requests: ModelRequest[] = [];
    const { branches } = await bestOf(
      [agent([say("A.")]), agent([failed]), agent([say("B.")])],
      start,
      ([first]) => first,
    );
    const { result } = await consolidate(agent([say("A and B.")], requests), { session, prompt: "Sum up." }, branches);
    expect(result.final_text).toBe("A and B.");
    const parts = ["Sum up.", "Answer 1:\nA.", "Answer 2:\nB."].map((text) => ({ type: "text", text }));
    expect(requests[0]!.messages.at(-1)).toEqual({ role: "user", content: parts });
  });
});

describe("best of n", () => {
  it("runs concurrently, each on its own copy, and keeps the chosen one", async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const setup = agent([say("one"), say("three"), say("two")]);
    const { invokeModel } = setup.provider;
    setup.provider = {
      name: "gated",
      async invokeModel(...args) {
        const answer = await invokeModel(...args);
        running += 1;
        if (running === 3) gate.resolve();
        await gate.promise; // no branch continues before all have started
        return answer;
      },
    };
    const longest = (all: Branch[]) =>
      all.toSorted((a, b) => b.result.final_text.length - a.result.final_text.length)[0];
    const { chosen, branches, usage: all } = await bestOfN(setup, start, { count: 3, choose: longest });
    expect(texts(branches).sort()).toEqual(["one", "three", "two"]);
    expect(chosen!.session).toMatchObject({ id: "s", messages: { length: 4, 3: { content: "three" } } });
    expect(all.input_tokens).toBe(30);
    expect(session).toEqual(before);
  });

  it("keeps only the usage of a failed run", async () => {
    const prices = { currency: "USD", models: { m: { input: "100000", output: "0" } } };
    const priced = { ...agent([say("good"), say("bad")]), model: "m", options: { prices } };
    const shown: string[][] = [];
    const choose = (all: Branch[]) => {
      shown.push(texts(all));
      return all[0];
    };
    const { chosen, cost, usage: all } = await bestOf([agent([failed]), priced, priced], start, choose);
    expect(shown).toEqual([["good", "bad"]]);
    expect(chosen!.session.messages.map((message) => "content" in message && message.content)).not.toContain("bad");
    expect({ cost, tokens: all.input_tokens }).toEqual({ cost: "2", tokens: 30 });
  });

  it("chooses none if none completed", async () => {
    const choose = () => expect.unreachable();
    expect((await bestOf([agent([failed])], start, choose)).chosen).toBeUndefined();
  });
});

describe("backtracking", () => {
  it("returns to the same point after each rejected attempt", async () => {
    const requests: ModelRequest[] = [];
    const tool = defineTool({ name: "dig", input_schema: { type: "object" }, execute: () => "nothing there" });
    const dig: ModelResponse = {
      messages: [{ type: "tool_call", id: "c", name: "dig", input: {} }],
      stop_reason: "tool_use",
      usage,
    };
    const ways = [
      { ...agent([dig, say("Nothing.")]), tools: [tool] },
      agent([failed]),
      agent([say("Found.")], requests),
      agent([]),
    ];
    const accept = ({ result }: Branch) => result.final_text === "Found.";
    const { chosen, branches, usage: all } = await backtrack(ways, start, accept);
    expect(requests[0]!.messages).toEqual([...session.messages, { role: "user", content: "What next?" }]);
    expect(chosen!.session.messages).toHaveLength(4);
    expect(texts(branches)).toEqual(["Nothing.", "", "Found."]);
    expect(all.input_tokens).toBe(40);
  });

  it("ends if nothing is accepted, or on a cancel", async () => {
    expect((await backtrack([agent([say("no")])], start, () => false)).chosen).toBeUndefined();
    const ways = [agent([say("never")]), agent([say("never")])].map((way) => ({ ...way, signal: AbortSignal.abort() }));
    expect((await backtrack(ways, start)).branches).toHaveLength(1);
  });
});
