// Opens what an address leads into: a case stands in a list that is closed at first.

/** Shows what the address names, and what is in it. */
export function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let part: Element | null = target; part; part = part.parentElement)
    if (part instanceof HTMLDetailsElement) part.open = true;
  target.querySelector<HTMLDetailsElement>(":scope > details")?.setAttribute("open", "");
  target.scrollIntoView();
}
