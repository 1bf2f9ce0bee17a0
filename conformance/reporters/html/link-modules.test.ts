// The modules of a page become one script in which each keeps its own names; what cannot be linked is refused.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { afterAll, expect, it } from "vitest";
import { linkModules } from "./link-modules.ts";

const folder = mkdtempSync(join(tmpdir(), "link-modules-"));
afterAll(() => rmSync(folder, { recursive: true }));

function module(name: string, text: string): URL {
  const file = join(folder, name);
  writeFileSync(file, text);
  return pathToFileURL(file);
}

module(
  "names.ts",
  `export type Name = string;\nconst own: string = "n";\nexport const first: Name = own + 1;\nexport function second(): Name {\n  return own + 2;\n}\n`,
);
module(
  "more.ts",
  `import { first } from "./names.ts";\nconst own: string = "m";\nexport class More {\n  readonly is = own + first;\n}\n`,
);

it("runs each module once, after what it needs, with names of its own", () => {
  const entry = module(
    "entry.ts",
    `import type { Name } from "./names.ts";\nimport { More } from "./more.ts";\nimport {\n  first,\n  second,\n} from "./names.ts";\nconst own: Name = "e";\nsaid.push(own, first, second(), new More().is);\n`,
  );
  const output: string[] = [];
  runInNewContext(linkModules(entry), { said: output });
  expect(output).toEqual(["e", "n1", "n2", "mn1"]);
});
it.each([
  ['import * as names from "./names.ts";', "import * as names"],
  ['import { first as one } from "./names.ts";', "import { first as one }"],
  ["const a = 1;\nexport { a };", "export { a };"],
  ["export default 1;", "export default 1;"],
  ['export * from "./names.ts";', "export *"],
])("refuses %s", (text, named) => {
  expect(() => linkModules(module("bad.ts", `${text}\n`))).toThrow(named);
});
it("links the page of a report", () => {
  const code = linkModules(new URL("page/main.ts", import.meta.url));
  expect(code).not.toMatch(/^(import|export)\b/m);
  expect(code).not.toMatch(/<\/script|<!--/i);
});
