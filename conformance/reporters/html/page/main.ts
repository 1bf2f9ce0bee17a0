// Begins the page of a report: reads the data that stands in it, draws it, and follows filters, addresses and keys.

import { html } from "../markup.ts";
import type { PageData } from "../page-data.ts";
import { filtersOfHash, hashOfFilters, noFilters } from "./filters.ts";
import type { Filters } from "./filters.ts";
import { listenToKeys } from "./keyboard.ts";
import { showLead, showScores } from "./overview.ts";
import { showObserved } from "./observed.ts";
import { showRequirements } from "./requirements.ts";
import { Results, placesOf } from "./results.ts";
import { signs, urgent, verdicts } from "./verdicts.ts";

const element = (id: string) => document.getElementById(id)!;
const form = element("filters") as HTMLFormElement;
const data = JSON.parse(element("data").textContent) as PageData;
const results = new Results(element("results"), element("columns"), data);

element("title").innerHTML = html`${data.title}`.text;
element("lead").innerHTML = showLead(data).text;
element("broken").innerHTML = showRequirements(data).text;
element("observed").innerHTML = showObserved(data).text;
element("scores").innerHTML = showScores(data).text;
offerChoices();

form.addEventListener("input", () => choose(readForm()));
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", (event) => {
  event.preventDefault();
  choose(noFilters);
});
addEventListener("hashchange", () => follow());
addEventListener("beforeprint", () => results.openAll());
document.addEventListener("click", unfold);
listenToKeys({ showAll: () => choose(noFilters) });
apply(whatNeedsAttention());
if (location.hash !== "") follow();

/** Shows what the address says. */
function follow(): void {
  const filters = filtersOfHash(location.hash);
  if (filters) {
    apply(filters);
    element("results-heading").scrollIntoView();
    return;
  }
  const place = placeOfHash(location.hash);
  if (results.goTo(place)) return;
  if (place === "") apply(whatNeedsAttention());
  else if (data.checks.some((check) => placesOf(check, check.results).includes(place))) {
    apply(noFilters);
    results.goTo(place);
  } else if (!document.getElementById(place)) {
    element("count").textContent = `This report has no ${place}. Shown: ${element("count").textContent}`;
    element("results-heading").scrollIntoView();
  }
}

/** What an address names; as it stands, where it was typed and cannot be decoded. */
function placeOfHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

function choose(filters: Filters): void {
  history.replaceState(undefined, "", hashOfFilters(filters));
  apply(filters);
}

function apply(filters: Filters): void {
  for (const { name, value } of fields()) {
    const wanted = filters[name as Exclude<keyof Filters, "verdict">];
    if (value !== wanted) (form.elements.namedItem(name) as HTMLInputElement).value = wanted;
  }
  for (const box of boxes()) box.checked = filters.verdict.includes(box.value as Filters["verdict"][number]);
  element("count").textContent = results.show(filters);
}

/** What is shown at first: failures, if there are any. */
function whatNeedsAttention(): Filters {
  return { ...noFilters, verdict: urgent.filter((verdict) => data.totals[verdict] > 0) };
}

function readForm(): Filters {
  const words = Object.fromEntries(fields().map(({ name, value }) => [name, value]));
  const chosen = boxes().filter((box) => box.checked);
  return { ...noFilters, ...words, verdict: chosen.map((box) => box.value as Filters["verdict"][number]) };
}

function boxes(): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
}

function fields(): (HTMLInputElement | HTMLSelectElement)[] {
  return [...form.querySelectorAll<HTMLInputElement>(".fields input, .fields select")];
}

function offerChoices(): void {
  const present = verdicts.filter((verdict) => data.totals[verdict] > 0);
  element("verdicts").insertAdjacentHTML(
    "beforeend",
    html`${present.map(
      (verdict) =>
        html`<label class="chip"
          ><input type="checkbox" name="verdict" value="${verdict}" /><span aria-hidden="true" class="sign ${verdict}"
            >${signs[verdict]}</span
          >
          ${verdict} <span class="number">${data.totals[verdict].toLocaleString("en")}</span></label
        >`,
    )}`.text,
  );
  const variants = data.checks.flatMap((check) => check.results.map(({ variant }) => variant));
  offer(
    "area",
    data.checks.map(({ area }) => area),
  );
  offer(
    "provider",
    variants.flatMap((variant) => [variant.split("/")[0]!, variant]),
  );
  offer("feature", Object.keys(data.features));
  const options = sorted(data.checks.map(({ requirement }) => requirement)).map(
    (id) => html`<option value="${id}"></option>`,
  );
  element("requirements").innerHTML = html`${options}`.text;
}

function offer(name: string, values: string[]): void {
  const options = sorted(values).map((value) => html`<option>${value}</option>`);
  (form.elements.namedItem(name) as HTMLSelectElement).insertAdjacentHTML("beforeend", html`${options}`.text);
}

function sorted(values: string[]): string[] {
  return [...new Set(values)].sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
}

/** Shows the lines of a difference that were folded. */
function unfold({ target }: Event): void {
  if (!(target instanceof HTMLElement) || !target.matches("[data-unfold]")) return;
  const fold = target.closest("tbody")!;
  fold.nextElementSibling!.removeAttribute("hidden");
  fold.remove();
}
