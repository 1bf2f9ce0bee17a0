// The whole suite on a provider that was added as two folders, in a copy of the project in which no other line is changed by hand.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyWithToy, everything, runInCopy } from "./toy-provider.ts";

describe("a provider of two folders", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "toy-provider-"));
    copyWithToy(folder, everything);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("what is generated is generated", () => {
    expect(runInCopy(folder, "conformance/dev/generate.ts")).toMatchObject({ status: 0 });
  });

  test("every case that can be said in its format passes", { timeout: 600_000 }, () => {
    const suite = ["test", "--driver", "reference", "--variant", "toy/json", "--variant", "toy/frames"];
    const { status, output } = runInCopy(folder, "conformance/cli/main.ts", ...suite);
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toMatch(/^variants: \d{4} pass, \d+ not-applicable$/m);
  });
});
