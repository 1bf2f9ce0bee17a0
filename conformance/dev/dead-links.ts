// Follows the links of a folder's README from page to page, and finds those that lead nowhere in the folder.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Each as `page → target`, from the folder. Links to other sites are not followed. */
export function deadLinks(folder: string, first = "README.md"): string[] {
  const dead = new Set<string>();
  const pages = new Set([first]);
  for (const page of pages)
    for (const link of linksOf(readFileSync(join(folder, page), "utf8"))) {
      const target = join(dirname(page), link.split("#", 1)[0]!);
      if (!existsSync(join(folder, target))) dead.add(`${page} → ${target}`);
      else if (target.endsWith(".md")) pages.add(target);
    }
  return [...dead].toSorted();
}

/** The links of a page to other files, fenced blocks aside. */
function linksOf(markdown: string): string[] {
  const links = markdown.replaceAll(/^```[^]*?^```/gm, "").matchAll(/\]\(([^()\s]+)\)/g);
  return [...links].map(([, link]) => link!).filter((link) => !/^(#|[a-z]+:)/.test(link));
}
