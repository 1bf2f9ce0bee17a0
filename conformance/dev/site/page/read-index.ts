// Reads the index of the search. It lies in scripts, because a page that lies on a disk can load nothing else.

import type { Entry } from "../../spec-page/page/found.ts";
import { loadScript } from "./load-script.ts";

/** What the scripts of the index leave behind. */
interface Index {
  sitePages?: [path: string, title: string][];
  siteEntries?: [page: number, anchor: string, name: string, text: string, kind: number][];
}

/** Every place of the site that can be found. */
export async function readIndex(): Promise<Entry[]> {
  const { root = "", indexes = "" } = document.documentElement.dataset;
  const note = document.getElementById("found-count")!;
  note.textContent = "reading the index …";
  await Promise.all(indexes.split(" ").map((path) => loadScript(root + path)));
  note.textContent = "";
  const { sitePages = [], siteEntries = [] } = globalThis as Index;
  return siteEntries.map(([page, anchor, name, text, kind]) => {
    const [path, title] = sitePages[page]!;
    return {
      address: `${root}${path}${anchor === "" ? "" : `#${anchor}`}`,
      name,
      text,
      chapter: title,
      words: `${name} ${text}`.toLowerCase(),
      kind,
    };
  });
}
