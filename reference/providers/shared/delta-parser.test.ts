// Texts that repeat are parsed as JSON.parse parses them, and texts that only look alike too.

import fc from "fast-check";
import { expect, test } from "vitest";
import { createDeltaParser } from "./delta-parser.ts";

type Fields = Record<string, unknown>;

const find = (value: unknown) => {
  const object = (value as { delta?: Fields } | null)?.delta;
  return typeof object?.text === "string" ? { object, key: "text" } : undefined;
};
const parsed = (parse: (text: string) => unknown, text: string) => {
  try {
    return structuredClone(parse(text));
  } catch (thrown) {
    return (thrown as Error).name;
  }
};

const said = fc.oneof(fc.string(), fc.constantFrom("", "a", "a.", '"', "\\", "\n", '","text":"b', "😀", "\ud83d"));
const text = fc.oneof(
  said.map((text) => JSON.stringify({ type: "d", delta: { type: "t", text } })),
  fc.tuple(said, said).map(([text, x]) => JSON.stringify({ delta: { text, x }, at: 1 })),
  fc.tuple(said, said).map(([text, x]) => `{"delta":{"text":${JSON.stringify(text)},"text":${JSON.stringify(x)}}}`),
  fc
    .constantFrom("5", "null", '"a","b":1', '"a" ', "[1]", '"\\u0061"', "")
    .map((raw) => `{"type":"d","delta":{"type":"t","text":${raw}}}`),
  said.map((raw) => `{"type":"d","delta":{"type":"t","text":"${raw}"}}`),
);

test("every text means what JSON.parse says, whatever came before it", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      const parse = createDeltaParser(find);
      for (const one of texts) expect(parsed(parse, one)).toEqual(parsed(JSON.parse, one));
    }),
    { numRuns: 1000 },
  );
});

test("what repeats is parsed once", () => {
  const parse = createDeltaParser(find);
  const first = parse('{"delta":{"text":"a"},"big":[1]}');
  const again = parse('{"delta":{"text":"b"},"big":[1]}');
  expect(parse('{"delta":{"text":"c\\n"},"big":[1]}')).toBe(again);
  expect(first).toEqual({ delta: { text: "a" }, big: [1] });
});
