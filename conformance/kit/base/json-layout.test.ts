// That JSON as programs write it is a value with a layout, and the same text again.

import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText, readLaidOut } from "./json-layout.ts";

const value = { say: 'é, "so": 😀', list: [1, -0.5, null, []], none: {}, more: [{ a: true }] };

test.each([
  [JSON.stringify(value), undefined],
  [JSON.stringify(value, null, 2), { indent: "  " }],
  [`${JSON.stringify(value, null, 4)}\n`, { indent: "    ", newline: true }],
  [JSON.stringify(value, null, "\t"), { indent: "\t" }],
  // json.dumps of Python, without and with ensure_ascii
  ['{"say": "é, \\"so\\": 😀", "list": [1, 2], "none": {}}', { spaced: true }],
  ['{"say": "\\u00e9, \\"so\\": \\ud83d\\ude00", "list": [1, 2], "none": []}', { spaced: true, ascii: true }],
  ['{"say":"\\u00e9"}\n', { ascii: true, newline: true }],
  ["{}\n", { newline: true }],
])("%j has the layout %j [RECORD-11]", (text, layout) => {
  const read = readLaidOut(text)!;
  expect(read.layout).toEqual(layout);
  expect(jsonText(read.value, read.layout)).toBe(text);
});

test.each(['{"a":1.0}', '{"a":1,"a":2}', '{ "a":1}', '{"a":"\\/"}', '{"a":  1}', "text", ""])(
  "%j has none [RECORD-11]",
  (text) => {
    expect(readLaidOut(text)).toBeUndefined();
  },
);

test("whatever is read gives the same text again [RECORD-11, REPLAY-5]", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom("  ", "    ", "\t", undefined),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      (any, indent, spaced, ascii, newline) => {
        const layout = { ...(indent && { indent }), ...(spaced && { spaced: true as const }) };
        const more = { ...(ascii && { ascii: true as const }), ...(newline && { newline: true as const }) };
        const text = jsonText(any, { ...layout, ...more });
        const read = readLaidOut(text);
        if (read) expect(jsonText(read.value, read.layout)).toBe(text);
        // A text alone, or one with letters that only look like an escape, may have none.
        else expect(typeof any === "string" || /\\\\u|\u007f|[,:]/.test(text)).toBe(true);
      },
    ),
  );
});
