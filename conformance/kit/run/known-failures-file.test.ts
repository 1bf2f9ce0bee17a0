// A list of known failures is read with the line of each entry, and refused with the line of what is wrong.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readKnownFailures } from "./known-failures-file.ts";
import { LoadError } from "../suite/suite.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-known-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the file", () => {
  let count = 0;
  const problemsOf = async (text: string) => {
    const file = join(folder, `list-${++count}.yaml`);
    writeFileSync(file, text);
    const error: unknown = await readKnownFailures(file).catch((thrown: unknown) => thrown);
    return error instanceof LoadError ? error.message.replaceAll(`${file}:`, "") : error;
  };
  it("is read with the line of each entry", async () => {
    const file = join(folder, "fine.yaml");
    writeFileSync(
      file,
      "known_failures: 1\nfailures:\n  # first\n  - check: a\n    code: stuck\n    reason: x\n\n  - { check: b, code: stuck, reason: y }\n",
    );
    expect((await readKnownFailures(file)).entries.map(({ check, line }) => [check, line])).toEqual([
      ["a", 4],
      ["b", 8],
    ]);
  });
  it("is refused with the line of what is wrong", async () => {
    expect(await problemsOf("known_failures: 1\nfailures:\n  - check: a\n    code: flaky\n    reason: x\n")).toMatch(
      /^4:5 \/failures\/0\/code: expected one of "assertion"/,
    );
    expect(await problemsOf("known_failures: 1\nfailures: [\n")).toMatch(/^3:1 /);
    expect(await problemsOf("known_failures: 1\nknown_failures: 1\nfailures: []\n")).toMatch(
      /^2:1 this key stands here twice/,
    );
    expect(await problemsOf("")).toMatch(/^1:1 expected a list of known failures: known_failures: 1, and below it/);
    expect(await problemsOf("known_failures: 1\nfailures: [*nothing]\n")).toMatch(/^1:1 .*nothing/);
    await expect(readKnownFailures(join(folder, "none.yaml"))).rejects.toThrow(
      /known failures cannot be read: ENOENT.*; correct the name, or begin a list with --update-known-failures$/,
    );
  });
  it("is refused if it contains itself, or has more entries than there could be", async () => {
    expect(await problemsOf("known_failures: 1\nfailures: &all\n  - *all\n")).toMatch(
      /\/failures: is nested too deep, or contains itself/,
    );
    const entries = Array.from({ length: 10_001 }, () => "{}").join(",");
    expect(await problemsOf(`{"known_failures":1,"failures":[${entries}]}`)).toMatch(
      /\/failures: expected at most 10000 entries, got 10001/,
    );
  });
  it("is refused if an entry expires on a day that there is not, or says again what another says", async () => {
    const entry = (more: string) => `  - { check: a, code: stuck, reason: x${more} }\n`;
    const text = (...more: string[]) => `known_failures: 1\nfailures:\n${more.map(entry).join("")}`;
    expect(await problemsOf(text(", expires: 2027-02-28"))).toMatchObject({ entries: [{ expires: "2027-02-28" }] });
    expect(await problemsOf(text(", expires: 2027-02-30"))).toMatch(
      /^3:\d+ \/failures\/0\/expires: there is no day 2027-02-30; expected one such as 2027-01-31$/,
    );
    expect(await problemsOf(text(", variants: [b]", "", ", variants: [b], issue: https://example.com"))).toMatch(
      /^5:\d+ \/failures\/2: \/failures\/0 names the same variants, and the first entry counts; remove one of the two$/,
    );
  });
});
