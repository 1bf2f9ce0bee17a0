// Holds names and sentences of the code to the words of the field: a word on these lists has a standard term, which the failure names.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./schema-files.ts";

/** The folders that are held to the lists. */
const roots = ["conformance", "reference"];

/** Data, what users copy, and pages with scripts of their own. */
const excluded =
  /^conformance\/(cases|mutants|drivers|templates|eject|reporters\/html\/page|dev\/spec-page\/page|dev\/rooms)|^reference\/(providers|bench)/;

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

/** The provider server and its codecs, outside of tests and of the sentences of rules, which others quote. */
const ofTheWire: [word: RegExp, better: string][] = [
  [/\b(?:canSay|says|said)(?:[A-Z]\w*)?\b/i, "canExpress, has, reports, content"],
  [/\basked\b/, "request, params, ids"],
  [/\bstands?\b(?! for\b)/, "is, is at a path, precedes, follows"],
  [/\b(?:hear|listens)\b/, "onEvent, is connected"],
  [/\b(?:goes|gone) on\b/, "continues, extends"],
  [/\b(?:come|comes|came)\b/, "is received, is sent, is next"],
];
const ruleSentence = /^\s*(?:(?:statement|note):\s*)?["`]/;

const files = globSync(
  roots.map((folder) => `${folder}/**/*.{ts,mjs}`),
  { cwd: root },
).filter((file) => !excluded.test(file));

it.each(files)("%s has the words of the field", (file) => {
  const isTest = file.endsWith(".test.ts");
  const isOfKit = file.startsWith("conformance/kit/");
  const isOfWire = file.startsWith("conformance/kit/wire/") && !isTest;
  const rules = [...declared, ...(isTest ? [] : words), ...(isOfKit ? ofTheKit : [])];
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  const found = lines.flatMap((line, index) =>
    [...rules, ...(isOfWire && !ruleSentence.test(line) ? ofTheWire : [])].flatMap(([word, better]) => {
      const match = word.exec(line);
      return match ? [`${file}:${index + 1}: "${match[0]}"; say instead: ${better}`] : [];
    }),
  );
  expect(found).toEqual([]);
});
