// What a correct session is: unique ids, learned ids, results that are known, and results that only the loop knows.

import { describe, expect, it } from "vitest";
import type { Message, ToolCallMessage } from "../../reference/types.ts";
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
  it("after an answer that the kit cannot read are not derived", () => {
    const expected = new ExpectedSession([user]);
    expected.respondOpenly();
    expected.respond([{ role: "assistant", content: "Hi." }]);
    expect(expected.isOpen).toBe(true);
    expect(expected.messages([])).toEqual([user]);
  });
});
