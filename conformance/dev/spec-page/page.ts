// Makes one page of the whole spec: the chapters, and behind them lists of all that belongs to the requirements.

import { htmlDocument } from "../../reporters/html/document.ts";
import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { anchorMistakes } from "./anchors.ts";
import { bugList } from "./bug-list.ts";
import { caseList } from "./case-list.ts";
import { chapters, decisions, lead } from "./chapters.ts";
import { contents } from "./contents.ts";
import type { Section } from "./contents.ts";
import { arrowHead } from "./diagrams/canvas.ts";
import { dataList } from "./data-list.ts";
import { featureList } from "./feature-list.ts";
import { counted } from "./listed.ts";
import { mutantList } from "./mutant-list.ts";
import { linkHere } from "./prose.ts";
import { Relations } from "./relations.ts";
import type { SpecData } from "./spec-data.ts";

/**
 * The page, the same for the same spec. It loads nothing, and works from a disk.
 * @throws Error that lists every link that leads nowhere and every anchor that stands twice
 */
export function specPage(data: SpecData): string {
  const body = wholeText(data);
  const mistakes = anchorMistakes(body.text);
  if (mistakes.length > 0) throw new Error(`The page of the spec has broken links:\n${mistakes.join("\n")}`);
  return htmlDocument({
    title: data.readme.title,
    styles: ["layout", "text", "search", "paper"].map((name) => new URL(`style/${name}.css`, import.meta.url)),
    body,
    script: new URL("page/main.ts", import.meta.url),
  });
}

function wholeText(data: SpecData): Html {
  const relations = new Relations(data);
  const texts = chapters(data, relations);
  const appendix = lists(data, relations);
  return html`<a class="skip" href="#text">Skip to the text</a>
    ${arrowHead}
    <header id="top">
      <p class="eyebrow">The whole specification on one page · ${size(data)}</p>
      <h1>${data.readme.title}</h1>
    </header>
    <div class="columns">
      <div class="side">
        <search>
          <form id="search" hidden>
            <label for="words">Search</label>
            <input
              id="words"
              type="search"
              autocomplete="off"
              spellcheck="false"
              placeholder="words, or an id"
              aria-keyshortcuts="/"
              aria-controls="found"
            />
            <p id="found-count" role="status" aria-live="polite"></p>
          </form>
          <ol id="found" aria-label="What was found" hidden></ol>
        </search>
        <nav aria-label="Contents">
          <details id="contents" open>
            <summary>Contents</summary>
            ${documents(texts).map(
              ([title, own]) =>
                html`<p class="label">${title}</p>
                  ${contents(own)}`,
            )}
            <p class="label">Lists</p>
            ${contents(appendix)}
          </details>
        </nav>
      </div>
      <main id="text" tabindex="-1">
        <section class="lead" aria-labelledby="about">
          <h2 id="about">About ${linkHere("about")}</h2>
          ${lead(data)}
        </section>
        ${[...texts, ...appendix].map(
          ({ anchor, title, text }) =>
            html`<section aria-labelledby="${anchor}">
              <h2 id="${anchor}">${title} ${linkHere(anchor)}</h2>
              ${text}
            </section> `,
        )}
      </main>
    </div>
    <footer>
      <details id="keys">
        <summary>Keyboard</summary>
        <p>
          <kbd>/</kbd> goes to the search. There <kbd>↓</kbd> and <kbd>↑</kbd> go through what was found,
          <kbd>Enter</kbd> goes to its place in the text, <kbd>Esc</kbd> ends the search.
        </p>
        <p>
          <label><input type="checkbox" id="single-keys" checked /> single keys do this</label>
        </p>
      </details>
    </footer>`;
}

/** The chapters of each document under its title, and those of both. */
function documents(texts: readonly Section[]): [title: string, own: Section[]][] {
  const groups = Map.groupBy(texts, ({ file }) => /^spec\/(loop|kit)\//.exec(file ?? "")?.[1] ?? "both");
  const titleOf = (name: string) =>
    texts.find(({ anchor }) => anchor === `document/${name}`)?.title ?? "Both documents";
  return [...groups].map(([name, own]) => [titleOf(name), own]);
}

function size({ catalogue, cases, bugs, mutants }: SpecData): string {
  return [
    counted(catalogue.requirements.size, "requirement"),
    counted(cases.length, "case"),
    counted(bugs.size, "real bug"),
    counted(mutants.length, "mutant"),
  ].join(", ");
}

/** What stands behind the chapters. */
function lists(data: SpecData, relations: Relations): Section[] {
  const list = (anchor: string, title: string, about: string, text: Html): Section => ({
    anchor,
    title,
    below: [],
    text: html`<p>${about}</p>
      ${text}`,
  });
  return [
    { anchor: "decisions", title: "Decisions", below: [], text: decisions(data) },
    list(
      "features",
      "Features",
      "What an implementation may have beside the core, and declares by name. Behind them stands what loops offer, and where it is here.",
      featureList(data, relations),
    ),
    list(
      "cases",
      "Cases",
      "Each says what a correct implementation does in one situation.",
      caseList(data.cases, relations),
    ),
    list(
      "bugs",
      "Real bugs",
      "What went wrong in agent loops that people use, and what answers it here.",
      bugList(data.bugs, relations),
    ),
    list(
      "kill-matrix",
      "Kill matrix",
      "Small faults that were put into the reference, and the cases that found them.",
      mutantList(data.mutants, data.chapters, relations),
    ),
    list(
      "data",
      "Data",
      "The tables of the spec, and the schemas of everything that crosses a seam.",
      dataList(data.files),
    ),
  ];
}
