// Writes the table of contents.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";

/** A heading, and those below it. */
export interface Entry {
  title: string;
  anchor: string;
  below: Entry[];
}

/** A part of the page: a chapter or a list. */
export interface Section extends Entry {
  /** Of a chapter: its file, from the root of the project. */
  file?: string;
  text: Html;
}

/** The headings as links, nested. */
export function contents(entries: readonly Entry[]): Html {
  return html`<ol>
    ${entries.map(
      ({ title, anchor, below }) =>
        html`<li><a href="#${anchor}">${title}</a>${below.length > 0 && contents(below)}</li> `,
    )}
  </ol>`;
}
