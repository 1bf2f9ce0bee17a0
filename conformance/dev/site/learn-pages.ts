// The page of the track: every stage with its idea, its task, its hints, and the cases that examine it.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import type { Suite } from "../../kit/index.ts";
import { divide, readStages } from "../../teaching/stages/stages.ts";
import type { ExaminedStage } from "../../teaching/stages/stages.ts";
import { placeOf } from "../spec-page/chapters.ts";
import { counted, linkTo } from "../spec-page/listed.ts";
import { readMarkdown } from "../spec-page/markdown.ts";
import { prose } from "../spec-page/prose.ts";
import type { SpecData } from "../spec-page/spec-data.ts";
import type { SitePage } from "./site-page.ts";

/** The page, and a page for each stage. */
export async function learnPages(suite: Pick<Suite, "cases">, data: SpecData): Promise<SitePage[]> {
  const stages = await divide(readStages(), suite);
  const own = stages.map((one) => stagePage(one, data));
  return [
    {
      path: "learn/index.html",
      title: "Learn it by writing one",
      anchor: "learn",
      part: "learn",
      body: html`<p>
          Two ways. <a href="#conformance/teaching/tour/README">The tour</a> reads and runs ten programs, each a step on
          from the last. The track has you write a loop yourself, in any language: the kit examines each of its
          ${stages.length} stages.
        </p>
        <pre tabindex="0"><code>npx agent-loop-spec learn start my-loop --lang python
npx agent-loop-spec test --driver my-loop --stage 1
npx agent-loop-spec learn my-loop</code></pre>
        <ol>
          ${own.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title.replace(/^\d+\. /, "")}</a></li> `)}
        </ol>`,
    },
    ...own,
  ];
}

function stagePage({ stage, selected }: ExaminedStage, data: SpecData): SitePage {
  const { number, name, file, idea, task, hints, title } = stage;
  const text = (markdown: string): Html => prose(readMarkdown(markdown).children ?? [], placeOf(data, file));
  const cases = [...new Map(selected.map(({ entry }) => [entry.id, entry])).values()];
  return {
    path: `learn/${name}.html`,
    title: `${number}. ${title}`,
    anchor: `learn/${name}`,
    part: "learn",
    group: "The track",
    body: html`<h3 id="learn/${name}/idea">Idea</h3>
      ${text(idea)}
      <h3 id="learn/${name}/task">Task</h3>
      ${text(task)}
      <h3 id="learn/${name}/hints">Hints</h3>
      ${hints.map(
        (hint, at) =>
          html`<details class="group">
            <summary>Hint ${at + 1}</summary>
            ${text(hint)}
          </details> `,
      )}
      <h3 id="learn/${name}/cases">${counted(cases.length, "case")}</h3>
      <ul>
        ${cases.map((entry) => html`<li>${linkTo.case(entry.id)} ${entry.case.title.replaceAll("`", "")}</li> `)}
      </ul>`,
  };
}
