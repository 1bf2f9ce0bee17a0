// Proves that the schemas are proven: the real ones have no mistake, and the checker finds each kind of mistake.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { proseMistakes, schemaMistakes } from "./check-schemas.ts";
import { root } from "./schema-files.ts";

const folder = mkdtempSync(join(tmpdir(), "schemas-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the schemas have no mistake", () => {
  expect(schemaMistakes()).toEqual([]);
});

test("a broken example, a counterexample with another fault, and a folder of no type are found", () => {
  cpSync(join(root, "schemas"), folder, { recursive: true });
  write("examples/Usage/broken.json", {});
  write("examples/Usge/one.json", {});
  const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 1, cache_write_tokens: 1 };
  const fault = "The instance has two faults.";
  write("counterexamples/Usage/two-faults.json", {
    fault,
    pointer: "",
    keyword: "required",
    instance: { ...usage, more: 1 },
  });
  write("counterexamples/Usage/valid.json", {
    fault,
    pointer: "",
    keyword: "required",
    instance: { ...usage, reasoning_tokens: null },
  });
  const mistakes = schemaMistakes(folder).join("\n");
  expect(mistakes).toMatch(/examples\/Usage\/broken\.json: .*is missing "input_tokens"/);
  expect(mistakes).toMatch(/examples\/Usge: no type is called Usge/);
  expect(mistakes).toMatch(
    /two-faults\.json: should fail for required at "" alone, but fails for .*additionalProperties at "\/more"/,
  );
  expect(mistakes).toMatch(/valid\.json: should fail for required at "" alone, but fails for nothing/);
});

test("an object that is neither closed nor open, an open one that does not say so, and a silent property are found", () => {
  const description = "Something.";
  const mistakes = [
    ...proseMistakes(
      {
        title: "Thing",
        type: "object",
        description,
        properties: { silent: { type: "string" }, open: { type: "object", additionalProperties: true, description } },
      },
      "thing.schema.json#",
    ),
  ];
  expect(mistakes).toEqual([
    "thing.schema.json#/properties/silent has no description",
    "thing.schema.json# is neither closed (additionalProperties: false) nor open (true)",
    "thing.schema.json#/properties/open is open, and its description does not say so",
  ]);
});

function write(path: string, value: unknown): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(value));
}
