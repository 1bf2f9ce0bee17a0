// What stands for something else in a case is found, and nothing beside it.

import { expect, it } from "vitest";
import { fillTemplate, fitsTool, variablePlaces } from "./placeholders.ts";

it("the name of a tool fits with * for any text, and everything else for itself", () => {
  expect(["read", "read_file", "a.read"].filter((name) => fitsTool("read*", name))).toEqual(["read", "read_file"]);
  expect([fitsTool("*", ""), fitsTool("a.c", "abc"), fitsTool("r*d*e", "read_file")]).toEqual([true, false, true]);
});

it("a template is filled with the agent, the turn and the context variables, and with nothing else", () => {
  const turn = { agent: "main", turn: 2, context: { user: "Ada", "a.b": 1 } };
  expect(fillTemplate("{agent} {turn} {context.user} {context.a.b} {context.gone} {user} {context.}", turn)).toBe(
    "main 2 Ada 1 undefined {user} {context.}",
  );
});

it("the places of a template that stand for context variables are told with their names", () => {
  expect(variablePlaces("{agent} {context.user}{turn}, {context.user} {context.}")).toEqual([
    { place: "{context.user}", variable: "user" },
    { place: "{context.user}", variable: "user" },
  ]);
  expect(variablePlaces("Be brief.")).toEqual([]);
});
