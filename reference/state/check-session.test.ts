// Each way in which a session can be invalid is found, with its requirement and place.

import { describe, expect, it } from "vitest";

import { checkSession } from "./check-session.ts";
import type { Message, Session } from "../../schemas/types.ts";

const session = (...messages: Message[]): Session => ({ spec_version: "1.0", id: "s", messages });
const user: Message = { role: "user", content: "Go." };
const text: Message = { role: "assistant", content: "Hm." };
const call = (id: string): Message => ({ type: "tool_call", id, name: "t", input: {} });
const result = (id: string): Message => ({ type: "tool_result", id, output: "ok" });
const found = (...messages: Message[]) =>
  checkSession(session(...messages)).map(({ requirement, pointer }) => `${requirement} ${pointer}`);
const startable = (...messages: Message[]) => checkSession(session(...messages), { toStart: true }).length === 0;

describe("checkSession", () => {
  it("accepts a response with its results in order", () => {
    expect(found(user, text, call("a"), call("b"), result("a"), result("b"), text)).toEqual([]);
  });

  it.each<[string, string[], Message[]]>([
    ["a call without a result", ["SESSION-6 /messages/2"], [user, call("a"), user]],
    ["a call without a result at the end", ["SESSION-6 /messages/1"], [user, call("a")]],
    ["a result without a call", ["SESSION-6 /messages/1"], [user, result("a")]],
    ["a second result", ["SESSION-6 /messages/3"], [user, call("a"), result("a"), result("a")]],
    ["results out of order", ["SESSION-7 /messages/3"], [user, call("a"), call("b"), result("b"), result("a")]],
    ["an id used twice", ["SESSION-9 /messages/3"], [user, call("a"), result("a"), call("a"), result("a")]],
    [
      "a response that goes on before its results are complete",
      ["SESSION-6 /messages/4", "SESSION-6 /messages/5"],
      [user, call("a"), call("b"), result("a"), text, result("b")],
    ],
  ])("finds %s", (_, problems, messages) => {
    expect(found(...messages)).toEqual(problems);
  });

  it("lets a run start on a user message or a tool result, incomplete messages left aside", () => {
    expect(startable(user)).toBe(true);
    expect(startable(user, call("a"), result("a"))).toBe(true);
    expect(startable(user, { ...text, status: "incomplete" } as Message)).toBe(true);
    expect(startable(user, text)).toBe(false);
    expect(startable({ role: "system", content: "Be brief." })).toBe(false);
    expect(startable()).toBe(false);
  });
});
