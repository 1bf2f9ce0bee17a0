// Asks one puzzle after another, and says whether the answer was right.

import { html } from "../../../reporters/html/markup.ts";
import type { Html } from "../../../reporters/html/markup.ts";
import { loadScript } from "./load-script.ts";

/** As the files of data have it. */
interface Puzzle {
  code: string;
  report: string;
  requirements: { id: string; text: string }[];
  right: string[];
  places: string[];
  place: string;
  answer: string;
}

const main = document.getElementById("text")!;
const place = document.getElementById("puzzle")!;
const score = document.getElementById("score")!;
const codes = main.dataset["codes"]!.split(" ");
const perFile = Number(main.dataset["perFile"]);
const loaded = new Set<number>();
let puzzle: Puzzle | undefined;
let answered = 0;
let right = 0;

main.querySelector<HTMLElement>(".controls")!.hidden = false;
document.getElementById("another")!.addEventListener("click", () => {
  location.hash = codes[Math.floor(Math.random() * codes.length)]!;
});
place.addEventListener("submit", (event) => {
  event.preventDefault();
  judge(new FormData(event.target as HTMLFormElement));
});
addEventListener("hashchange", () => void follow());
void follow();

/** Shows the puzzle that the address names; without one, any. */
async function follow(): Promise<void> {
  const named = codes.indexOf(location.hash.slice(1));
  const at = named < 0 ? Math.floor(Math.random() * codes.length) : named;
  const file = Math.floor(at / perFile) + 1;
  if (!loaded.has(file)) await loadScript(`puzzles-${file}.js`);
  loaded.add(file);
  const { puzzles = [] } = globalThis as { puzzles?: Puzzle[] };
  puzzle = puzzles.find(({ code }) => code === codes[at])!;
  place.innerHTML = question(puzzle).text;
}

function question({ code, report, requirements, places }: Puzzle): Html {
  return html`<h2>Fault <a href="#${code}">${code}</a></h2>
    <pre tabindex="0">${report}</pre>
    <form>
      <fieldset>
        <legend>Which requirement is broken?</legend>
        ${requirements.map(({ id, text }) => choice("requirement", id, html`<code>${id}</code> ${text}`))}
      </fieldset>
      <fieldset>
        <legend>And where is the fault?</legend>
        ${places.map((one) => choice("place", one, html`<code>${one}</code>`))}
      </fieldset>
      <button type="submit">Answer</button>
    </form>
    <div id="verdict" role="status"></div>`;
}

function choice(name: string, value: string, label: Html): Html {
  return html`<label class="choice"
    ><input type="radio" name="${name}" value="${value}" /> <span>${label}</span></label
  >`;
}

/** An answer that names a place has to be right in both. Without any, the right one is shown. */
function judge(answer: FormData): void {
  if (!puzzle) return;
  const requirement = answer.get("requirement");
  const where = answer.get("place");
  const isRight = puzzle.right.includes(String(requirement)) && (where === null || where === puzzle.place);
  if (requirement !== null) {
    answered += 1;
    right += isRight ? 1 : 0;
    score.textContent = `${right} of ${answered} right`;
  }
  place.querySelector("button")!.disabled = true;
  document.getElementById("verdict")!.innerHTML = html`<h3>${wordsFor(requirement, where, puzzle)}</h3>
    <pre tabindex="0">${puzzle.answer}</pre>`.text;
}

function wordsFor(requirement: FormDataEntryValue | null, where: FormDataEntryValue | null, asked: Puzzle): string {
  if (requirement === null) return "The answer";
  const first = asked.right.includes(String(requirement)) ? "The requirement is right" : "It is another requirement";
  if (where === null) return `${first}.`;
  return `${first}; ${where === asked.place ? "the place is right" : "the fault is elsewhere"}.`;
}
