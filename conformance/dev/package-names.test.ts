// What cannot read package.json says the same as it does: the name and the version of the package, wherever they stand in code.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Manifest } from "./release-refusals.ts";
import { root } from "./schema-files.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const { name, version } = JSON.parse(read("package.json")) as Manifest;

it.each([
  ["conformance/kit/base/package-root.ts", `.name === "${name}"`],
  ["reference/tools/mcp/connect.ts", `{ name: "${name}", version: "${version}" }`],
  ["reference/events/telemetry/telemetry.ts", `getTracer("${name}")`],
  ["conformance/python/pyproject.toml", `version = "${version}"`],
  ["conformance/python/agent_loop_pytest.py", `npm install ${name} `],
])("%s", (path, text) => {
  expect(read(path)).toContain(text);
});
