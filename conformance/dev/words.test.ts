// Holds names and sentences of the code to the words of the field: a word on these lists has a standard term, which the failure names.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./schema-files.ts";

/** The folders that are held to the lists. */
const roots = ["conformance"];

/** Data, what users copy, pages with scripts of their own, and what keeps the words of the providers. */
const excluded =
  /^conformance\/(cases|mutants|drivers|templates|eject|kit\/wire|reporters\/html\/page|dev\/spec-page\/page|dev\/rooms)/;

/** Words of comments, messages and code, outside of tests. */
const words: [word: RegExp, better: string][] = [
  [/\btold\b/, "reported, sent, given, declared, notified"],
  [/\b(?:heard|hears)\b/, "received, called with"],
  [/\bwhoever\b/i, "the reader, the client, any program"],
  [/\bof no more use\b/, "unusable"],
  [/\bwhich there (?:is|are) not\b/, "which does not exist"],
  [/\b(?:toSay|nobodyTo[A-Z]\w*|untilTold|isFruitful)\b/, "pendingContext, missingX, awaitX, hasX"],
];

/** What is declared anywhere, tests included. */
const declared: [name: RegExp, better: string][] = [
  [/\b(?:const|let|function|get) #?(?:said|told|heard|came|asked)\b/, "a noun: output, request, received, actual"],
];

/** The course alone has stages. */
const ofTheKit: [name: RegExp, better: string][] = [
  [/(?:\bStage|#stage)\b/, "RunContext; a stage is a part of the track"],
];

const files = globSync(
  roots.map((folder) => `${folder}/**/*.{ts,mjs}`),
  { cwd: root },
).filter((file) => !excluded.test(file));

it.each(files)("%s has the words of the field", (file) => {
  const isTest = file.endsWith(".test.ts");
  const isOfKit = file.startsWith("conformance/kit/");
  const rules = [...declared, ...(isTest ? [] : words), ...(isOfKit ? ofTheKit : [])];
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  const found = lines.flatMap((line, index) =>
    rules.flatMap(([word, better]) => {
      const match = word.exec(line);
      return match ? [`${file}:${index + 1}: "${match[0]}"; say instead: ${better}`] : [];
    }),
  );
  expect(found).toEqual([]);
});
