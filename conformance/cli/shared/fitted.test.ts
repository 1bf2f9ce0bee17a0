// Lines for a narrow terminal: broken between words, filled up again, and left alone where they are copied.

import { expect, it } from "vitest";
import { fitted } from "./fitted.ts";

const paragraph = [
  "A model cannot do anything but write. What makes an agent of it is one agreement: it writes a *call*, with the",
  "name of a tool and arguments; a program executes the tool; and the result is put where the model reads it",
  "next.",
];

it("a paragraph is filled anew, and no line is wider than the terminal", () => {
  const lines = fitted(["Idea", ...paragraph, "", "Task"], 40);
  expect(lines.filter((line) => line.length > 40)).toEqual([]);
  expect(lines[0]).toBe("Idea");
  expect(lines.slice(-2)).toEqual(["", "Task"]);
  expect(lines.slice(1, -3).filter((line) => line.length < 25)).toEqual([]);
  expect(lines.slice(1, -2).join(" ")).toBe(paragraph.join(" "));
});

it("what fits, and what no terminal reads, stays as it is", () => {
  expect(fitted(paragraph, undefined)).toEqual(paragraph);
  expect(fitted(paragraph, 120)).toEqual(paragraph);
});

it("an indent stays, colours take no room, and a word that is too long stays whole", () => {
  expect(fitted([`  \u001b[1mone\u001b[22m two three`], 9)).toEqual(["  \u001b[1mone\u001b[22m two", "  three"]);
  expect(fitted([`one ${"x".repeat(12)} two`], 8)).toEqual(["one", "x".repeat(12), "two"]);
});

it("what is copied stays in one line", () => {
  const lines = [
    "examine:   npx agent-loop-spec test --driver . --stage 4",
    '    {"type":"tool_call","id":"c1","name":"get_weather"}',
  ];
  expect(fitted(lines, 20)).toEqual(lines);
});
