// The SHA-256 of platforms without one is that of those that have one.

import { createHash } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";

import { hashOf } from "./canonical-json.ts";
import { plainSha256, sha256 } from "./sha256.ts";

afterEach(() => vi.unstubAllGlobals());

const expected = (text: string) => createHash("sha256").update(text).digest("hex");
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

it("is right for every length around the ends of blocks", () => {
  for (let length = 0; length < 200; length++) {
    const text = "é0a".repeat(length).slice(0, length);
    expect(hex(plainSha256(new TextEncoder().encode(text)))).toBe(expected(text));
  }
  const long = "x".repeat(100_000);
  expect(hex(plainSha256(new TextEncoder().encode(long)))).toBe(expected(long));
});

it("is computed where the platform has none", async () => {
  const hash = await hashOf({ b: 1, a: ["é"] });
  vi.stubGlobal("crypto", {});
  expect(await hashOf({ b: 1, a: ["é"] })).toBe(hash);
  vi.stubGlobal("crypto", undefined);
  expect(await sha256("")).toBe(expected(""));
});
