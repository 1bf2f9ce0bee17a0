// That what is explained can be read in a narrow terminal.

import { expect, test } from "vitest";
import { fitLines } from "./fit-lines.ts";

test("a long line is broken between words, and continues under its indentation", () => {
  const text = "TOOL-9\n    The loop answers a call that names no tool.\n  short";
  expect(fitLines(text, 32)).toBe(
    "TOOL-9\n    The loop answers a call that\n      names no tool.\n  short".replace(
      " that\n      names",
      "\n      that names",
    ),
  );
  expect(fitLines(text, 80)).toBe(text);
  expect(fitLines(text, Infinity)).toBe(text);
});

test("no line is longer than the terminal, down to one of 24 columns", () => {
  const text = `${" ".repeat(30)}${"word ".repeat(40)}${"x".repeat(100)}`;
  for (const columns of [24, 30, 60])
    for (const line of fitLines(text, columns).split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
});
