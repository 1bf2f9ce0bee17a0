// Writes lists of links to the things that the page names.

import { html } from "../../reporters/html/markup.ts";
import type { Html, Piece } from "../../reporters/html/markup.ts";
import { anchors } from "./anchors.ts";

/** Links to requirements, cases, real bugs, features and mutants. */
export const linkTo = {
  requirement: (id: string) => html`<a class="id" href="#${id}">${id}</a>`,
  case: (id: string) => named(anchors.case(id), id),
  bug: (name: string) => named(anchors.bug(name), name),
  feature: (name: string) => named(anchors.feature(name), name),
  mutant: (id: string) => named(anchors.mutant(id), id),
};

/** The things of a list in a line, behind what they are; nothing if there are none. */
export function line(label: string, things: readonly Piece[]): Piece {
  const separated = things.flatMap((thing, index) => (index === 0 ? [thing] : [", ", thing]));
  return things.length > 0 && html`<p class="about">${label}: ${separated}</p> `;
}

/** The things of a list below each other, under what they are; nothing if there are none. */
export function list(label: string, things: readonly Piece[]): Piece {
  return (
    things.length > 0 &&
    html`<p class="label">${label}</p>
      <ul>
        ${things.map((thing) => html`<li>${thing}</li> `)}
      </ul> `
  );
}

/** "1 case", "2 cases"; empty for none. */
export function counted(number: number, thing: string): string {
  if (number === 0) return "";
  return number === 1 ? `1 ${thing}` : `${number.toLocaleString("en")} ${thing}s`;
}

function named(anchor: string, name: string): Html {
  return html`<a href="#${anchor}"><code>${name}</code></a>`;
}
