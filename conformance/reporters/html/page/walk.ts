// Begins the page of a walk: shows one transition at a time, lights it up in the machine, and follows keys and addresses.

const sections = [...document.querySelectorAll<HTMLElement>("section.transition")];
const links = [...document.querySelectorAll<HTMLAnchorElement>(".list a")];
const where = document.getElementById("where")!;
const whenLit = document.getElementById("when")!;
/** The address of each; from here on the browser does not scroll to it. */
const addresses = sections.map(({ id }) => `#${id}`);
let at = 0;

const goals: Record<string, () => number> = {
  first: () => 0,
  back: () => at - 1,
  next: () => at + 1,
  last: () => sections.length - 1,
};
/** No letters: whoever types with the voice would press them without meaning to. */
const keys: Record<string, string> = {
  ArrowRight: "next",
  ArrowLeft: "back",
  Home: "first",
  End: "last",
};

for (const element of document.querySelectorAll<HTMLElement>(".controls, .keys")) element.hidden = false;
for (const section of sections) section.removeAttribute("id");
for (const button of buttons()) button.addEventListener("click", () => go(goals[button.dataset["go"]!]!()));
document.addEventListener("keydown", press);
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => showOnly(undefined));
addEventListener("afterprint", () => showOnly(at));
follow();

/** Shows what the address names; where it names no transition, what was shown before. */
function follow(): void {
  const named = addresses.indexOf(location.hash);
  show(named < 0 ? at : named);
}

function press(event: KeyboardEvent): void {
  const goal = keys[event.key];
  if (goal === undefined || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
  event.preventDefault();
  go(goals[goal]!());
}

/** Arrows that scroll what has the focus, or move in what is written. */
function isTaken({ target }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement) return target.value !== "";
  return target instanceof HTMLElement && target.matches(".scroll, pre") && target.scrollWidth > target.clientWidth;
}

function go(wanted: number): void {
  const next = Math.max(0, Math.min(wanted, sections.length - 1));
  if (next === at) return;
  history.replaceState(undefined, "", addresses[next]);
  show(next);
}

function show(next: number): void {
  at = next;
  showOnly(next);
  const { from, to } = sections[next]!.dataset;
  light("[data-state]", ({ dataset }) => dataset["state"] === from, "left");
  light("[data-state]", ({ dataset }) => dataset["state"] === to, "reached");
  light("[data-edge]", ({ dataset }) => dataset["edge"] === `${from}>${to}`, "lit");
  for (const [index, link] of links.entries())
    if (index === next) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  where.textContent = `${next + 1} of ${sections.length}: ${links[next]!.textContent}`;
  whenLit.textContent = document.querySelector("[data-edge].lit title")?.textContent ?? "";
  for (const button of buttons()) {
    const isAway = button.dataset["go"] === "first" || button.dataset["go"] === "back";
    button.setAttribute("aria-disabled", String(isAway ? next === 0 : next === sections.length - 1));
  }
}

/** Hides all transitions but one; none where there is none to be chosen. */
function showOnly(chosen: number | undefined): void {
  for (const [index, section] of sections.entries()) section.hidden = chosen !== undefined && index !== chosen;
}

function light(selector: string, test: (element: SVGElement) => boolean, name: string): void {
  for (const element of document.querySelectorAll<SVGElement>(selector)) element.classList.toggle(name, test(element));
}

function buttons(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-go]")];
}
