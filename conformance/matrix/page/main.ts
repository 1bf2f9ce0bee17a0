// Begins the page of the matrix: reads the data that stands in it, draws it, and follows choices, addresses and keys.

import type { Matrix } from "../../../schemas/types.ts";
import { html } from "../../reporters/html/markup.ts";
import { showEvidence } from "./evidence.ts";
import { showGlance, showLead, showLegend } from "./glance.ts";
import { listenToArrows, resetGrid } from "./grid.ts";
import { showBreaches, showObserved, showRows } from "./lists.ts";
import { showNext, showSceneDetails } from "./next.ts";
import { choiceOf, hashOf, kindWords, noChoice, requirementsFor, rowsFor, severityWords } from "./view.ts";
import type { Choice } from "./view.ts";

const element = (id: string) => document.getElementById(id)!;
const form = element("filters") as HTMLFormElement;
const dialog = element("evidence") as HTMLDialogElement;
const data = JSON.parse(element("data").textContent) as Matrix;
/** Where the evidence of each row has a page of its own. Absent: it is in the data. */
const pages = element("data").dataset["pages"];
let choice = noChoice;
/** The address without an open cell. */
let quietHash = "";

element("lead").innerHTML = showLead(data).text;
element("legend").innerHTML = showLegend().text;
offerChoices();
listenToArrows(element("glance"));
form.addEventListener("input", () => choose(readForm()));
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", (event) => {
  event.preventDefault();
  choose(noChoice);
});
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  if (target === dialog || target.closest("[data-close]")) dialog.close();
});
dialog.addEventListener("close", () =>
  history.replaceState(undefined, "", quietHash || location.pathname + location.search),
);
addEventListener("hashchange", follow);
apply(noChoice);
follow();

/** Shows what the address says: a choice, a cell, a scene, or a place of the page. */
function follow(): void {
  const chosen = choiceOf(location.hash);
  if (chosen) return apply(chosen);
  const place = decoded(location.hash.slice(1));
  const shown = detailsOf(place);
  if (shown === undefined) return;
  if (pages !== undefined) return location.replace(`${pages}${place.replace(/\/[^/]*$/, "")}.html${location.hash}`);
  dialog.innerHTML = html`<button type="button" class="close" data-close aria-label="close">×</button>${shown}`.text;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/** What a dialog has for `peers/ai-sdk/LOOP-9`, or for `peers/ai-sdk/tool-throws`. */
function detailsOf(place: string) {
  const at = place.lastIndexOf("/");
  const row = data.rows.find(({ id }) => id === place.slice(0, Math.max(at, 0)));
  const name = place.slice(at + 1);
  if (!row) return undefined;
  if (data.requirements[name]) return showEvidence(row, name, data);
  return data.scenes[name] === undefined ? undefined : showSceneDetails(row, name, data);
}

function choose(wanted: Choice): void {
  quietHash = hashOf(wanted);
  history.replaceState(undefined, "", quietHash || location.pathname + location.search);
  apply(wanted);
}

function apply(wanted: Choice): void {
  choice = wanted;
  quietHash = hashOf(choice);
  writeForm();
  element("glance").innerHTML = showGlance(data, choice).text;
  element("breaches").innerHTML = showBreaches(data, choice).text;
  element("next").innerHTML = showNext(data, choice).text;
  element("observed").innerHTML = showObserved(data, choice).text;
  element("rows").innerHTML = showRows(data, choice).text;
  const rows = rowsFor(data, choice).length;
  element("count").textContent =
    `${rows} of ${data.rows.length} rows, ${requirementsFor(data, choice).length} of ${Object.keys(data.requirements).length} requirements.`;
  resetGrid(element("glance"));
}

function writeForm(): void {
  for (const box of boxes()) box.checked = choice[box.name as "kinds"].includes(box.value);
  for (const field of fields()) field.value = choice[field.name as "language"];
}

function readForm(): Choice {
  const words = Object.fromEntries(fields().map(({ name, value }) => [name, value]));
  const chosen = (name: string) => boxes().flatMap((box) => (box.name === name && box.checked ? [box.value] : []));
  return { ...noChoice, ...words, severities: chosen("severities"), kinds: chosen("kinds") };
}

function boxes(): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
}

function fields(): HTMLSelectElement[] {
  return [...form.querySelectorAll("select")];
}

function offerChoices(): void {
  const chips = (name: string, all: [value: string, word: string][]) =>
    html`${all.map(([value, word]) => html`<label class="chip"><input type="checkbox" name="${name}" value="${value}" /> ${word}</label>`)}`;
  const kinds = Object.entries(kindWords).filter(([kind]) => data.rows.some((row) => row.kind === kind));
  element("severities").insertAdjacentHTML(
    "beforeend",
    chips(
      "severities",
      severityWords.map(({ severity, short }) => [severity, short]),
    ).text,
  );
  element("kinds").insertAdjacentHTML("beforeend", chips("kinds", kinds).text);
  offer(
    "language",
    data.rows.map(({ language }) => language),
  );
  offer(
    "provider",
    data.rows.flatMap(({ providers = [] }) => providers),
  );
}

function offer(name: string, values: string[]): void {
  const options = [...new Set(values)].sort().map((value) => html`<option>${value}</option>`);
  (form.elements.namedItem(name) as HTMLSelectElement).insertAdjacentHTML("beforeend", html`${options}`.text);
}
