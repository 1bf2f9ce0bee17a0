// What of a request has other bytes than in the request before, though it says the same.

import { describe, expect, it } from "vitest";
import { checkPrefix } from "./request-prefix.ts";

const tool = (...keys: string[]) => ({ name: "a", schema: Object.fromEntries(keys.map((key) => [key, 1])) });
const call = (text: string) => ({ role: "assistant", tool_calls: [{ id: "c", arguments: text }] });

describe("a request", () => {
  it.each([
    ["with a tool whose keys stand otherwise", { tools: [tool("x", "y")] }, { tools: [tool("y", "x")] }, "/tools/0"],
    [
      "with a message whose arguments are a string with other keys first",
      { messages: [{ role: "user" }, call('{"x":1,"y":{"a":1,"b":2}}')] },
      { messages: [{ role: "user" }, call('{"x":1,"y":{"b":2,"a":1}}'), { role: "tool" }] },
      "/messages/1",
    ],
    [
      "with arguments that are spaced otherwise",
      { input: [{ arguments: '{"x":1}' }] },
      { input: [{ arguments: '{ "x": 1 }' }] },
      "/input/0",
    ],
  ])("%s breaks what the cache has", (_, before, body, path) => {
    const [failure, ...others] = checkPrefix(before, body, 2);
    expect(failure).toMatchObject({ code: "invariant", requirement: "PROVIDER-13", path });
    expect(failure!.message).toMatch(/^model request 2 renders \S+ with other bytes than the request before it$/);
    expect(failure!.expected).not.toBe(failure!.received);
    expect(others).toEqual([]);
  });
  it.each([
    ["is longer", { messages: [{ a: 1, b: 2 }] }, { messages: [{ a: 1, b: 2 }, { c: 3 }] }],
    ["says something else", { tools: [tool("x", "y")] }, { tools: [tool("y", "z")] }],
    ["says more of the last message", { messages: [{ content: ["a"] }] }, { messages: [{ content: ["a", "b"] }] }],
    ["has nothing before it", undefined, { messages: [] }],
    ["has other settings in front", { model: "a", tools: [tool("x")] }, { tools: [tool("x")], model: "b" }],
    ["has a text that only looks like JSON", { system: "{x" }, { system: "{y" }],
  ])("that %s does not", (_, before, body) => {
    expect(checkPrefix(before, body, 2)).toEqual([]);
  });
});
