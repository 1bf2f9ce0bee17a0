// Finds the links of a site that lead nowhere: every address of its own, and every place in a page that an address names.

import { posix } from "node:path";
import { idsOf } from "./addresses.ts";

/**
 * One line for each link to a file that the site does not have, to a place that its page does not have, or away from the site
 * without the name of a protocol.
 * @param files the pages by their paths from the folder of the site, and whatever else lies in it
 */
export function brokenLinks(files: ReadonlyMap<string, string>): string[] {
  const pages = [...files].filter(([path]) => path.endsWith(".html"));
  const ids = new Map(pages.map(([path, text]) => [path, new Set(idsOf(text))]));
  return pages.flatMap(([path, text]) => {
    const broken = [...linksOf(text)].filter((link) => {
      const [file = "", place] = link.split("#");
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      if (file.startsWith("/") || !files.has(target)) return true;
      return place !== undefined && place !== "" && !ids.get(target)?.has(decodeURIComponent(place));
    });
    return broken.map((link) => `${path}: ${link} is not there`);
  });
}

/** What a page links to and loads, addresses of others aside. */
function linksOf(page: string): Set<string> {
  const all = page.matchAll(/<(?:a|link|script|img)\b[^<>]*? (?:href|src)="([^"]*)"/g);
  return new Set(Array.from(all, ([, link]) => link!).filter((link) => !/^(https?|data|mailto):/.test(link)));
}
