// What a correct session is: unique ids, learned ids, results that are known, and results that only the loop knows.

import { describe, expect, it } from "vitest";
import type { Message, ToolCallMessage } from "../../../schemas/types.ts";
import { ExpectedSession } from "./expected-session.ts";

const user: Message = { role: "user", content: "Go." };
const call = (id: string, name = "look"): ToolCallMessage => ({ type: "tool_call", id, name, input: {} });
const resultOf = (id: string, output = "x"): Message => ({ type: "tool_result", id, output });

describe("ids", () => {
  it("keep their first use, and get the lowest free number after", () => {
    const expected = new ExpectedSession([user, call("a"), resultOf("a")]);
    expected.respond([call("a"), call("a_2"), call("b"), call("b")]);
    expect(expected.calls.map(({ message }) => message.id)).toEqual(["a_2", "a_2_2", "b", "b_2"]);
  });
  it("that the model did not give are learned from an execution", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([call("", "look"), call("", "listen")]);
    expect(expected.execute("generated", "listen")?.name).toBe("listen");
    expect(expected.calls.map(({ message }) => message.id)).toEqual(["", "generated"]);
  });
  it("that the model did not give are learned from a request", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([call("")]);
    const shown = [user, call("g1"), resultOf("g1")];
    expect(expected.request(shown)).toEqual(shown);
    expect(expected.request([user, call("g2"), resultOf("g2")])).toEqual(shown);
  });
});

describe("results", () => {
  it("are what the tool answered", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([call("a"), call("b")]);
    expected.answered("b", { output: "no", isError: true });
    expected.answered("a", { output: "yes" });
    expect(expected.messages([]).slice(3)).toEqual([resultOf("a", "yes"), { ...resultOf("b", "no"), is_error: true }]);
  });
  it("that the loop makes up are taken on first sight and demanded from then on", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([call("a")]);
    expect(expected.request([user, call("a"), resultOf("a", "unknown tool")]).at(-1)).toEqual(
      resultOf("a", "unknown tool"),
    );
    expect(expected.request([user, call("a"), resultOf("a", "another text")]).at(-1)).toEqual(
      resultOf("a", "unknown tool"),
    );
  });
  it("of a tool that was signalled are the loop's own", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([call("a")]);
    expected.answered("a", { output: "late" });
    expected.unsettled("a");
    expect(expected.messages([resultOf("a", "timeout")]).at(-1)).toEqual(resultOf("a", "timeout"));
  });
  it("are not there while the calls wait for the caller", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([call("a")]);
    expect(expected.messages([], true)).toEqual([user, call("a")]);
  });
});

describe("messages", () => {
  it("without content are left out", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([
      { role: "assistant", content: "" },
      { role: "assistant", content: "Hi." },
    ]);
    expect(expected.messages([])).toEqual([user, { role: "assistant", content: "Hi." }]);
  });
  it("that are incomplete are in the session, and in no request", () => {
    const incomplete = { role: "assistant", content: "Half", status: "incomplete" } as unknown as Message;
    const expected = new ExpectedSession([user, incomplete, user]);
    expect(expected.messages([])).toHaveLength(3);
    expect(expected.request([])).toEqual([user, user]);
  });
  const thought: Message = { type: "thinking", content: "Hm." };
  const answer: Message = { role: "assistant", content: "Hi." };
  it("of a response of nothing but thinking are incomplete [SESSION-14]", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([thought]);
    expect(expected.messages([])).toEqual([user, { ...thought, status: "incomplete" }]);
    expect(expected.request([])).toEqual([user]);
    expected.respond([thought, answer]);
    expect(expected.request([])).toEqual([user, thought, answer]);
  });
  it("of a response that paused behind its thinking are judged when it is whole [SESSION-14]", () => {
    const expected = new ExpectedSession([user]);
    const think = () => {
      expected.respond([thought]);
      expected.paused();
    };
    think();
    expect(expected.request([])).toEqual([user, thought]);
    think();
    expected.respond([answer]);
    expect(expected.request([])).toEqual([user, thought, thought, answer]);
    think();
    expected.respond([thought]);
    expect(expected.request([])).toEqual([user, thought, thought, answer]);
    expect(expected.messages([])).toHaveLength(6);
  });
  it("after an answer that the kit cannot read are not derived", () => {
    const expected = new ExpectedSession([user]);
    expected.respondOpenly();
    expected.respond([{ role: "assistant", content: "Hi." }]);
    expect(expected.isOpen).toBe(true);
    expect(expected.messages([])).toEqual([user]);
  });
});

describe("what is said behind a response", () => {
  const answer: Message = { role: "assistant", content: "Hi." };
  const more: Message = { role: "user", content: "And this." };
  const own: Message = { role: "user", content: "Go on." };
  it("comes from the loop first, and from a person after it [LOOP-44] [LOOP-53]", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([answer], "always");
    expected.steer("And this.");
    expect(expected.request([user, answer, own, more])).toEqual([user, answer, own, more]);
    const other = new ExpectedSession([user]);
    other.respond([answer], "always");
    other.steer("And this.");
    expect(other.request([user, answer, more])).not.toEqual([user, answer, more]);
  });
  it("comes behind what was said before, where the response is sent to nobody [SESSION-14]", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([{ type: "thinking", content: "Hm." }], "unless_spoken_to");
    expect(expected.request([user, own])).toEqual([user, own]);
  });
  it("is what a hook says, where nothing was wrong with the response [HOOK-13]", () => {
    const expected = new ExpectedSession([user]);
    expected.respond([answer], "unless_spoken_to");
    expected.addContext("Go on.");
    expect(expected.request([user, answer, own])).toEqual([user, answer, { ...own, synthetic: true }]);
  });
  it("may be in the session of a run that a hook has kept from calling the model, and of no other [LOOP-126]", () => {
    const ended = (isBlocked: boolean, shown: Message[]) => {
      const expected = new ExpectedSession([user]);
      expected.respond([answer]);
      expected.steer("And this.");
      if (isBlocked) expected.blocked();
      expected.ended(shown, false);
      return expected.messages(shown);
    };
    expect(ended(true, [user, answer, more])).toEqual([user, answer, more]);
    expect(ended(true, [user, answer])).toEqual([user, answer]);
    expect(ended(false, [user, answer, more])).toEqual([user, answer]);
  });
});

describe("what hooks say", () => {
  const synthetic = (content: string): Message => ({ role: "user", content, synthetic: true });
  const askedSession = () => {
    const expected = new ExpectedSession([user]);
    expected.respond([call("a")]);
    expected.answered("a", { output: "x" });
    expected.addContext("one");
    expected.addContext("two");
    return expected;
  };
  const before = [user, call("a"), resultOf("a")];
  it.each([
    ["in one message", ["one, and two"]],
    ["in several", ["one", "so: two"]],
  ])("may be said %s, in the loop's words, and stays so", (_, texts) => {
    const expected = askedSession();
    const shown = [...before, ...texts.map(synthetic)];
    expect(expected.request(shown)).toEqual(shown);
    expect(expected.request([...before, synthetic("one two")])).toEqual(shown);
  });
  it.each([
    ["not at all", []],
    ["in part", ["one"]],
    ["with something else", ["one", "two", "three"]],
  ])("must not be said %s", (_, texts) => {
    expect(
      askedSession()
        .request([...before, ...texts.map(synthetic)])
        .slice(3),
    ).toEqual([synthetic("one\n\ntwo")]);
  });
  it("stands behind what was said to the loop, also before the first response", () => {
    const expected = new ExpectedSession([user]);
    expected.steer("also");
    expected.accepted({ role: "user", content: "also" });
    expected.addContext("one");
    const shown = [user, { role: "user", content: "also" } as Message, synthetic("one")];
    expect(expected.request(shown)).toEqual(shown);
  });
  it("about a call is gone with the result of the call", () => {
    const expected = askedSession();
    expected.addContext("of b", "b");
    expected.addContext("of a", "a");
    expected.lost("a");
    expect(expected.request([]).slice(3)).toEqual([synthetic("one\n\ntwo\n\nof b")]);
  });
  it("may be left out where the model is not asked any more", () => {
    const expected = askedSession();
    expected.ended(before, false);
    expect(expected.messages(before)).toEqual(before);
    const other = askedSession();
    other.ended([...before, synthetic("one two")], false);
    expect(other.messages(before)).toEqual([...before, synthetic("one two")]);
  });
  it("in place of an output leaves a fatal failure one", () => {
    const expected = askedSession();
    expected.answered("a", { thrown: "lost", fatal: true });
    expected.replaced("a", { output: "gone" });
    expect(expected.answerTo("a")).toEqual({ output: "gone", isError: true, thrown: "lost", fatal: true });
  });
});

describe("what the loop says of its own", () => {
  const nudge: Message = { role: "user", content: "Say something." };
  const wish: Message = { role: "user", content: "But soon." };
  const spokenTo = (needsFollowUp: "always" | "unless_spoken_to") => {
    const expected = new ExpectedSession([user]);
    expected.respond([], needsFollowUp);
    expected.steer("But soon.");
    return expected;
  };
  it("may be missing where somebody has said something", () => {
    expect(spokenTo("unless_spoken_to").request([user, wish])).toEqual([user, wish]);
  });
  it("is seen where it came a moment before", () => {
    expect(spokenTo("unless_spoken_to").request([user, nudge, wish])).toHaveLength(3);
  });
  it("must be there where a text goes on", () => {
    expect(spokenTo("always").request([user, wish])).toHaveLength(3);
  });
});

it("has all that was said by the time when a hook is asked about the first of it", () => {
  const expected = new ExpectedSession([user]);
  const messages: Message[] = [
    { role: "user", content: "First." },
    { role: "user", content: "Second." },
  ];
  expected.steer("First.");
  expected.steer("Second.");
  expected.accepted(messages[0]!);
  expect(expected.messages([])).toEqual([user, ...messages]);
});

it("forgets what was said before a suspension", () => {
  const expected = new ExpectedSession([user]);
  expected.steer("But soon.");
  expected.resumed();
  expect(expected.request([user])).toEqual([user]);
});

it("waits with what is said until a response that paused is whole", () => {
  const expected = new ExpectedSession([user]);
  expected.respond([{ role: "assistant", content: "First" }]);
  expected.paused();
  expected.steer("But soon.");
  expect(expected.request([user, { role: "assistant", content: "First" }])).toHaveLength(2);
  expected.respond([{ role: "assistant", content: "Second" }]);
  expect(expected.request([]).at(-1)).toEqual({ role: "user", content: "But soon." });
});
