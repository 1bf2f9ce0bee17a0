// Proves that the sources keep to their rooms: every import that there is, of types and by `import()` too, is one that the list of
// rooms allows, and no file imports itself by way of others. Proves the same of the walks through the folders in CONTRIBUTING.md.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { circlesOf, importsOf, isAllowed, roomOf, sources, type Import } from "./room-imports.ts";
import { pending, rooms } from "./rooms.ts";
import { root } from "./schema-files.ts";

const files = sources();
const imports = importsOf(files);
const isPending = ({ from, to }: Import) => pending[from]?.includes(to) ?? false;
const written = ({ from, to }: Import) => `${from} imports ${to}`;

test("every source stands in one room, and every room has sources", () => {
  expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
  const lived = new Set(files.map(roomOf));
  expect(rooms.filter((room) => !lived.has(room)).map(({ path }) => path)).toEqual([]);
  expect(new Set(rooms.map(({ path }) => path)).size).toBe(rooms.length);
});

test("the rooms stand bottom to top: none may import one that comes after it", () => {
  const upward = rooms.flatMap(({ path, imports: places, types = [] }, at) =>
    places === "everything"
      ? []
      : [...places, ...types].filter((place) => rooms.indexOf(roomOf(place)!) > at).map((place) => `${path}: ${place}`),
  );
  expect(upward).toEqual([]);
});

test("no room imports what it may not", () => {
  expect(imports.filter((one) => !isAllowed(one) && !isPending(one)).map(written)).toEqual([]);
});

test("no file imports itself by way of others", () => {
  expect(circlesOf(imports.filter((one) => !isPending(one)))).toEqual([]);
});

test("what is pending is still there", () => {
  const found = new Set(imports.map(written));
  const left = Object.entries(pending).flatMap(([from, all]) => all.map((to) => `${from} imports ${to}`));
  expect(left.filter((one) => !found.has(one))).toEqual([]);
});

test("a circle, and an import of what stands above, are seen however they are written", () => {
  const texts: Record<string, string> = {
    "reference/core/a.ts": `import {\n  type B,\n} from "../state/b.ts";\n`,
    "reference/state/b.ts": `export type { C } from "./c.ts";\n`,
    "reference/state/c.ts": `import { d } from "./d.ts";\nimport "node:fs";\n`,
    "reference/state/d.ts": `export const b = () => import("./b.ts");\n`,
    "reference/providers/openai/sdk.ts": `import type { OpenAI } from "openai";\nimport { B } from "../../core/a.ts";\n`,
    "reference/plugins/turns/e.ts": `import type { F } from "../model/f.ts";\nimport type { A } from "../../core/a.ts";\n`,
    "reference/plugins/model/f.ts": `let run: Promise<typeof import("../../run/g.ts")>;\n`,
    "reference/run/g.ts": `import { doomed } from "../testing/doomed.ts";\nimport { e } from "../plugins/turns/e.ts";\n`,
    "reference/testing/doomed.ts": `import { cli } from "../../conformance/cli/main.ts";\n`,
    "conformance/cli/main.ts": `import { b } from "../../reference/core/a.ts";\nconst text = 'import x from "./x.ts"';\n`,
  };
  const made = importsOf(Object.keys(texts), (path) => texts[path]!);
  expect(made.filter((one) => !isAllowed(one)).map(written)).toEqual([
    "reference/core/a.ts imports reference/state/b.ts",
    "reference/state/c.ts imports node:fs",
    "reference/providers/openai/sdk.ts imports reference/core/a.ts",
    "reference/plugins/turns/e.ts imports reference/plugins/model/f.ts",
    "reference/plugins/model/f.ts imports reference/run/g.ts",
    "reference/run/g.ts imports reference/testing/doomed.ts",
    "conformance/cli/main.ts imports reference/core/a.ts",
  ]);
  expect(circlesOf(made)).toEqual([
    ["reference/state/b.ts", "reference/state/c.ts", "reference/state/d.ts"],
    ["reference/plugins/model/f.ts", "reference/plugins/turns/e.ts", "reference/run/g.ts"],
  ]);
});

/** A text that the file at the end of a walk has, as a sign that it is the right one. */
const signs: Record<string, [path: string, text: string][]> = {
  "a limit": [
    ["reference/plugins/turns/limits.ts", '"max_turns"'],
    ["reference/run/standard-plugins.ts", "  limits,"],
    ["schemas/run-options.schema.json", '"max_turns"'],
  ],
  "a report format": [
    ["conformance/reporters/junit.ts", "function junitReporter("],
    ["conformance/reporters/all.ts", "junitReporter("],
  ],
  "a rule of a provider": [["conformance/kit/wire/openai-chat/rules/index.ts", "chatRules: readonly Rule<"]],
  "a provider's finish reason": [
    ["reference/providers/openai-chat/response.ts", 'content_filter: "content_filter"'],
    ["conformance/kit/wire/openai-chat/render.ts", 'content_filter: "content_filter"'],
  ],
  "a check of events": [["conformance/kit/checks/events.ts", "function checkEvents("]],
};

test("each walk in CONTRIBUTING.md leads through its folders to the right files", () => {
  const [, section = ""] = read("CONTRIBUTING.md").split("### Where would you add");
  const walks = section.split("\n## ")[0]!.match(/^- .*$/gm) ?? [];
  const ends = walks.map((walk) => {
    let at = "";
    const links = [...walk.matchAll(/`(?<folder>[\w-]+\/)`|\]\((?<link>[^)]+)\)/g)].flatMap(({ groups = {} }) => {
      const { folder, link } = groups;
      if (link !== undefined) return [{ through: at, link }];
      at = /^(?:reference|conformance|schemas)\/$/.test(folder!) ? folder! : at + folder;
      return [];
    });
    return { question: /^- (.*?)\?/.exec(walk)?.[1], links };
  });
  expect(ends.flatMap(({ links }) => links).filter(({ through, link }) => through !== `${dirname(link)}/`)).toEqual([]);
  expect(Object.fromEntries(ends.map(({ question, links }) => [question, links.map(({ link }) => link)]))).toEqual(
    Object.fromEntries(Object.entries(signs).map(([question, files]) => [question, files.map(([path]) => path)])),
  );
  const wrong = Object.values(signs).flatMap((files) => files.filter(([path, text]) => !read(path).includes(text)));
  expect(wrong).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
