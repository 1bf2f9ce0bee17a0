// The pairs of a run that have begun and not ended, and how one names them: the memory of the event grammar's checker.

import type { EventGrammar, EventPair, LoopEvent } from "../../../schemas/types.ts";

/** An event, whose fields are read by the names that the grammar gives. */
export type ReadEvent = LoopEvent & Record<string, unknown>;

/** A pair whose start was read, and its end not. */
export interface OpenPair {
  name: string;
  start: ReadEvent;
  /** How far it is in its parts, and which event took it there. */
  part: number;
  partBy: string;
  /** How many pairs and events of each name were in it. */
  counts: Map<string, number>;
  /** The last number of the counted pairs in it. */
  numbers: Map<string, number>;
}

/** The open pairs, outermost first. */
export class OpenPairs {
  /** The name of the pair that is the whole. */
  readonly whole: string;
  readonly #pairs: Record<string, EventPair>;
  readonly #open: OpenPair[] = [];
  readonly #ended = new Set<string>();

  constructor({ pairs }: EventGrammar) {
    this.#pairs = pairs;
    this.whole = Object.keys(pairs).find((name) => pairs[name]!.in === undefined)!;
  }

  get all(): readonly OpenPair[] {
    return this.#open;
  }

  rule(name: string): EventPair {
    return this.#pairs[name]!;
  }

  /** Whether several of the name may be open at once. */
  mayOverlap(name: string): boolean {
    return this.rule(name).beside?.includes(name) === true;
  }

  /** The name of a pair, and of everything around it. */
  chain(name: string | undefined): string[] {
    return name === undefined ? [] : [name, ...this.chain(this.rule(name).in)];
  }

  /** The open pair around the pairs of a name. */
  around(name: string): OpenPair | undefined {
    return this.#open.findLast((open) => open.name === this.rule(name).in);
  }

  /** The open pair of a name that has the key of an event. */
  find(name: string, event: ReadEvent): OpenPair | undefined {
    const { key = [] } = this.rule(name);
    return this.#open.findLast(
      (open) => open.name === name && key.every((field) => open.start[field] === event[field]),
    );
  }

  /** Whether a pair with the key of an event has ended. */
  hasEnded(name: string, event: ReadEvent): boolean {
    return this.#ended.has(this.#keyOf(name, event));
  }

  begin(name: string, start: ReadEvent): void {
    this.#open.push({ name, start, part: 0, partBy: start.type, counts: new Map(), numbers: new Map() });
  }

  end(pair: OpenPair): void {
    this.#ended.add(this.#keyOf(pair.name, pair.start));
    this.#open.splice(this.#open.indexOf(pair), 1);
  }

  /** The part of an open pair to which an event belongs, the first of those it may belong to that is not over; -1 if all are. */
  partOf(open: OpenPair, parts: readonly string[]): number {
    const all = this.rule(open.name).parts ?? [];
    return parts.map((part) => all.indexOf(part)).find((part) => part >= open.part) ?? -1;
  }

  /** An event with the key of its pair, for people. */
  called(name: string, event: ReadEvent): string {
    const keyText = (this.rule(name).key ?? []).map((field) => `${field} ${String(event[field])}`).join(", ");
    return keyText === "" ? event.type : `${event.type} (${keyText})`;
  }

  /** The open pairs of a name, for people. */
  named(name: string): string {
    const { key = [] } = this.rule(name);
    if (key.length === 0) return `the ${name}`;
    const labels = this.#open.flatMap(({ name: one, start }) => {
      const [last, ...others] = key.map((field) => String(start[field])).toReversed();
      return one === name ? [others.length === 0 ? last : `${last} (${others.join(", ")})`] : [];
    });
    return `${name} ${labels.join(", ")}`;
  }

  #keyOf(name: string, event: ReadEvent): string {
    return JSON.stringify([name, ...(this.rule(name).key ?? []).map((field) => event[field])]);
  }
}
