// Finds what the site has beside the spec: every text that can be reached by links, and the files that they name.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { lists } from "../spec-page/anchors.ts";
import { everyNode } from "../spec-page/markdown.ts";
import { readChapter } from "../spec-page/spec-data.ts";
import type { Chapter } from "../spec-page/spec-data.ts";
import { root } from "../schema-files.ts";

/** Texts and files, by their paths. */
export interface Reached {
  texts: Chapter[];
  /** What is shown as it is. */
  files: Map<string, string>;
}

/** Larger files are named, and not shown. */
const mostLetters = 200_000;

/**
 * Follows the links of texts.
 * @param known texts that have pages already; their links are followed, too
 * @param first where to begin beside them
 */
export function reachedTexts(known: readonly Chapter[], first: readonly string[]): Reached {
  const texts = new Map(first.map((file) => [file, readChapter(file)]));
  const files = new Map<string, string>();
  const have = new Set(known.map(({ file }) => file));
  const look = (chapter: Chapter) => {
    for (const path of linksOf(chapter)) {
      const target = textAt(path);
      if (have.has(target) || texts.has(target) || target in lists || files.has(target)) continue;
      if (target.endsWith(".md")) texts.set(target, readChapter(target));
      else if (isShown(target)) files.set(target, readFileSync(join(root, target), "utf8"));
    }
  };
  known.forEach(look);
  // A map that grows is gone through to its new end.
  for (const chapter of texts.values()) look(chapter);
  return { texts: [...texts.values()], files };
}

/** The paths of the project that a text links to. */
function linksOf({ file, body }: Chapter): string[] {
  const urls = body.flatMap((node) =>
    Array.from(everyNode(node), ({ type, url }) => (type === "link" ? url : undefined)),
  );
  return urls
    .filter((url) => url !== undefined && !/^(#|[a-z]+:)/.test(url))
    .map((url) => posix.join(posix.dirname(file), url!.split("#", 1)[0]!).replace(/\/$/, ""));
}

/** The text of a folder is its README. */
function textAt(path: string): string {
  const readme = `${path}/README.md`;
  return !(path in lists) && existsSync(join(root, readme)) ? readme : path;
}

function isShown(path: string): boolean {
  const file = statSync(join(root, path), { throwIfNoEntry: false });
  return file?.isFile() === true && file.size <= mostLetters && !/\.(svg|png|html)$/.test(path);
}
