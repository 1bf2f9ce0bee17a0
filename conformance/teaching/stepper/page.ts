// The walk as a page: the machine lit up, beside it what was decided, sent and answered. Without its script it shows everything.

import type { Entry } from "../../traffic/read/entries.ts";
import { htmlDocument } from "../../reporters/html/document.ts";
import { html, prettyJson, withCode } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { drawMachine } from "./diagram.ts";
import type { Decided } from "./explain.ts";
import { nameOf, sectionsOf, standingRows } from "./sections.ts";
import type { Section } from "./sections.ts";
import type { Transition } from "./transitions.ts";

/** What stands above the walk. */
export interface WalkTitle {
  title: string;
  notes: readonly string[];
}

/** The styles of a walk, and its script. */
export const walkStyles = ["conversation", "walk"];
export const walkScript = new URL(`../../reporters/html/page/walk${import.meta.url.slice(-3)}`, import.meta.url);

/** The whole document; it loads nothing. Each transition has an address: `#t3` is the third. */
export function walkPage(head: WalkTitle, transitions: readonly Transition[]): string {
  return htmlDocument({
    title: head.title,
    styles: walkStyles,
    script: walkScript,
    body: html`<a class="skip" href="#transitions">Skip to the transitions</a> ${walkBody(head, transitions)}`,
  });
}

/**
 * What the page shows.
 * @param idOf how the id of a requirement is shown
 */
export function walkBody(
  { title, notes }: WalkTitle,
  transitions: readonly Transition[],
  idOf: (requirement: string) => Html = (requirement) => html`<code>${requirement}</code>`,
): Html {
  return html`<header>
      <h1>${title}</h1>
      ${notes.map((text) => html`<p class="about">${text}</p>`)}
    </header>
    <main>
      <div class="overview">
        ${drawMachine()}
        <p class="about" id="when"></p>
        <nav class="controls" aria-label="Go to a transition" hidden>
          <button type="button" data-go="first" aria-keyshortcuts="Home">⇤ first</button>
          <button type="button" data-go="back" aria-keyshortcuts="ArrowLeft">← back</button>
          <p role="status" id="where"></p>
          <button type="button" data-go="next" aria-keyshortcuts="ArrowRight">next →</button>
          <button type="button" data-go="last" aria-keyshortcuts="End">last ⇥</button>
        </nav>
        <details class="list">
          <summary>All ${transitions.length} transitions</summary>
          <ol>
            ${transitions.map(listed)}
          </ol>
        </details>
        <p class="about keys" hidden>
          Keys: <kbd>→</kbd> next, <kbd>←</kbd> back, <kbd>Home</kbd> first, <kbd>End</kbd> last
        </p>
      </div>
      <div id="transitions" tabindex="-1">
        ${transitions.map((one) => showTransition(one, transitions.length, idOf))}
      </div>
    </main>`;
}

function listed(transition: Transition): Html {
  const { index, to } = transition;
  return html`<li><a href="#t${index}">${nameOf(transition)}</a> <small>turn ${to.turn}</small></li>`;
}

function showTransition(transition: Transition, count: number, idOf: (requirement: string) => Html): Html {
  const { index, from, to, decided } = transition;
  return html`<section
    class="transition"
    id="t${index}"
    data-from="${from.phase}"
    data-to="${to.phase}"
    aria-labelledby="h${index}"
  >
    <h2 id="h${index}"><small>${index} of ${count}</small> ${nameOf(transition)}</h2>
    ${showChange(transition)}
    ${
      decided.length > 0 &&
      html`<h3>Decided</h3>
        <dl class="decided">${decided.map((one) => showDecided(one, idOf))}</dl>`
    }
    ${sectionsOf(transition).map(showSection)}
  </section>`;
}

/** The state before and after; what is another now stands out. */
function showChange({ from, to }: Transition): Html {
  const after = standingRows(to);
  const rows = standingRows(from).map(([name, before], at) => ({ name, before, now: after[at]![1] }));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="State before and after">
    <table class="standing">
      <thead>
        <tr>
          <th scope="col">state</th>
          ${rows.map(({ name }) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">before</th>
          ${rows.map(({ before }) => html`<td>${before}</td>`)}
        </tr>
        <tr>
          <th scope="row">after</th>
          ${rows.map(({ before, now }) => (before === now ? html`<td>${now}</td>` : html`<td><strong>${now}</strong></td>`))}
        </tr>
      </tbody>
    </table>
  </div>`;
}

function showDecided({ what, requirement, text }: Decided, idOf: (requirement: string) => Html): Html {
  return html`<div>
    <dt>${idOf(requirement)} ${what}</dt>
    <dd>${withCode(text)}</dd>
  </div>`;
}

function showSection({ title, entries, raw = [] }: Section): Html {
  return html`<h3>${title}</h3>
    ${entries.map(showEntry)}
    ${
      raw.length > 0 &&
      html`<details>
        <summary>As it was asked</summary>
        ${raw.map((request) => html`<pre tabindex="0">${shortJson(request)}</pre>`)}
      </details>`
    }`;
}

function showEntry({ kind, text, aside }: Entry): Html {
  const small = aside !== undefined && html` <small>${aside}</small>`;
  return html`<div class="said ${kind}">
    <span>${kind === "note" ? "" : kind}</span>
    <pre>${shortened(text)}${small}</pre>
  </div>`;
}

/** Letters of one text that a page shows: a case may send a megabyte of them. */
const mostLetters = 20_000;

function shortened(text: string): string {
  const more = text.length - mostLetters;
  return more <= 0 ? text : `${text.slice(0, mostLetters)} … and ${more.toLocaleString("en")} letters more`;
}

/** JSON of which no text is longer than a page shows. */
function shortJson(value: unknown): Html {
  return prettyJson(
    JSON.parse(JSON.stringify(value), (_, part: unknown) => (typeof part === "string" ? shortened(part) : part)),
  );
}
