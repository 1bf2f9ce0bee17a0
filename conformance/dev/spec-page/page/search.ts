// The search of the page: a box, and below it what was found.

import { html } from "../../../reporters/html/markup.ts";
import { find } from "./found.ts";
import type { Entry } from "./found.ts";

/** More than these are counted, but not shown. */
const mostShown = 60;

/**
 * Makes the search work. It is hidden where no script runs.
 * @param readEntries what can be found; asked for once, when something is looked for
 */
export function startSearch(readEntries: () => Entry[] | Promise<Entry[]>): void {
  const form = document.querySelector<HTMLFormElement>("#search")!;
  const input = document.querySelector<HTMLInputElement>("#words")!;
  const results = document.querySelector<HTMLElement>("#found")!;
  let entries: Entry[] | Promise<Entry[]> | undefined;
  const search = async () => {
    entries ??= readEntries();
    // What was typed while they came is looked for, and not what was typed before.
    const known = Array.isArray(entries) ? entries : await entries;
    show(find(input.value, known), input.value.trim() !== "");
  };
  const end = () => {
    input.value = "";
    show([], false);
  };
  form.hidden = false;
  input.addEventListener("input", () => void search());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  results.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a")) end();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isIn(event.target, form, results)) {
      end();
      input.focus();
    }
    if (event.key === "/" && isSingleKey(event)) {
      event.preventDefault();
      input.focus();
      input.select();
    }
    if (isIn(event.target, form, results) && move(event.key, input, results)) event.preventDefault();
  });
}

function show(found: readonly Entry[], isAsked: boolean): void {
  const results = document.querySelector<HTMLElement>("#found")!;
  const shown = found.slice(0, mostShown).map(
    ({ address, name, text, chapter }) =>
      html`<li>
        <a href="${address}"><b>${name}</b> <span>${text}</span><small>${chapter}</small></a>
      </li>`,
  );
  results.innerHTML = html`${shown}`.text;
  results.hidden = found.length === 0;
  const more = found.length > mostShown ? `, the first ${mostShown} below` : "";
  const said = found.length === 1 ? "1 place" : `${found.length.toLocaleString("en")} places${more}`;
  document.querySelector("#found-count")!.textContent = isAsked ? said : "";
  document.body.classList.toggle("searching", isAsked);
}

/** Goes to the next or the previous thing that was found; above the first one is the box. */
function move(key: string, input: HTMLElement, results: HTMLElement): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined) return false;
  const stops = [input, ...results.querySelectorAll("a")];
  stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  return true;
}

function isIn(target: EventTarget | null, ...parts: Element[]): boolean {
  return target instanceof Node && parts.some((part) => part.contains(target));
}

/** A key that is no part of a text or of a command. They can be turned off, as some type with their voice. */
function isSingleKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const allowed = document.querySelector<HTMLInputElement>("#single-keys")!.checked;
  const isTyping = target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
  return allowed && !ctrlKey && !metaKey && !altKey && !isTyping;
}
