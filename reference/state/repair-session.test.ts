// Repair makes any session valid, says what it changed, and changes a valid one not at all.

import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";

import { repairSession } from "./repair-session.ts";
import { checkSession } from "./check-session.ts";
import type { Message, Session } from "../../schemas/types.ts";

const session = (...messages: Message[]): Session => ({ spec_version: "1.0", id: "s", messages });
const user: Message = { role: "user", content: "Go." };
const call = (id: string): Message => ({ type: "tool_call", id, name: "t", input: {} });
const result = (id: string, output = "ok"): Message => ({ type: "tool_result", id, output });
const kinds = (broken: Session) => repairSession(broken).changes.map(({ kind, pointer }) => `${kind} ${pointer}`);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("repairSession", () => {
  it("answers a call that nobody answered", () => {
    const { session: repaired, changes } = repairSession(session(user, call("a"), user));
    expect(repaired.messages[2]).toMatchObject({
      type: "tool_result",
      id: "a",
      is_error: true,
      outcome: "interrupted",
    });
    expect(changes).toEqual([{ kind: "result_added", pointer: "/messages/1", message: "The call a had no result." }]);
  });

  it("marks the answer to an incomplete call incomplete", () => {
    const cut = { ...call("a"), status: "incomplete" } as Message;
    expect(repairSession(session(user, cut)).session.messages[2]).toMatchObject({ status: "incomplete" });
  });

  it("drops a result that answers nothing, and a second result", () => {
    expect(kinds(session(user, result("x")))).toEqual(["result_dropped /messages/1"]);
    expect(kinds(session(user, call("a"), result("a"), result("a", "again")))).toEqual(["result_dropped /messages/3"]);
  });

  it("moves results behind their response, in call order", () => {
    const { session: repaired, changes } = repairSession(
      session(user, call("a"), call("b"), result("b"), user, result("a")),
    );
    expect(repaired.messages.slice(3, 5)).toEqual([result("a"), result("b")]);
    expect(changes.map(({ pointer }) => pointer)).toEqual(["/messages/3", "/messages/5"]);
  });

  it("renames a call whose id is taken, with its result", () => {
    const { session: repaired } = repairSession(
      session(user, call("a"), result("a"), call("a"), result("a", "second")),
    );
    expect(repaired.messages.slice(3)).toEqual([call("a_2"), result("a_2", "second")]);
  });

  it("drops an assistant message without content", () => {
    expect(kinds(session(user, { role: "assistant", content: "" }))).toEqual(["empty_message_dropped /messages/1"]);
  });

  const message = fc.oneof(
    fc.constant(user),
    fc.constantFrom<Message>({ role: "assistant", content: "Hm." }, { role: "assistant", content: "" }),
    fc.constant<Message>({ type: "thinking", content: "Hm." }),
    fc.constantFrom("a", "b", "a_2").map(call),
    fc.constantFrom("a", "b", "c", "a_2").map((id) => result(id)),
  );
  const anything = fc.array(message, { maxLength: 12 }).map((messages) => session(...messages));

  it("makes any session valid, leaves its own output as it is, and does not touch its input [SESSION-19]", () => {
    fc.assert(
      fc.property(anything, (broken) => {
        const before = structuredClone(broken);
        const first = repairSession(broken);
        expect(checkSession(first.session)).toEqual([]);
        expect(repairSession(first.session)).toEqual({ session: first.session, changes: [] });
        expect(repairSession(broken)).toEqual(first);
        expect(broken).toEqual(before);
      }),
      { numRuns: 1000 },
    );
  });

  it("returns the same at any time of day, and draws no lots [SESSION-18]", () => {
    const broken = session(user, call("a"), call("a"), { role: "assistant", content: "" }, result("b"));
    vi.useFakeTimers({ now: 0 });
    const first = repairSession(broken);
    vi.setSystemTime("2038-01-19T03:14:08Z");
    for (const random of [0, 0.5]) {
      vi.spyOn(Math, "random").mockReturnValue(random);
      vi.spyOn(crypto, "randomUUID").mockReturnValue(`${random * 10}0000000-0000-4000-8000-000000000000`);
      expect(repairSession(broken)).toEqual(first);
    }
    expect(first.changes.length).toBeGreaterThan(2);
  });

  it("reports a change exactly if there is one [SESSION-20]", () => {
    fc.assert(
      fc.property(anything, (any) => {
        const { session: repaired, changes } = repairSession(any);
        expect(changes.length === 0).toBe(JSON.stringify(repaired) === JSON.stringify(any));
      }),
      { numRuns: 1000 },
    );
  });
});
