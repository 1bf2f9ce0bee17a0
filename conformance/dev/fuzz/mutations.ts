// Damages a stream of server-sent events: its values, its events, its lines, and its bytes.

import type { Random } from "./random.ts";

/** A damaged stream, in network reads, and what was done to it. */
export interface Damaged {
  reads: Uint8Array[];
  done: string[];
}

type Mutation = (text: string, random: Random, other: string) => string;

const odd = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  "",
  "x",
  [],
  {},
  [null],
  [[]],
  [{}],
  { type: "text" },
  "[DONE]",
  "{}",
  "toString",
];

/** By name. `other` is a second stream of the same provider. */
const mutations: Record<string, Mutation> = {
  "drop an event": (text, random) => edit(text, "\n\n", (list) => list.splice(random.below(list.length), 1)),
  "drop many events": (text, random) =>
    edit(text, "\n\n", (list) => list.splice(random.below(list.length), random.below(9))),
  "double an event": (text, random) => edit(text, "\n\n", (list) => double(list, random)),
  "move an event": (text, random) => edit(text, "\n\n", (list) => move(list, random)),
  "shuffle all events": (text, random) => edit(text, "\n\n", (list) => void list.sort(() => random.next() - 0.5)),
  "insert an event of another stream": (text, random, other) =>
    edit(text, "\n\n", (list) => list.splice(random.below(list.length), 0, random.pick(other.split("\n\n")))),
  "drop a line": (text, random) => edit(text, "\n", (list) => list.splice(random.below(list.length), 1)),
  "double a line": (text, random) => edit(text, "\n", (list) => double(list, random)),
  "move a line": (text, random) => edit(text, "\n", (list) => move(list, random)),
  "replace a value": (text, random) => editValue(text, random, (object, key) => (object[key] = random.pick(odd))),
  "take a field away": (text, random) => editValue(text, random, (object, key) => delete object[key]),
  "swap two values": (text, random) =>
    editValue(text, random, (object, key, keys) => {
      const other = random.pick(keys);
      [object[key], object[other]] = [object[other], object[key]];
    }),
  "cut the end off": (text, random) => text.slice(0, random.below(text.length)),
  "cut a piece out": (text, random) => {
    const from = random.below(text.length);
    return text.slice(0, from) + text.slice(from + random.below(40));
  },
  "write a word": (text, random) => {
    const at = random.below(text.length);
    return (
      text.slice(0, at) +
      random.pick(["data:", "\n\n", "\r", "\0", '"', "}", "{", "\\u", "\ufeff", ":", "event: error\n"]) +
      text.slice(at)
    );
  },
  "end lines with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "end lines with CR": (text) => text.replaceAll("\n", "\r"),
};

/** Damages a stream in one to four ways, flips bits in one of four, and cuts it into reads. */
export function damage(text: string, other: string, random: Random): Damaged {
  const names = Object.keys(mutations);
  const done = Array.from({ length: 1 + random.below(4) }, () => random.pick(names));
  let damaged = text;
  for (const name of done) damaged = mutations[name]!(damaged, random, other);
  const bytes = new TextEncoder().encode(damaged);
  if (random.below(4) === 0 && bytes.length > 0) {
    const flips = 1 + random.below(8);
    for (let flip = 0; flip < flips; flip++) bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    done.push(`flip ${flips} bits`);
  }
  const cuts = Array.from({ length: random.below(12) }, () => random.below(bytes.length)).toSorted((a, b) => a - b);
  const ends = [...cuts, bytes.length];
  return { reads: ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end)), done };
}

function edit(text: string, by: string, change: (list: string[]) => unknown): string {
  const list = text.split(by);
  change(list);
  return list.join(by);
}

function double(list: string[], random: Random): void {
  const at = random.below(list.length);
  list.splice(at, 0, list[at]!);
}

function move(list: string[], random: Random): void {
  const [moved = ""] = list.splice(random.below(list.length), 1);
  list.splice(random.below(list.length + 1), 0, moved);
}

type Holder = Record<string, unknown>;

/** Changes the JSON of a random event in a random place. */
function editValue(
  text: string,
  random: Random,
  change: (object: Holder, key: string, keys: string[]) => unknown,
): string {
  return edit(text, "\n", (lines) => {
    const places = lines.flatMap((line, at) => (line.startsWith("data: {") ? [at] : []));
    if (places.length === 0) return;
    const at = random.pick(places);
    let value: unknown;
    try {
      value = JSON.parse(lines[at]!.slice("data: ".length));
    } catch {
      return; // damaged before
    }
    const holders: Holder[] = [];
    const collect = (inner: unknown) => {
      if (typeof inner !== "object" || inner === null) return;
      if (Object.keys(inner).length > 0) holders.push(inner as Holder);
      Object.values(inner).forEach(collect);
    };
    collect(value);
    if (holders.length === 0) return;
    const holder = random.pick(holders);
    const keys = Object.keys(holder);
    change(holder, random.pick(keys), keys);
    lines[at] = `data: ${JSON.stringify(value)}`;
  });
}
