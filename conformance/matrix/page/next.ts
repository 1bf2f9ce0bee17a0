// Draws what became of the user's next message: a row for each bad ending, a column for each loop, a small square for each variant.

import type { Matrix, MatrixRow } from "../../../schemas/types.ts";
import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { nextOutcome, rowsFor, signs } from "./view.ts";
import type { Choice, Outcome } from "./view.ts";

/** The places of the small squares: a column for each provider that any row was asked over, JSON above and its stream below. */
function placesOf({ rows }: Matrix): string[] {
  const variants = new Set(rows.flatMap(({ next = {} }) => Object.values(next).flatMap((scene) => Object.keys(scene))));
  const providers = new Set([...variants].map((variant) => variant.split("/")[0]!));
  return [...providers].toSorted().flatMap((provider) => {
    const json = `${provider}/json`;
    const stream = [...variants].find((variant) => variant.startsWith(`${provider}/`) && variant !== json);
    return [json, stream ?? `${provider}/stream`];
  });
}

export function showNext(matrix: Matrix, choice: Choice): Html {
  const rows = rowsFor(matrix, choice).filter(({ next }) => next !== undefined);
  const places = placesOf(matrix);
  if (rows.length === 0) return html`<p class="quiet">No row that is shown was asked for the next message.</p>`;
  const scenes = Object.entries(matrix.scenes).filter(([scene]) => rows.some(({ next }) => next![scene] !== undefined));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="The next message, loop by loop">
    <table class="next">
      <thead>
        <tr>
          <th scope="col">after</th>
          ${rows.map(({ title }) => html`<th scope="col"><span>${title}</span></th>`)}
        </tr>
      </thead>
      <tbody>
        ${scenes.map(
          ([scene, title]) =>
            html`<tr>
              <th scope="row" title="${title}">${scene.replaceAll("-", " ")}</th>
              ${rows.map((row) => html`<td>${showScene(row, scene, { title, places, choice })}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

interface Drawn {
  title: string;
  places: readonly string[];
  choice: Choice;
}

function showScene(row: MatrixRow, scene: string, { title, places, choice: { provider } }: Drawn): Html {
  const seen = row.next![scene];
  if (seen === undefined) return html`<span class="hidden">not played</span>`;
  const shown = places.filter((place) => provider === "" || place.startsWith(`${provider}/`));
  const all = shown.flatMap((place) => (seen[place] ? nextOutcome(row, seen[place]) : []));
  const has = (outcome: string) => all.filter((one) => one === outcome).length;
  const word = (["broken", "unconfirmed", "kept"] as const).find((outcome) => has(outcome) > 0) ?? "not_seen";
  const words = `${signs[word].word}${word === "kept" ? "" : ` in ${has(word)} of ${all.length}`}`;
  return html`<a
    class="scene"
    href="#${row.id}/${scene}"
    title="${row.title}: ${words}"
    aria-label="${row.title}, ${title}: ${words}"
  >
    ${shown.map((place) => html`<i class="${seen[place] ? nextOutcome(row, seen[place]) : "absent"}"></i>`)}
  </a>`;
}

/** What became of one scene in each variant, for the dialog. */
export function showSceneDetails(row: MatrixRow, scene: string, matrix: Matrix, heading = "evidence-title"): Html {
  const seen = Object.entries(row.next?.[scene] ?? {});
  return html`<header>
      <p class="eyebrow">${row.title} · the next message</p>
      <h2 id="${heading}">${matrix.scenes[scene] ?? scene}</h2>
    </header>
    <table class="variants">
      <thead>
        <tr>
          <th scope="col">variant</th>
          <th scope="col">outcome</th>
          <th scope="col">what happened</th>
        </tr>
      </thead>
      <tbody>
        ${seen.map(
          ([variant, one]) =>
            html`<tr>
              <td>${variant}</td>
              <td>${showOutcome(nextOutcome(row, one))}</td>
              <td>
                ${one.sentence}
                ${(one.requirements ?? []).map((id) => html`<a class="name ${row.cells?.[id]?.outcome ?? "not_seen"}" href="#${row.id}/${id}">${id}</a> `)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function showOutcome(outcome: Outcome): Html {
  return html`<span class="cell ${outcome}" aria-hidden="true">${signs[outcome].sign}</span> ${signs[outcome].word}`;
}
