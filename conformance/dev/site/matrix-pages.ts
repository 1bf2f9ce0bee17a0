// The pages of the matrix: at a glance as it is drawn anywhere else, and for each row a page with its evidence.

import { readFileSync } from "node:fs";
import type { Matrix, MatrixCell, MatrixRow } from "../../../schemas/types.ts";
import { showEvidence } from "../../matrix/page/evidence.ts";
import { showGlance, showLead, showLegend } from "../../matrix/page/glance.ts";
import { showBreaches, showObserved, showRows } from "../../matrix/page/lists.ts";
import { showNext, showSceneDetails } from "../../matrix/page/next.ts";
import { noChoice, signs } from "../../matrix/page/view.ts";
import { Html, html } from "../../reporters/html/markup.ts";
import { linkTo } from "../spec-page/listed.ts";
import type { SiteFile, SitePage } from "./site-page.ts";

/** Every page of the matrix. */
export function matrixPages(matrix: Matrix): SitePage[] {
  return [
    glancePage(matrix),
    ...matrix.rows.filter(({ cells }) => cells !== undefined).map((row) => rowPage(row, matrix)),
  ];
}

/** The page that the package has as one file, drawn before its script runs, and with the evidence elsewhere. */
function glancePage(matrix: Matrix): SitePage {
  const page = readFileSync(new URL("../../matrix/page.html", import.meta.url), "utf8");
  const drawn = {
    lead: showLead(matrix),
    legend: showLegend(),
    glance: showGlance(matrix, noChoice),
    breaches: showBreaches(matrix, noChoice),
    next: showNext(matrix, noChoice),
    observed: showObserved(matrix, noChoice),
    rows: showRows(matrix, noChoice),
  };
  const [, footer = ""] = /<footer>([^]*)<\/footer>/.exec(page) ?? [];
  const body = page
    .replace(/<a class="skip"[^]*?<\/a>/, "")
    .replace(/<noscript[^]*<\/noscript\s*>/, "")
    .replace(/<footer>[^]*<\/footer>/, "")
    .replace("<main>", '<main id="text" tabindex="-1">')
    .replaceAll(
      /(id="(lead|legend|glance|breaches|next|observed|rows)"[^>]*>)/g,
      (_, before: string, name: keyof typeof drawn) => {
        return `${before}${compact(drawn[name])}`;
      },
    );
  return {
    path: "matrix/index.html",
    title: "Which loop gets it right?",
    anchor: "matrix",
    part: "matrix",
    kind: "matrix",
    body: html`${new Html(body)}
      <script type="application/json" id="data" data-pages=""></script>
      <script src="data.js"></script>`,
    footer: new Html(footer),
  };
}

/** Without what only the script reads, which draws it anew, and what only the source needs: it is most of the page. */
function compact({ text }: Html): string {
  return text.replaceAll(/\n\s+/g, " ").replaceAll(/ data-cell="[^"]*"/g, "");
}

/** What the script draws with, as a file of its own; the evidence of each row is on its page. */
export function matrixData(matrix: Matrix): SiteFile {
  const rows = matrix.rows.map(({ cells, ...row }) => ({ ...row, ...(cells && { cells: withoutEvidence(cells) }) }));
  const json = JSON.stringify(JSON.stringify({ ...matrix, rows }));
  return { path: "matrix/data.js", content: `document.getElementById("data").textContent = ${json};\n` };
}

function withoutEvidence(cells: Record<string, MatrixCell>): Record<string, MatrixCell> {
  return Object.fromEntries(Object.entries(cells).map(([id, { evidence: _, scripts: __, ...cell }]) => [id, cell]));
}

function rowPage(row: MatrixRow, matrix: Matrix): SitePage {
  // What a row says nothing of was not seen.
  const unseen: MatrixCell = { outcome: "not_seen" };
  const cells = Object.keys(matrix.requirements).map((id) => [id, row.cells![id] ?? unseen] as const);
  const shown = cells.filter(([, { outcome }]) => outcome === "broken" || outcome === "unconfirmed");
  const others = cells.filter(([, { outcome }]) => outcome !== "broken" && outcome !== "unconfirmed");
  const place = (name: string) => `${row.id}/${name}`;
  return {
    path: `matrix/${row.id}.html`,
    title: `${row.title}: the evidence`,
    anchor: `row/${row.id}`,
    part: "matrix",
    kind: "matrix",
    isStill: true,
    body: html`<header class="top">
        <p class="eyebrow"><a href="#matrix">The matrix</a></p>
        <h1>${row.title}: the evidence</h1>
        <p>${row.configuration}</p>
      </header>
      <main id="text" tabindex="-1">
        ${shown.map(
          ([id]) =>
            html`<article class="evidence" id="${place(id)}">
              ${showEvidence(row, id, matrix, `title-${id}`)}
              <p>${linkTo.requirement(id)}: what tests it, and who else broke it</p>
            </article> `,
        )}
        ${
          others.length > 0 &&
          html`<section aria-labelledby="others">
            <h2 id="others">What is not red</h2>
            <ul>
              ${others.map(([id, { outcome, reason }]) => html`<li id="${place(id)}">${linkTo.requirement(id)} ${signs[outcome].word}${reason !== undefined && html`: ${reason}`}</li> `)}
            </ul>
          </section>`
        }
        ${Object.keys(row.next ?? {}).map(
          (scene) =>
            html`<article class="evidence" id="${place(scene)}">
              ${showSceneDetails(row, scene, matrix, `title-${scene}`)}
            </article> `,
        )}
      </main>`,
  };
}
