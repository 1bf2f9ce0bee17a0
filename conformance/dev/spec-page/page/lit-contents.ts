// Lights the entry of the contents that the reader is at.

/** How far below the upper edge of the screen a heading counts as reached, in pixels. */
const underTheEdge = 120;

/** Follows the reader through the page. Where there is no room for them beside the text, the contents are closed at first. */
export function lightContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>("#contents")!;
  contents.open = !matchMedia("(max-width: 62rem)").matches;
  addEventListener("beforeprint", () => (contents.open = true));
  const links = [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  const places = links.map((link) => ({
    link,
    heading: document.getElementById(decodeURIComponent(link.hash.slice(1)))!,
  }));
  let lit: HTMLAnchorElement | undefined;
  let isAsked = false;
  const light = () => {
    isAsked = false;
    const next = places.findLast(({ heading }) => heading.getBoundingClientRect().top < underTheEdge)?.link;
    if (next === lit) return;
    lit?.removeAttribute("aria-current");
    next?.setAttribute("aria-current", "location");
    lit = next;
    if (next) show(next);
  };
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(light);
  };
  addEventListener("scroll", ask, { passive: true });
  addEventListener("resize", ask);
  light();
}

/** Moves the contents, and nothing else, to where an entry can be seen. */
function show(entry: HTMLElement): void {
  const list = entry.closest("nav")!;
  const { top, bottom, height } = list.getBoundingClientRect();
  const place = entry.getBoundingClientRect();
  if (place.top < top || place.bottom > bottom) list.scrollTop += place.top - top - height / 3;
}
