// Shows what the validators say about wrong values: the branch that was meant, the place, and what to write instead.

import { expect, test } from "vitest";
import { describeProblems, isValid, validate } from "./validate.ts";

const session = (...messages: unknown[]) => ({ spec_version: "1.0", id: "s", messages });

test("a valid value has no problem", () => {
  expect(validate("Session", session({ role: "user", content: "Hello." }))).toEqual([]);
});

test("of a union, only the branch that the value means is reported", () => {
  expect(validate("Session", session({ type: "tool_result", id: "1" }))).toEqual([
    { pointer: "/messages/0", keyword: "required", message: 'is missing "output"' },
  ]);
});

test("a value that means no branch is told what there is", () => {
  const [problem] = validate("Message", { role: "bot", content: "x" });
  expect(problem).toMatchObject({ pointer: "", keyword: "anyOf" });
  expect(problem?.message).toMatch(/role "system"; role "user"; .*got an object with role "bot"/);
});

test("an unknown property is named, with the known ones", () => {
  expect(validate("RunOptions", { max_turn: 3 })).toEqual([
    {
      pointer: "/max_turn",
      keyword: "additionalProperties",
      message: expect.stringMatching(/unknown property "max_turn"; expected one of: max_turns, /),
    },
  ]);
});

test("every problem of a value is reported, each at its place", () => {
  const text = describeProblems(
    validate("Session", { spec_version: "1", id: "", messages: [{ role: "user" }, { role: "user" }] }),
  );
  expect(text.split("\n")).toEqual([
    '/spec_version: expected text that matches ^[0-9]+\\.[0-9]+$, got "1"',
    "/id: must not be empty",
    '/messages/0: is missing "content"',
    '/messages/1: is missing "content"',
  ]);
});

test("keys with slashes, tildes and spaces give correct pointers", () => {
  const agents = { "a/b~c d%ü": { name: "x", tols: [] } };
  const run = { run: "r", session: session(), agents, agent: "x", model: { seam: "generic" } };
  expect(validate("RunParams", run)).toMatchObject([
    { pointer: "/agents/a~1b~0c d%ü/tols", keyword: "additionalProperties" },
  ]);
});

test.each([undefined, null, 3, "x", [], true])("%j is no session, and nothing throws", (value) => {
  expect(validate("Session", value)).toMatchObject([{ pointer: "", keyword: "type" }]);
});

test("a value that JSON cannot say is not valid", () => {
  expect(validate("Empty", { a: undefined })).toHaveLength(1);
});

test("the value is not changed", () => {
  const value = Object.freeze({ role: "user", content: 3 });
  expect(validate("Message", value)).toHaveLength(1);
});

test("an unknown type is a mistake of the caller", () => {
  expect(() => isValid("Sesion" as "Session", {})).toThrow(/No schema is called "Sesion". Known: Agent, /);
});
