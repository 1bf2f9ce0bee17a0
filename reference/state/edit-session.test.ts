// What is done with sessions between runs: what may begin a run, what a splice must not part, and what is read in.

import { describe, expect, it } from "vitest";

import { agentLoop } from "../run/run.ts";
import type { Provider } from "../core/ports.ts";
import { initSession, SPEC_VERSION } from "../core/session.ts";
import { checkSession } from "./check-session.ts";
import { forkSession, readSession, sessionOf, spliceSession, type Input } from "./edit-session.ts";
import type { Message, Session } from "../../schemas/types.ts";

const provider: Provider = {
  name: "scripted",
  invokeModel: async ({ messages }) => ({
    messages: [{ role: "assistant", content: JSON.stringify(messages.at(-1)) }],
    stop_reason: "end_turn",
  }),
};
const call: Message = { type: "tool_call", id: "a", name: "look", input: {} };
const result: Message = { type: "tool_result", id: "a", output: "seen" };
const user = (content: string): Message => ({ role: "user", content });
const text = (content: string): Message => ({ role: "assistant", content });
const session: Session = {
  spec_version: SPEC_VERSION,
  id: "s",
  messages: [user("Look."), call, result, text("Seen."), user("And now?"), text("Nothing.")],
};

describe("a run begins on", () => {
  it.each<[string, Input, string]>([
    ["a text", "Hello.", '{"role":"user","content":"Hello."}'],
    ["parts", [{ type: "text", text: "Hello." }], '{"role":"user","content":[{"type":"text","text":"Hello."}]}'],
    ["messages", [user("One."), text("Two."), user("Three.")], '{"role":"user","content":"Three."}'],
    ["messages that begin with a call", [call, result], JSON.stringify(result)],
  ])("%s, in a session of its own", async (_, input, said) => {
    const one = agentLoop({ provider, input });
    const other = agentLoop({ provider, input });
    expect((await one.result).final_text).toBe(said);
    expect((await one.session).id).not.toBe((await other.session).id);
  });

  it("a session to which something is said, and which stays as it was", async () => {
    const begin = initSession({ id: "said", user: "Hello." });
    const { messages } = await agentLoop({ provider, session: begin, input: [text("Hi."), user("Bye.")] }).session;
    expect(messages.map((message) => ("role" in message ? message.role : message.type))).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(begin.messages).toHaveLength(1);
  });

  it("nothing: then it is refused", async () => {
    const { error } = await agentLoop({ provider, input: [] }).result;
    expect(error).toEqual({
      kind: "invalid_session",
      message: expect.stringMatching(/ \(.*\)\. Repair the session, or append what is missing, and run again\.$/),
    });
  });

  it("the session as it is when it is called [SESSION-3]", () => {
    const given = structuredClone(session);
    const begun = sessionOf({ session: given });
    given.messages.push(user("Too late."));
    expect(begun.messages).toHaveLength(6);
  });
});

describe("a splice", () => {
  it("puts one message in place of several whole responses", () => {
    const next = spliceSession(session, 0, 4, user("It was seen."));
    expect(next.messages).toEqual([user("It was seen."), user("And now?"), text("Nothing.")]);
    expect([checkSession(next), session.messages.length]).toEqual([[], 6]);
  });

  it("leaves out, and puts in", () => {
    expect(spliceSession(session, 4, 6).messages).toHaveLength(4);
    expect(spliceSession(session, 6, 6, user("Well?")).messages.at(-1)).toEqual(user("Well?"));
  });

  it.each([
    ["a call", 1, 2],
    ["a result", 2, 3],
    ["a result and what follows", 2, 6],
  ])("that takes %s alone is refused, and says which", (_, from, to) => {
    expect(() => spliceSession(session, from, to)).toThrow(/\ba\b.*Replace whole responses/);
  });

  it("of an id that is there already is refused", () => {
    expect(() => spliceSession(session, 4, 4, call, result)).toThrow("The id a is used twice");
  });

  it.each([
    [-1, 2],
    [3, 2],
    [0, 7],
    [0.5, 2],
  ])("from %d to %d is none", (from, to) => {
    expect(() => spliceSession(session, from, to)).toThrow("within the 6 messages");
  });

  it("does not mind what was broken before", () => {
    const broken = { ...session, messages: [...session.messages, { ...call, id: "b" }] };
    expect(spliceSession(broken, 4, 6).messages).toHaveLength(5);
  });
});

describe("a session that is read", () => {
  it("comes back as it was written, and unknown fields with it", () => {
    const written = { ...session, title: "A look" };
    expect(readSession(JSON.stringify(written))).toEqual({ session: written, changes: [] });
  });

  it("is repaired where it was broken", () => {
    const { session: repaired, changes } = readSession(JSON.stringify({ ...session, messages: [user("Go."), call] }));
    expect([checkSession(repaired), changes.map(({ kind }) => kind)]).toEqual([[], ["result_added"]]);
  });

  it.each([
    ["[]", "Expected a session"],
    ["null", "Expected a session"],
    ['{"spec_version":"1.0","id":"s"}', "Expected a session"],
    ['{"spec_version":"2.0","id":"s","messages":[]}', "only 1.x can be read"],
    ["{", "JSON"],
  ])("from %s is none", (written, why) => {
    expect(() => readSession(written)).toThrow(why);
  });
});

it("a fork is continued apart", () => {
  const fork = forkSession(session, "f");
  fork.messages.length = 0;
  expect([fork.id, session.messages.length]).toEqual(["f", 6]);
});
