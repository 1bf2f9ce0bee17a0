// Known differences, new ones, and entries that know nothing.

import { join } from "node:path";
import { expect, test } from "vitest";
import { canonical, contrast, readListed, sortDifferences } from "./difference.ts";

const at = (file: string, kind: string) => ({ file, exchange: 1, kind, detail: "" });

test("a difference is known by its file and kind, and an entry that knows none is stale, or of another folder", () => {
  const known = { file: "a/b/*.json", kind: "request/text", reason: "r" };
  const stale = { file: "a/c.json", kind: "request/text", reason: "r" };
  const differences = [
    at("a/b/x.json", "request/text"),
    at("a/b/x.json", "request/call"),
    at("a/b/c/x.json", "request/text"),
  ];
  const foreign = { file: "z/*.json", kind: "request/text", reason: "r" };
  const sorted = sortDifferences(differences, [known, stale, foreign], ["a/b/x.json", "a/b/c/x.json", "a/c.json"]);
  expect(sorted.listed[0]).toEqual([known, [differences[0]]]);
  expect(sorted.unlisted).toEqual(differences.slice(1));
  expect(sorted.stale).toEqual([stale]);
  expect(sorted.foreign).toEqual([foreign]);
});

test("each listed difference has a file, a kind and a reason", () => {
  for (const entry of readListed(join(import.meta.dirname, "differences.yaml"))) {
    expect(entry).toEqual({ file: expect.any(String), kind: expect.any(String), reason: expect.any(String) });
  }
});

test("a contrast begins where two values begin to differ", () => {
  expect(canonical({ b: 1, a: [{ d: 1, c: 2 }] })).toBe('{"a":[{"c":2,"d":1}],"b":1}');
  expect(contrast(["x".repeat(100), 1], ["x".repeat(100), 2])).toContain('x",1]');
});
