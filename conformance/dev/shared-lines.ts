// Counts the lines that name a provider outside of what is its own: what everybody changes who adds one like it.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "./generated-files.ts";
import { providerFiles } from "./generate-providers.ts";
import { root } from "./schema-files.ts";

/** A line, with its file and its number from 1. */
export interface SharedLine {
  path: string;
  number: number;
  text: string;
}

/** Files in which a provider is named, but not because it was added: with the reason. */
const leftOut: readonly [path: RegExp, because: string][] = [
  [
    /(?:\.test\.ts|_test\.go|\/test_\w+\.py)$/,
    "a test names what it tests, and no test needs a further provider to pass",
  ],
  [/^(?:conformance\/cases|fixtures)\//, "cases and fixtures are about what they are about"],
  [/^conformance\/matrix\/|^spec\/implementations\/|^conformance\/teaching\/quiz\//, "measured, or made of what was"],
  [/^spec\/kill-matrix\.md$/, "measured"],
  [/^conformance\/peers\//, "frameworks of others, each over the models that it knows"],
  [
    /^(?:conformance\/kit\/wire|reference\/providers|spec\/loop\/providers)\/(?!shared)[a-z-]+(?:\/|\.md$)/,
    "the folders of the providers, in which a server or a model of somebody else may be named that speaks their format",
  ],
  [/^conformance\/bugs\.yaml$/, "bugs of others, with the addresses of their reports"],
  [/^conformance\/dev\/recordings\/differences\.yaml$/, "what differs in single recordings, each with its reason"],
  [/^CHANGELOG\.md$/, "says what became new"],
];

/** What has the name of a provider in it, and is of something else: an address, a program. */
function ofOthers(provider: string): RegExp {
  return new RegExp(String.raw`https?://[^\s)"']+|${nameIn(provider)}[- ]cli\b`, "gi");
}

const generatedPart = /<!-- generated:\S+ -->[^]*?<!-- \/generated -->/g;

/** The lines that name the provider outside of its folders and files, of cases and fixtures, of tests, and of what is generated or measured. */
export function sharedLines(provider: string, folder = root): SharedLine[] {
  const generated = new Set(
    [...providerFiles, ...generatedFiles].map(([path]) => path).filter((path) => !path.endsWith(".md")),
  );
  const wholePages =
    /^spec\/(?:features\.md|where\.json|loop\/(?:essential|essential-providers|core|parts)\.md|kit\/(?:judged|implementations)\.md)$/;
  const own = new RegExp(String.raw`(?:^|/)${nameIn(provider)}(?:[-_./]|$)`, "i");
  const named = new RegExp(String.raw`(?<![a-z])${nameIn(provider)}(?![a-z])`, "i");
  return filesOf(folder)
    .filter((path) => !own.test(path) && !generated.has(path) && !wholePages.test(path))
    .filter((path) => !leftOut.some(([one]) => one.test(path)))
    .flatMap((path) => {
      const blank = (part: string) => part.replaceAll(/[^\n]/g, "");
      const text = readFileSync(join(folder, path), "utf8")
        .replaceAll(generatedPart, blank)
        .replaceAll(ofOthers(provider), blank);
      const lines = text.split("\n").map((line, at) => ({ path, number: at + 1, text: line.trim() }));
      return lines.filter((line) => named.test(line.text));
    });
}

/** As it is spelled in files: `openai-chat` is `openai_chat` or `openaiChat`, too. */
function nameIn(provider: string): string {
  return provider.replaceAll("-", "[-_]?");
}

/** The texts of the project. */
function filesOf(folder: string): string[] {
  const { stdout, status } = spawnSync("git", ["ls-files", "-z"], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error("expected git to list the files of the project; run this in its working copy");
  return stdout.split("\0").filter((path) => /\.(?:ts|js|json|yaml|yml|md|py|go|mod|css|toml)$/.test(path));
}
