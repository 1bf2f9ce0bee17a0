// A reader of a stream does work that grows with the stream, whatever the stream is made of.

import { beforeAll, expect, test } from "vitest";
import { STREAM_NAMES, workOfReading } from "../testing/reading-work.ts";

let works: ReadonlyMap<string, number[]>;
beforeAll(async () => {
  works = await workOfReading([500, 2000, 500]);
});

/** Four times the events, four times the work at most: what looks through what it has makes more. */
test.each(STREAM_NAMES)("%s", (name) => {
  const [few, many, again] = works.get(name)!;
  expect(few).toBeGreaterThan(500);
  expect(again).toBe(few);
  expect(many! / few!).toBeLessThanOrEqual(4);
});
