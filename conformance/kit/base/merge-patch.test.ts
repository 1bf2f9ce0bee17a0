import { expect, test } from "vitest";
import { mergePatch } from "./merge-patch.ts";

// Examples of RFC 7396, appendix A.
test.for([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ a: "foo" }, "bar", "bar"],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j patched with %j", ([target, patch, patched]) => {
  const before = structuredClone(target);
  expect(mergePatch(target, patch)).toEqual(patched);
  expect(target).toEqual(before);
});
