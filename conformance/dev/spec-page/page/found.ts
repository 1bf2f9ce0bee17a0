// Finds places of the page by words and ids.

/** A place that can be found. */
export interface Entry {
  /** As a link has it: `#` and an anchor, or the address of another page before it. */
  address: string;
  /** What it is called: an id, a name, a heading. */
  name: string;
  /** What it says. */
  text: string;
  /** The chapter or list in which it stands. */
  chapter: string;
  /** Everything in which words are looked for, in small letters. */
  words: string;
  /** The smaller, the earlier it is found. */
  kind: number;
}

/** Where words are looked for: what comes first is found first. `name` and `says` are looked for in each place. */
const kinds = [
  { places: "main :is(h2, h3, h4)[id]", name: "", says: "" },
  { places: ".glossary tr[id]", name: "th", says: "td > p" },
  { places: ".requirement", name: ".id", says: ":scope > p" },
  { places: ".entry", name: ".name", says: ":scope > p" },
];

/** Every place of the page, as the search has it. */
export function placesOf(page: Document): Entry[] {
  return kinds.flatMap(({ places, name, says }, kind) =>
    Array.from(page.querySelectorAll<HTMLElement>(places), (place) => {
      const called = textOf(name === "" ? place : place.querySelector(name)!);
      const [first = "", ...more] = says === "" ? [] : Array.from(place.querySelectorAll(says), textOf);
      return {
        address: `#${place.id}`,
        name: called,
        text: first.startsWith(called) ? first.slice(called.length) : first,
        chapter: textOf(place.closest("section")!.querySelector("h2")!),
        words: [called, first, ...more].join(" ").toLowerCase(),
        kind,
      };
    }),
  );
}

/** The places in which all words stand: first what is called so, then what has them in its name, kind by kind. */
export function find(words: string, entries: readonly Entry[]): Entry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const rank = ({ name, kind }: Entry) => {
    const called = name.toLowerCase();
    if (called === wanted.join(" ")) return -1;
    return 2 * kind + (wanted.every((word) => called.includes(word)) ? 0 : 1);
  };
  return entries
    .filter((entry) => wanted.every((word) => entry.words.includes(word)))
    .toSorted((one, other) => rank(one) - rank(other));
}

function textOf(element: Element): string {
  return element.textContent.replace(/\s+/g, " ").trim();
}
