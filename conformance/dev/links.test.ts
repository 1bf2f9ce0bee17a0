// Every link of the texts that a reader meets first leads to a file that is there, and every npm script that they name exists.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { anchorOf } from "./feature-data.ts";
import { chapters } from "./generate-requirements.ts";
import { root } from "./schema-files.ts";

const spec = chapters(join(root, "spec")).map((name) => join("spec", name));
const texts = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "conformance/README.md",
  "conformance/python/README.md",
  "fixtures/README.md",
  "reference/README.md",
  "reference/beside/README.md",
  "reference/plugins/README.md",
  "reference/examples/README.md",
  "reference/examples/plug-ins/README.md",
  "reference/examples/durable/README.md",
  "reference/durable/README.md",
  "spec/registry/README.md",
  ...spec,
];

it.each(texts)("%s links to what is there", (path) => {
  const broken = linksOf(read(path)).filter((link) => {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchorsOf(read(target)).has(anchor);
  });
  expect([...new Set(broken)]).toEqual([]);
});

it("README can be read in one go", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

it("the spec's table of contents has every chapter", () => {
  const pages = ["spec/README.md", "spec/loop/README.md", "spec/kit/README.md"];
  const linked = pages.flatMap((page) => linksOf(read(page)).map((link) => join(dirname(page), link)));
  expect(spec.filter((path) => path !== "spec/README.md" && !linked.includes(path))).toEqual([]);
});

it.each(texts)("%s names only scripts that package.json has", (path) => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read(path).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name!);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

/** The links to files and headings of the project, fenced blocks aside. */
function linksOf(markdown: string): string[] {
  return [...withoutBlocks(markdown).matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function anchorsOf(markdown: string): Set<string> {
  return new Set([...withoutBlocks(markdown).matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchorOf(title!)));
}

function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/^```[^]*?^```/gm, "");
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
