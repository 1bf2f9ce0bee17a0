// The pages of the standard: a page for each chapter, and the lists of what belongs to the requirements.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { anchors, chapterName } from "../spec-page/anchors.ts";
import { bugList } from "../spec-page/bug-list.ts";
import { casesByArea, oneCase } from "../spec-page/case-list.ts";
import { chapters, decisions, lead } from "../spec-page/chapters.ts";
import { featureList } from "../spec-page/feature-list.ts";
import { counted } from "../spec-page/listed.ts";
import { mutantsByChapter, oneMutant } from "../spec-page/mutant-list.ts";
import type { Relations } from "../spec-page/relations.ts";
import type { SpecData } from "../spec-page/spec-data.ts";
import type { SitePage } from "./site-page.ts";
import { pathOf } from "./text-pages.ts";

/**
 * Every page of the standard.
 * @param walked the cases that can be walked through
 */
export function standardPages(data: SpecData, relations: Relations, walked: ReadonlySet<string>): SitePage[] {
  const part = "standard" as const;
  const first: SitePage = {
    path: "spec/index.html",
    title: data.readme.title,
    anchor: "spec",
    part,
    body: html`<span id="top"></span>${lead(data)}`,
  };
  const texts = chapters(data, relations).map(({ file, title, anchor, below, text }): SitePage => {
    return { path: pathOf(file!), title, anchor, part, group: groupOf(file!, data), body: text, below };
  });
  return [first, ...texts, ...listPages(data, relations, walked)];
}

/** The document of a chapter. */
function groupOf(file: string, data: SpecData): string {
  const document = /^spec\/(loop|kit)\//.exec(file)?.[1];
  if (document === undefined) return "Both documents";
  return data.chapters.find((chapter) => chapter.file === `spec/${document}/README.md`)!.title;
}

function listPages(data: SpecData, relations: Relations, walked: ReadonlySet<string>): SitePage[] {
  const list = (anchor: string, title: string, about: string, text: Html): SitePage => {
    return {
      path: `spec/${anchor}.html`,
      title,
      anchor,
      part: "standard",
      group: "Lists",
      body: html`<p>${about}</p>
        ${text}`,
    };
  };
  return [
    list("decisions", "Decisions", "Why it is as it is, where several ways were open.", decisions(data)),
    list(
      "features",
      "Features",
      "What an implementation may have beside the core, and declares by name. Behind them stands what loops offer, and where it is here.",
      featureList(data, relations),
    ),
    list(
      "bugs",
      "Real bugs",
      "What went wrong in agent loops that people use, and what answers it here.",
      bugList(data.bugs, relations),
    ),
    ...casePages(data, relations, walked),
    ...mutantPages(data, relations),
    list(
      "data",
      "Data",
      "The tables of the spec, and the schemas of everything that crosses a seam.",
      dataLinks(data.files),
    ),
  ];
}

function casePages({ cases }: SpecData, relations: Relations, walked: ReadonlySet<string>): SitePage[] {
  const areas = [...casesByArea(cases)];
  const own = areas.map(([area, some]): SitePage => ({
    path: `spec/cases/${area}.html`,
    title: `Cases: ${area}`,
    anchor: `cases/${area}`,
    part: "standard",
    group: "Lists",
    parent: "cases",
    body: html`${some.map((entry) => oneCase(entry, relations, walked.has(entry.id) && stepLink(entry.id)))}`,
  }));
  return [
    listOf(
      "cases",
      "Cases",
      "Each says what a correct implementation does in one situation.",
      own,
      areas.map(([, some]) => counted(some.length, "case")),
    ),
    ...own,
  ];
}

function stepLink(id: string): Html {
  return html`<p class="about"><a href="#${walkAnchor(id)}">Walk through it</a>, one transition at a time</p>`;
}

/** Where a case is walked through. */
export function walkAnchor(id: string): string {
  return `walk/${id}`;
}

function mutantPages(data: SpecData, relations: Relations): SitePage[] {
  const groups = mutantsByChapter(data.mutants, data.chapters, relations);
  const own = groups.map(([{ file, title }, some]): SitePage => {
    const name = chapterName(file);
    return {
      path: `spec/kill-matrix/${name}.html`,
      title: `Mutants: ${title}`,
      anchor: `mutants/${name}`,
      part: "standard",
      group: "Lists",
      parent: "kill-matrix",
      body: html`${some.map(oneMutant)}`,
    };
  });
  const about = "Small faults that were put into the reference, and the cases that found them.";
  return [
    listOf(
      "kill-matrix",
      "Kill matrix",
      about,
      own,
      groups.map(([, some]) => counted(some.length, "mutant")),
    ),
    ...own,
  ];
}

/** The page that leads to the pages of a list. */
function listOf(
  anchor: string,
  title: string,
  about: string,
  own: readonly SitePage[],
  sizes: readonly string[],
): SitePage {
  return {
    path: `spec/${anchor}/index.html`,
    title,
    anchor,
    part: "standard",
    group: "Lists",
    body: html`<p>${about}</p>
      <ul>
        ${own.map((page, at) => html`<li><a href="#${page.anchor}">${page.title.replace(/^\w+: /, "")}</a> <small>${sizes[at]}</small></li> `)}
      </ul>`,
  };
}

function dataLinks(files: ReadonlyMap<string, string>): Html {
  const shown = [...files].filter(([path]) => /^(spec|schemas)\/.*\.json$/.test(path));
  return html`<ul>
    ${shown.map(
      ([path, text]) =>
        html`<li>
          <a href="#${anchors.file(path)}"><code>${path}</code></a> ${aboutOf(text)}
        </li> `,
    )}
  </ul>`;
}

function aboutOf(text: string): string {
  return (JSON.parse(text) as { description?: string }).description ?? "";
}
