// Makes the index of the search from the pages: what can be found is what the page of the spec finds, on every page.

import type { Html } from "../../reporters/html/markup.ts";
import type { SiteFile, SitePage } from "./site-page.ts";

/** What the search of a page reads: where it is, what it is called, what it says, and how early it is found. */
export type IndexEntry = [page: number, anchor: string, name: string, text: string, kind: number];

/** A file has about so many letters. */
const lettersPerFile = 600_000;
/** Letters of a text that are looked through. */
const mostLetters = 500;

/** Files that hand the pages and what is in them to the search. */
export function searchIndex(pages: readonly SitePage[]): SiteFile[] {
  const found = pages.filter(({ kind }) => kind !== "walk");
  const entries = found.flatMap((page, at) => entriesOf(page).map((entry): IndexEntry => [at, ...entry]));
  const files = chunks(entries).map((some, at) => ({
    path: `search/${at + 1}.js`,
    content: `(globalThis.siteEntries ??= []).push(...${JSON.stringify(some)});\n`,
  }));
  const list = found.map(({ path, title }) => [path, title]);
  return [{ path: "search/pages.js", content: `globalThis.sitePages = ${JSON.stringify(list)};\n` }, ...files];
}

/** The places of a page that have a name: the page itself, headings, words of the glossary, requirements, entries of lists. */
export function entriesOf({
  title,
  body,
  isUnlisted,
}: SitePage): [anchor: string, name: string, text: string, kind: number][] {
  const whole: [string, string, string, number] = ["", title, "", isUnlisted ? 4 : 0];
  const headings = matches(body, /<h([2-5]) id="([^"]*)">([^]*?)<\/h\1>/g, ([, , id, text]) => [
    id!,
    plain(text!),
    "",
    0,
  ]);
  const terms = matches(
    body,
    /<tr id="(term\/[^"]*)">\s*<th scope="row">([^]*?)<\/th>\s*<td>\s*<p>([^]*?)<\/p>/g,
    ([, id, word, text]) => [id!, plain(word!), plain(text!), 1],
  );
  const requirements = matches(
    body,
    /<div class="requirement" id="([^"]*)">\s*<p><a[^>]*>[^<]*<\/a>([^]*?)<\/p>(?:\s*<p class="why">([^]*?)<\/p>)?/g,
    ([, id, sentence, why]) => [id!, id!, plain(`${sentence} ${why ?? ""}`), 2],
  );
  const entries = matches(
    body,
    /<div class="entry" id="([^"]*)">\s*<p><code class="name">([^<]*)<\/code>([^]*?)<\/p>/g,
    ([, id, name, text]) => [id!, plain(name!), plain(text!), 3],
  );
  return [whole, ...headings, ...terms, ...requirements, ...entries];
}

type Found = [anchor: string, name: string, text: string, kind: number];

function matches({ text }: Html, pattern: RegExp, entryOf: (match: RegExpExecArray) => Found): Found[] {
  return Array.from(text.matchAll(pattern), entryOf);
}

/** What a reader sees of markup. */
function plain(markup: string): string {
  const text = markup
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return text.replaceAll(/\s+/g, " ").trim().slice(0, mostLetters);
}

function chunks(entries: readonly IndexEntry[]): IndexEntry[][] {
  const all: IndexEntry[][] = [[]];
  let letters = 0;
  for (const entry of entries) {
    letters += entry.join().length;
    if (letters > lettersPerFile) {
      all.push([]);
      letters = entry.join().length;
    }
    all.at(-1)!.push(entry);
  }
  return all;
}
