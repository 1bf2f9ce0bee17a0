// What the package exports by name does not hide a type of the schemas that it exports as a whole.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./schema-files.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** With handlers, and so another type than the one that crosses a seam. */
const WITH_FUNCTIONS = ["ExecutableCall", "Guardrail", "Hook"];

test("no new name hides a type of the schemas", () => {
  const lists = read("reference/index.ts").matchAll(/export (?:type )?\{([^}]*)\}/g);
  const named = [...lists].flatMap(([, list = ""]) => list.split(",").map((one) => one.trim().split(/\s+/).at(-1)!));
  const types = ["loop", "kit"].flatMap((half) => [
    ...read(`schemas/types/${half}.ts`).matchAll(/^export (?:type|interface) (\w+)/gm),
  ]);
  const ofSchemas = new Set(types.map(([, name]) => name!));
  expect(ofSchemas.size).toBeGreaterThan(200);
  expect(named.filter((name) => ofSchemas.has(name)).toSorted()).toEqual(WITH_FUNCTIONS);
});
