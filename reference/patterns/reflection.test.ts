// Reflection: a limited number of times, only in the run that asked for it, and only before it completes.

import { describe, expect, it } from "vitest";

import { agentLoop, initSession, type ModelResponse, type RunSetup } from "../index.ts";
import { planFirst } from "./planning.ts";
import { reflectBeforeEnd, type Reflection } from "./reflection.ts";
import { subagentTool } from "../run/subagent-tool.ts";

const say = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});
const ask = "Look again.";

/** The texts of user and model, in order, and the result. */
async function run(answers: ModelResponse[], reflection: Reflection = { ask }, setup: Partial<RunSetup> = {}) {
  const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
  const session = initSession({ id: "s", user: "What is 6 × 7?" });
  const going = agentLoop({ ...reflectBeforeEnd({ provider, ...setup }, reflection), session });
  const texts = (await going.session).messages.flatMap((message) => ("content" in message ? [message.content] : []));
  return { texts, result: await going.result };
}

describe("a run that reflects", () => {
  it("reflects once, and the last answer is the final one", async () => {
    const { texts, result } = await run([say("41."), say("42.")]);
    expect(texts).toEqual(["What is 6 × 7?", "41.", ask, "42."]);
    expect(result).toMatchObject({ status: "completed", final_text: "42.", turns: 2 });
  });

  it("reflects for the given number of rounds", async () => {
    const { texts } = await run([say("1"), say("2"), say("3"), say("4"), say("5")], { ask, rounds: 4 });
    expect(texts.filter((text) => text === ask)).toHaveLength(4);
  });

  it("does not reflect at a limit, or after a failure", async () => {
    const limited = await run([say("41.")], { ask }, { options: { max_turns: 1 } });
    expect(limited.texts).toEqual(["What is 6 × 7?", "41."]);
    const refused = await run([{ ...say("No."), stop_reason: "refusal" }]);
    expect(refused).toMatchObject({ texts: ["What is 6 × 7?", "No."], result: { status: "refused" } });
  });

  it("lets other stop hooks block first, and counts them separately", async () => {
    let blocks = 0;
    const hooks = [{ point: "stop" as const, run: () => (blocks++ < 1 ? { block: "Say why." } : {}) }];
    const { texts } = await run([say("41."), say("Because."), say("42.")], { ask }, { hooks });
    expect(texts).toEqual(["What is 6 × 7?", "41.", "Say why.", "Because.", ask, "42."]);
  });

  it("starts over with each run of a setup", async () => {
    const answers = [say("a"), say("b"), say("c"), say("d")];
    const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
    const setup = reflectBeforeEnd({ provider }, { ask });
    const texts: string[] = [];
    for (const id of ["one", "two"]) {
      texts.push((await agentLoop({ ...setup, session: initSession({ id, user: "?" }) }).result).final_text);
    }
    expect(texts).toEqual(["b", "d"]);
  });

  it("does not make its subagents reflect", async () => {
    const call = { type: "tool_call" as const, id: "c1", name: "ask_friend", input: { prompt: "?" } };
    const tools = [subagentTool({ name: "ask_friend", agent: { name: "friend" } })];
    const answers = [{ messages: [call], stop_reason: "tool_use" as const }, say("Hm."), say("41."), say("42.")];
    const { result } = await run(answers, { ask }, { tools });
    expect(result).toMatchObject({ final_text: "42.", turns: 3 });
    expect(result.steps[0]!.subagents).toMatchObject([{ turns: 1 }]);
  });

  it("can be combined with planning", async () => {
    const planned = (setup: RunSetup) => planFirst(setup, { start: "Start!" });
    const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
    const answers = [say("A plan."), say("41."), say("42.")];
    const setup = reflectBeforeEnd(planned({ provider }), { ask });
    const going = agentLoop({ ...setup, session: initSession({ id: "s", user: "?" }) });
    expect((await going.session).messages).toMatchObject([
      { content: "?" },
      { content: "A plan." },
      { content: "Start!" },
      { content: "41." },
      { content: ask },
      { content: "42." },
    ]);
  });
});
