// Writes the list of the real bugs: what was seen, where, and which cases and requirements answer it.

import { html, withCode } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { anchors } from "./anchors.ts";
import { line, linkTo } from "./listed.ts";
import type { Relations } from "./relations.ts";
import type { Bug } from "./spec-data.ts";

/** Every real bug. */
export function bugList(bugs: ReadonlyMap<string, Bug>, relations: Relations): Html {
  return html`${[...bugs].map(([name, bug]) => oneBug(name, bug, relations))}`;
}

function oneBug(name: string, bug: Bug, relations: Relations): Html {
  return html`<div class="entry" id="${anchors.bug(name)}">
    <p><code class="name">${name}</code> ${withCode(bug.symptom)}</p>
    ${line(
      "Seen in",
      bug.links.map((url) => html`<a href="${url}" rel="noreferrer">${source(url)}</a>`),
    )}${line(
      "Requirements",
      relations.requirementsOfBug(bug).map(linkTo.requirement),
    )}${line("Cases", (bug.cases ?? []).map(linkTo.case))}${line("No case", bug.none === undefined ? [] : [withCode(bug.none)])}
  </div> `;
}

/** `owner/name#number` for a thread of a repository; other addresses as they are. */
function source(url: string): string {
  const [, repository, number] =
    /^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:issues|pull|discussions)\/(\d+)/.exec(url) ?? [];
  return number === undefined ? url.replace(/^https?:\/\//, "") : `${repository}#${number}`;
}
