// Moves the focus from square to square with the arrow keys, so that the whole matrix is one stop of the tab key.

/** Listens to the keys within an element that is drawn anew now and then. */
export function listenToArrows(place: HTMLElement): void {
  place.addEventListener("keydown", (event) => {
    const from = event.target;
    if (!(from instanceof HTMLElement) || !from.matches("a.cell")) return;
    const to = neighbour(place, from, event.key);
    if (!to) return;
    event.preventDefault();
    focusCell(place, to);
  });
  place.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && target.matches("a.cell")) enter(place, target);
  });
}

/** Makes the first square the one that the tab key goes to. */
export function resetGrid(place: HTMLElement): void {
  const first = place.querySelector<HTMLElement>("a.cell.broken") ?? place.querySelector<HTMLElement>("a.cell");
  if (first) enter(place, first);
}

function focusCell(place: HTMLElement, cell: HTMLElement): void {
  enter(place, cell);
  cell.focus();
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function enter(place: HTMLElement, cell: HTMLElement): void {
  for (const other of place.querySelectorAll<HTMLElement>('a.cell[tabindex="0"]')) other.tabIndex = -1;
  cell.tabIndex = 0;
}

function neighbour(place: HTMLElement, from: HTMLElement, key: string): HTMLElement | undefined {
  const rows = [...place.querySelectorAll<HTMLElement>("tr[data-row]")];
  const row = from.closest<HTMLElement>("tr[data-row]")!;
  const cells = (of: HTMLElement) => [...of.querySelectorAll<HTMLElement>("a.cell")];
  const own = cells(row);
  const at = own.indexOf(from);
  switch (key) {
    case "ArrowRight":
      return own[at + 1];
    case "ArrowLeft":
      return own[at - 1];
    case "Home":
      return own[0];
    case "End":
      return own.at(-1);
    case "ArrowDown":
    case "ArrowUp": {
      const next = rows[rows.indexOf(row) + (key === "ArrowDown" ? 1 : -1)];
      return next && cells(next)[at];
    }
    default:
      return undefined;
  }
}
