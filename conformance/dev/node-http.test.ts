// An `import` of Node's HTTP loads its fetch, too, which every command would wait for.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isForTests, sources } from "./room-imports.ts";
import { root } from "./schema-files.ts";

const imported = /^import (?!type)[^;]*from "node:http";/m;
/** What no command of the package loads. */
const apart = /^(conformance\/dev|reference\/(bench|examples))\//;

test("nothing that a command loads imports node:http, but by node-http.ts", () => {
  const loaded = sources().filter((path) => path.endsWith(".ts") && !isForTests(path) && !apart.test(path));
  expect(loaded).toContain("conformance/kit/base/node-http.ts");
  expect(loaded.filter((path) => imported.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
  expect('import { createServer } from "node:http";').toMatch(imported);
  expect('import type { Server } from "node:http";').not.toMatch(imported);
});
