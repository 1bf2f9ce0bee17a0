// Which call a streamed piece belongs to, with the habits of many servers.

import { describe, expect, test } from "vitest";
import { createReader } from "./index.ts";

type Chunk = Record<string, unknown>;
const chunk = (delta: Chunk | null, finish_reason: string | null = null): Chunk => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const piece = (fields: Chunk): Chunk => chunk({ tool_calls: [fields] });

/** What the calls are that come in these chunks. */
function calls(chunks: Chunk[]) {
  const reader = createReader("gpt-x");
  for (const data of [...chunks, chunk({}, "tool_calls")]) reader.push({ data: JSON.stringify(data) });
  return reader
    .end()
    .messages.map((message) =>
      message.type === "tool_call" ? [message.id, message.name, message.input ?? message.raw_input] : message,
    );
}

describe("streamed calls", () => {
  const begin = (index: unknown, id: string, written = "") =>
    piece({ index, id, type: "function", function: { name: "look", arguments: written } });
  const more = (index: unknown, written: unknown) => piece({ index, function: { arguments: written } });

  test.each<[string, Chunk[], unknown[]]>([
    [
      "side by side",
      [begin(0, "a"), begin(1, "b"), more(0, '{"x"'), more(1, '{"y"'), more(0, ":1}"), more(1, ":2}")],
      [
        ["a", "look", { x: 1 }],
        ["b", "look", { y: 2 }],
      ],
    ],
    [
      "counted from 1",
      [begin(1, "a"), more(1, "{}"), begin(2, "b"), more(2, "{}")],
      [
        ["a", "look", {}],
        ["b", "look", {}],
      ],
    ],
    [
      "without index",
      [begin(undefined, "a", '{"x":1}'), begin(undefined, "b", '{"x":2}')],
      [
        ["a", "look", { x: 1 }],
        ["b", "look", { x: 2 }],
      ],
    ],
    [
      "all at index 0, with ids",
      [begin(0, "a", '{"x":1}'), begin(0, "b", '{"x":2}')],
      [
        ["a", "look", { x: 1 }],
        ["b", "look", { x: 2 }],
      ],
    ],
    [
      "all at index 0, without ids",
      [begin(0, "", '{"x":1}'), begin(0, "", '{"x":2}')],
      [
        ["", "look", { x: 1 }],
        ["", "look", { x: 2 }],
      ],
    ],
    ["with the id and name in every piece", [begin(0, "a", '{"x"'), begin(0, "a", ":1}")], [["a", "look", { x: 1 }]]],
    [
      "with an empty id later",
      [begin(0, "a", '{"x"'), piece({ index: 0, id: "", function: { name: "", arguments: ":1}" } })],
      [["a", "look", { x: 1 }]],
    ],
    [
      "with another id later, but no name",
      [begin(0, "a", '{"x"'), piece({ index: 0, id: "z", function: { arguments: ":1}" } })],
      [["a", "look", { x: 1 }]],
    ],
    ["with nothing as arguments", [begin(0, "a"), more(0, null)], [["a", "look", {}]]],
    [
      "with an object as arguments",
      [piece({ index: 0, id: "a", function: { name: "look", arguments: { x: 1 } } })],
      [["a", "look", { x: 1 }]],
    ],
    [
      "with a name in pieces",
      [
        piece({ index: 0, id: "a", function: { name: "lo" } }),
        piece({ index: 0, function: { name: "ok", arguments: "{}" } }),
      ],
      [["a", "look", {}]],
    ],
    ["with two values in one", [begin(0, "a", '{"x":1}'), more(0, '{"x":2}')], [["a", "look", '{"x":1}{"x":2}']]],
    [
      "twice in one chunk",
      [
        chunk({
          tool_calls: [
            { index: 0, id: "a", function: { name: "look", arguments: "" } },
            { index: 0, function: { arguments: "{}" } },
          ],
        }),
      ],
      [["a", "look", {}]],
    ],
    [
      "in the old form",
      [chunk({ function_call: { name: "look", arguments: "" } }), chunk({ function_call: { arguments: "{}" } })],
      [["", "look", {}]],
    ],
    [
      "as a custom tool",
      [
        piece({ index: 0, id: "a", type: "custom", custom: { name: "look", input: "x" } }),
        piece({ index: 0, custom: { input: "y" } }),
      ],
      [["a", "look", { input: "xy" }]],
    ],
    ["as nothing at all", [piece({ index: 0, function: { name: "", arguments: "" } })], []],
  ])("%s", (_how, chunks, expected) => {
    expect(calls(chunks)).toEqual(expected);
  });
});
