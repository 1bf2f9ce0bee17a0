// Shows the results by area, check and variant, each drawn only when it is opened, so that thousands of them cost nothing.

import { html, withCode } from "../markup.ts";
import type { Html } from "../markup.ts";
import type { PageCheck, PageData, PageResult } from "../page-data.ts";
import { matching } from "./filters.ts";
import type { Filters } from "./filters.ts";
import { showSentence, showVariant } from "./variant-details.ts";
import { plural } from "./plural.ts";
import { countsOf, inOrder, resultsOf, shareBar, sign, urgent, verdicts, worstOf } from "./verdicts.ts";

/** With no more checks than this, all areas are open from the start. */
const mostOpen = 150;

/** A check with its results that are shown. */
interface Shown {
  check: PageCheck;
  results: PageResult[];
}

/** The list of results in the page. */
export class Results {
  readonly #list: HTMLElement;
  readonly #data: PageData;
  readonly #variants: string[];
  #shown: Shown[] = [];

  /**
   * @param list where the results are shown
   * @param columns where the names of the variants stand above their signs
   */
  constructor(list: HTMLElement, columns: HTMLElement, data: PageData) {
    this.#list = list;
    this.#data = data;
    this.#variants = [...new Set(data.checks.flatMap(({ results }) => results.map(({ variant }) => variant)))].sort(
      inOrder,
    );
    columns.innerHTML = html`${this.#variants.map((variant) => html`<i>${variant}</i>`)}`.text;
    // The event does not bubble; it is heard on its way down.
    list.addEventListener("toggle", (event) => this.#fill(event.target as HTMLDetailsElement), true);
  }

  /** Shows what the filters leave, and says how much it is. */
  show(filters: Filters): string {
    this.#shown = this.#data.checks
      .map((check) => ({ check, results: matching(check, filters, this.#data) }))
      .filter(({ results }) => results.length > 0);
    const areas = Map.groupBy(this.#shown, ({ check }) => check.area);
    const all = Map.groupBy(this.#data.checks, ({ area }) => area);
    const isOpen = this.#shown.length <= mostOpen;
    this.#list.innerHTML = html`${[...areas].map(([name, shown]) => area(name, shown, all.get(name)!, isOpen))}`.text;
    for (const details of this.#list.querySelectorAll<HTMLDetailsElement>("details[open]")) this.#fill(details);
    const variants = this.#shown.reduce((sum, { results }) => sum + results.length, 0);
    const { selected } = this.#data.totals;
    const count = `${plural(this.#shown.length, "check")}, ${plural(variants, "variant")}`;
    return variants === selected ? `${count}: everything.` : `${count} of ${selected.toLocaleString("en")}.`;
  }

  /**
   * Opens a check, and a variant of it, and goes there.
   * @param place what stands in the address: `check`, or `check/variant`
   * @returns false if no such check is shown
   */
  goTo(place: string): boolean {
    const found = this.#shown.find(({ check, results }) => placesOf(check, results).includes(place));
    if (!found) return false;
    this.#open(`area-${found.check.area}`);
    this.#open(found.check.id);
    if (place !== found.check.id) {
      for (const other of this.#list.querySelectorAll<HTMLDetailsElement>("details.variant")) other.open = false;
      this.#open(place);
    }
    const target = document.getElementById(place);
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
    return true;
  }

  /** Opens everything that is shown, down to the variants that need attention, as paper cannot be opened. */
  openAll(): void {
    for (const level of ["area", "check", "variant"])
      for (const details of this.#list.querySelectorAll<HTMLDetailsElement>(`details.${level}`)) {
        if (level !== "area" && !details.matches(urgent.map((verdict) => `.${verdict}`).join())) continue;
        details.open = true;
        this.#fill(details);
      }
  }

  /** Opens what the summary with this id is of. The browser gives the focus to what an address names, and only a summary takes it. */
  #open(id: string): void {
    const details = document.getElementById(id)?.parentElement;
    if (!(details instanceof HTMLDetailsElement)) return;
    details.open = true;
    this.#fill(details);
  }

  /** Draws what is in an element that was opened for the first time. */
  #fill(details: HTMLDetailsElement): void {
    const body = details.querySelector<HTMLElement>(":scope > .body:empty");
    if (!details.open || !body) return;
    const [level, index, variant] = body.dataset["of"]!.split(" ") as [string, string, string?];
    if (level === "area") {
      const shown = this.#shown.filter(({ check }) => check.area === index);
      body.innerHTML = html`${shown.map((entry) => this.#check(entry, this.#shown.indexOf(entry)))}`.text;
      return;
    }
    const { check, results } = this.#shown[Number(index)]!;
    if (level === "check") {
      body.innerHTML = this.#checkBody(check, results, Number(index)).text;
      for (const open of body.querySelectorAll<HTMLDetailsElement>("details[open]")) this.#fill(open);
    } else
      body.innerHTML = showVariant(
        check,
        check.results.find((result) => result.variant === variant)!,
        this.#data,
      ).text;
  }

  #check({ check, results }: Shown, index: number): Html {
    const worst = worstOf(results);
    const count = results.filter(({ verdict }) => verdict === worst).length;
    return html`<details class="check ${worst}">
      <summary id="${check.id}">
        ${sign(worst)}
        <span class="name"><b>${check.case}</b> <span class="about">${withCode(check.title)}</span></span>
        <span class="hidden">${count} of ${check.results.length}: ${worst}.</span>
        <span class="requirement">${check.requirement}</span>
        <span class="cells" aria-hidden="true">${this.#variants.map((variant) => cell(check, results, variant))}</span>
      </summary>
      <div class="body" data-of="check ${index}"></div>
    </details>`;
  }

  #checkBody(check: PageCheck, results: readonly PageResult[], index: number): Html {
    const requirement = this.#data.requirements[check.requirement];
    const line = check.results.find((result) => result.line !== undefined)?.line;
    const first = results.find((result) => isDetailed(result));
    return html`${showSentence(check.requirement, this.#data)}
      ${requirement?.why !== undefined && html`<p class="quiet">Why: ${withCode(requirement.why)}</p>`}
      <p class="quiet">
        ${check.file !== "" && html`<code>${check.file}${line !== undefined && `:${line}`}</code>`}
        ${check.features.length > 0 && html` needs ${check.features.join(", ")}`}
      </p>
      ${results.filter(isDetailed).map((result) => variant(check, result, index, result === first))}
      ${showQuiet(
        check,
        results.filter((result) => !isDetailed(result)),
      )}
      <p class="link"><a href="#${check.id}">link to this check</a></p>`;
  }
}

/** What addresses call a check and its variants. */
export function placesOf(check: PageCheck, results: readonly PageResult[]): string[] {
  return [check.id, ...results.map(({ variant }) => `${check.id}/${variant}`)];
}

/** An area, with a bar of everything in it, shown or not. */
function area(name: string, shown: readonly Shown[], all: readonly PageCheck[], isOpen: boolean): Html {
  const results = shown.flatMap((entry) => entry.results);
  const counts = countsOf(results);
  const said = verdicts.filter((verdict) => counts.has(verdict)).map((verdict) => `${counts.get(verdict)} ${verdict}`);
  return html`<details class="area" ${isOpen && html` open`}>
    <summary id="area-${name}">
      <h3>${name}</h3>
      <span class="quiet">${plural(shown.length, "check")}: ${said.join(", ")}</span>
      ${shareBar(countsOf(resultsOf(all)))}
    </summary>
    <div class="body" data-of="area ${name}"></div>
  </details>`;
}

function cell(check: PageCheck, results: readonly PageResult[], variant: string): Html {
  const result = check.results.find((one) => one.variant === variant);
  if (!result) return html`<i></i>`;
  return html`<i title="${variant}: ${result.verdict}" ${!results.includes(result) && html` class="other"`}
    >${sign(result.verdict)}</i
  >`;
}

function variant(check: PageCheck, result: PageResult, index: number, isOpen: boolean): Html {
  const [failure] = result.failures ?? [];
  return html`<details class="variant ${result.verdict}" ${isOpen && html` open`}>
    <summary id="${check.id}/${result.variant}">
      ${sign(result.verdict)} <b>${result.variant}</b> <span>${result.verdict}</span>
      <span class="quiet">${failure?.message.split("\n", 1)[0] ?? result.reason}</span>
      <span class="number quiet">${result.ms} ms</span>
    </summary>
    <div class="body" data-of="variant ${index} ${result.variant}"></div>
  </details>`;
}

/** What has no details, in a table. */
function showQuiet(check: PageCheck, results: readonly PageResult[]): Html {
  if (results.length === 0) return html``;
  return html`<table class="quiet-results">
    <thead>
      <tr>
        <th scope="col">variant</th>
        <th scope="col">verdict</th>
        <th scope="col" class="number">ms</th>
        <th scope="col">because</th>
      </tr>
    </thead>
    <tbody>
      ${results.map(
        ({ variant, verdict, ms, reason }) =>
          html`<tr id="${check.id}/${variant}" tabindex="-1">
            <th scope="row">${variant}</th>
            <td>${sign(verdict)} ${verdict}</td>
            <td class="number">${ms}</td>
            <td>${reason}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function isDetailed({ verdict, failures, exchanges, events }: PageResult): boolean {
  return urgent.includes(verdict) || [failures, exchanges, events].some((details) => details !== undefined);
}
