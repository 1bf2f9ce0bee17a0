// Puts the frame around a page: the bar with the parts and the search, the contents beside the text, what the browser may load.

import { Html, html } from "../../reporters/html/markup.ts";
import type { Piece } from "../../reporters/html/markup.ts";
import { contents } from "../spec-page/contents.ts";
import type { Entry } from "../spec-page/contents.ts";
import { arrowHead } from "../spec-page/diagrams/canvas.ts";
import { linkHere } from "../spec-page/prose.ts";
import { relative } from "./addresses.ts";
import type { Addresses } from "./addresses.ts";
import { parts } from "./site-page.ts";
import type { SitePage } from "./site-page.ts";

/** What pages load: their own site, from a disk or from a host, and nothing else. */
const policy =
  "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file: data:; base-uri 'none'; form-action 'none'";

/** The whole document. */
export function framed(
  page: SitePage,
  pages: readonly SitePage[],
  addresses: Addresses,
  indexes: readonly string[],
): string {
  const { path, kind = "text" } = page;
  const at = (file: string) => relative(path, file);
  const head = html`<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>${page.anchor === "README" ? page.title : `${page.title} · Agent Loop Spec`}</title>
    <link rel="stylesheet" href="${at("style.css")}" />
    <link rel="stylesheet" href="${at(`${kind}.css`)}" />
    <script defer src="${at("site.js")}"></script>
    ${kind !== "text" && !page.isStill && html`<script defer src="${at(`${kind}.js`)}"></script>`}`;
  const body = html`${arrowHead} ${bar(page)} ${kind === "text" ? text(page, pages) : page.body} ${foot(page)}`;
  // Search and links need to know where the site begins.
  return `<!doctype html>
<html lang="en" data-root="${at("index.html").replace(/index\.html$/, "")}" data-indexes="${indexes.join(" ")}">
<head>
${head.text}
</head>
<body class="${kind}">
<a class="skip" href="#${kind === "walk" ? "transitions" : "text"}">Skip to the text</a>
${addresses.linked(body.text, path)}
</body>
</html>
`;
}

function bar({ part, anchor }: SitePage): Html {
  return html`<div class="bar">
    <nav aria-label="Site">
      <a class="brand" href="#README">Agent Loop Spec</a>
      <ul>
        ${Object.entries(parts).map(([name, { title, first }]) => {
          const current = first === anchor ? html` aria-current="page"` : name === part && html` aria-current="true"`;
          return html`<li><a href="#${first}" ${current}>${title}</a></li> `;
        })}
      </ul>
    </nav>
    <search>
      <form id="search" hidden>
        <label for="words">Search</label>
        <input
          id="words"
          type="search"
          autocomplete="off"
          spellcheck="false"
          placeholder="search everything: press /"
          aria-keyshortcuts="/"
          aria-controls="found"
        />
      </form>
      <div class="results">
        <p id="found-count" role="status" aria-live="polite"></p>
        <ol id="found" aria-label="What was found" hidden></ol>
      </div>
    </search>
  </div>`;
}

/** A text, with the contents of its part beside it. */
function text(page: SitePage, pages: readonly SitePage[]): Html {
  const { title, anchor, part, body } = page;
  const own = pages.filter((other) => part !== undefined && other.part === part && isListed(other, page));
  return html`<div class="${own.length > 1 ? "columns" : "column"}">
    ${
      own.length > 1 &&
      html`<div class="side">
        <nav aria-label="Contents">
          <details id="contents" open>
            <summary>Contents</summary>
            ${[...Map.groupBy(own, ({ group }) => group ?? "")].map(
              ([label, some]) => html`${label !== "" && html`<p class="label">${label}</p>`} ${pageList(some, page)}`,
            )}
          </details>
        </nav>
      </div>`
    }
    <main id="text" tabindex="-1">
      ${anchor !== "README" && html`<h1 id="${anchor}">${title} ${linkHere(anchor)}</h1>`} ${raised(body)}
    </main>
  </div>`;
}

function isListed(other: SitePage, page: SitePage): boolean {
  if (other === page) return true;
  if (other.isUnlisted) return false;
  return other.parent === undefined || other.parent === page.anchor || other.parent === page.parent;
}

function pageList(pages: readonly SitePage[], current: SitePage): Html {
  const beside = (entry: SitePage): Piece => {
    const below: Entry[] = entry === current ? (entry.below ?? []) : [];
    return below.length > 0 && contents(below);
  };
  return html`<ol>
    ${pages.map(
      (entry) =>
        html`<li${entry.parent !== undefined && html` class="inner"`}>
          <a href="#${entry.anchor}"${entry === current && html` aria-current="page"`}>${entry.short ?? entry.title}</a>${beside(entry)}
        </li> `,
    )}
  </ol>`;
}

function foot({ footer }: SitePage): Html {
  return html`<footer>
    ${footer}
    <details id="site-keys">
      <summary>Keyboard</summary>
      <p>
        <kbd>/</kbd> goes to the search. There <kbd>↓</kbd> and <kbd>↑</kbd> go through what was found,
        <kbd>Enter</kbd> goes to its place, <kbd>Esc</kbd> ends the search.
      </p>
      <p>
        <label><input type="checkbox" id="single-keys" checked /> single keys do this</label>
      </p>
    </details>
  </footer>`;
}

/** Headings one level higher: on a page of its own, what is below the title of a chapter is below the title of the page. */
export function raised({ text }: Html): Html {
  return new Html(
    text.replaceAll(/(<\/?h)([3-6])\b/g, (_, before: string, level: string) => `${before}${Number(level) - 1}`),
  );
}
