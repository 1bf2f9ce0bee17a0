// The list of events has a column of times only where times are known.

import { expect, it } from "vitest";
import { showEvents } from "./event-list.ts";

const event = { type: "turn_start", seq: 1, turn: 1 } as const;

it("says when each event came, where that is known", () => {
  const text = showEvents([{ event, at_ms: 1.25 }, { event }]).text;
  expect(text).toContain(">ms</th>");
  expect(text.match(/<td/g)).toHaveLength(6);
  expect(text).toMatch(/>1\.[23]<\/td>/);
});
it("has no empty column", () => {
  const text = showEvents([{ event }]).text;
  expect(text).not.toContain("ms</th>");
  expect(text.match(/<td/g)).toHaveLength(2);
  expect(text).toContain("&#34;turn&#34;:1");
});
