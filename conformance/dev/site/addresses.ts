// Turns links to anchors into links to pages: a text names an anchor, and the site knows on which page it is.

import { posix } from "node:path";
import type { SitePage } from "./site-page.ts";

/** Where every anchor is. */
export class Addresses {
  readonly #pages = new Map<string, string>();
  readonly #own = new Map<string, ReadonlySet<string>>();

  /** @throws Error that lists every anchor of which two pages say that it is theirs */
  constructor(pages: readonly SitePage[]) {
    const twice: string[] = [];
    const add = (anchor: string, path: string) => {
      const other = this.#pages.get(anchor);
      if (other !== undefined && other !== path) twice.push(`#${anchor} is on ${other} and on ${path}`);
      this.#pages.set(anchor, path);
    };
    for (const { path, anchor, body, kind } of pages) {
      const ids = new Set(idsOf(body.text));
      this.#own.set(path, ids);
      add(anchor, path);
      // What a script looks for has the same names on several pages, and is no place to link to.
      for (const id of ids) if (id !== anchor && (kind === undefined || id.includes("/"))) add(id, path);
    }
    if (twice.length > 0) throw new Error(`Anchors of the site stand twice:\n${twice.join("\n")}`);
  }

  /** The address of an anchor, as a page links to it; undefined if there is no such place. */
  of(anchor: string, from: string): string | undefined {
    if (this.#own.get(from)?.has(anchor)) return `#${anchor}`;
    const path = this.#pages.get(anchor);
    if (path === undefined) return undefined;
    const isWhole = !this.#own.get(path)!.has(anchor);
    return `${relative(from, path)}${isWhole ? "" : `#${anchor}`}`;
  }

  /** Markup whose links lead where the anchors are. A link to an anchor that is nowhere stays as it is. */
  linked(markup: string, from: string): string {
    return markup.replaceAll(
      /(<a\b[^<>]*? href=")#([^"]*)"/g,
      (_, before: string, anchor: string) => `${before}${this.of(anchor, from) ?? `#${anchor}`}"`,
    );
  }
}

/** The way from one page to another. */
export function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

/** The ids of markup. */
export function idsOf(markup: string): string[] {
  return Array.from(markup.matchAll(/<[a-z][^<>]* id="([^"]*)"/g), ([, id]) => id!);
}
