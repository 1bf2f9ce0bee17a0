// Checks the events of one run against the grammar in spec/event-grammar.json, which alone defines what is allowed.

import { readFileSync } from "node:fs";
import type { EventGrammar, EventPlace, EventRule, Failure, LoopEvent } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { isExtension } from "../base/extension-name.ts";
import { matchData } from "../base/matcher.ts";
import { OpenPairs } from "./open-pairs.ts";
import type { OpenPair, ReadEvent } from "./open-pairs.ts";
import { packagePath } from "../base/package-root.ts";

/** What the events alone do not say about the run. */
export interface GrammarOptions {
  /** The features that the implementation declares: it must emit what they add. Those of other features it may. */
  features?: readonly string[];
}

/** What is wrong with an event, and which sentence it breaks. */
type Problem = [requirement: string, message: string];

let loaded: EventGrammar | undefined;

/** The grammar, as published in spec/event-grammar.json. */
export function eventGrammar(): EventGrammar {
  loaded ??= JSON.parse(readFileSync(packagePath("spec", "event-grammar.json"), "utf8")) as EventGrammar;
  return loaded;
}

/**
 * The first breach of the grammar in the events of one run, or of one resume; empty if there is none.
 *
 * @param events valid against `event.schema.json`, in the order in which they came
 * @returns failures that name the requirement and, where one event is wrong, that event in `path`
 * @see EVENT-1 EVENT-2 EVENT-3 EVENT-4 EVENT-5 EVENT-6 EVENT-8 EVENT-12 EVENT-13 EVENT-14 EVENT-15 EVENT-16 EVENT-17
 */
export function checkGrammar(events: readonly LoopEvent[], { features = [] }: GrammarOptions = {}): Failure[] {
  if (events.length === 0)
    return [
      breach("EVENT-1", "no events were received; a driver that cannot report events leaves them out of reports"),
    ];
  const reader = new Reader(eventGrammar(), features, new Set(events.map(({ type }) => type)));
  for (const [index, event] of events.entries()) {
    const problem = reader.read(event as ReadEvent, index);
    if (!problem) continue;
    const [requirement, message] = problem;
    const received = events.slice(Math.max(0, index - 3), index + 1).map((entry) => entry.type);
    const expected = "the grammar in spec/event-grammar.json";
    return [breach(requirement, `event ${index}: ${message}`, { path: `/events/${index}`, expected, received })];
  }
  const problem = reader.stop(events.at(-1)!.type);
  return problem ? [breach(...problem)] : [];
}

/** Reads one event after another, until one is wrong. */
class Reader {
  readonly #grammar: EventGrammar;
  readonly #features: readonly string[];
  readonly #seen: ReadonlySet<string>;
  readonly #open: OpenPairs;
  /** The last event, those aside that may stand anywhere. */
  #previous: string | undefined;
  /** What must come next. */
  #awaited: { pair: string; after: string } | undefined;
  #limit: { status: string } | undefined;
  #isOver = false;

  /** @param seen the kinds of events that the run has */
  constructor(grammar: EventGrammar, features: readonly string[], seen: ReadonlySet<string>) {
    this.#grammar = grammar;
    this.#features = features;
    this.#seen = seen;
    this.#open = new OpenPairs(grammar);
  }

  /** Takes in an event, or says what is wrong with it. */
  read(event: ReadEvent, index: number): Problem | undefined {
    const { type } = event;
    const { start, end, requirement } = this.#open.rule(this.#open.whole);
    const rule = this.#grammar.events[type];
    if (this.#isOver) return [requirement, `${type} comes after ${end}`];
    if (event.seq !== index) return ["EVENT-3", `seq is ${event.seq} where ${index} follows`];
    if (isExtension(type))
      return this.#open.all.length > 0 ? undefined : [this.#firstRequirement(), `${type} comes before ${start}`];
    if (!rule) return ["EVENT-4", `no event is called ${type}; known: ${Object.keys(this.#grammar.events).join(", ")}`];
    const first = this.#firstRequirement();
    if (this.#open.all.length === 0 && type !== start) return [first, `the first event is ${type}, not ${start}`];
    if (this.#open.all.length > 0 && type === start) return [first, `${type} occurs twice`];
    if (rule.anywhere) return this.#lateProblem(event, rule);
    const problem = this.#orderProblem(event, rule) ?? this.#limitProblem(event, rule);
    if (problem) return problem;
    this.#enter(event, rule);
    this.#previous = type;
    return rule.ends === undefined ? undefined : this.#end(event, rule.ends);
  }

  /** What is wrong with a list that ends here. */
  stop(last: string): Problem | undefined {
    const { end, requirement } = this.#open.rule(this.#open.whole);
    return this.#isOver ? undefined : [requirement, `the last event is ${last}, not ${end}`];
  }

  /** What demands that a run begins as it does. */
  #firstRequirement(): string {
    return this.#grammar.events[this.#open.rule(this.#open.whole).start]!.requirement;
  }

  #lateProblem(event: ReadEvent, { after, requirement }: EventRule): Problem | undefined {
    if (after === undefined || this.#open.hasEnded(after, event)) return undefined;
    return [requirement, `${this.#open.called(after, event)} comes before its ${this.#open.rule(after).end}`];
  }

  #orderProblem(event: ReadEvent, rule: EventRule): Problem | undefined {
    const name = rule.starts ?? rule.ends ?? rule.of;
    if (name === this.#open.whole && rule.starts !== undefined) return undefined;
    const partner = rule.ends ?? rule.of;
    return (
      this.#awaitedProblem(event) ??
      this.#followsProblem(event, rule) ??
      this.#numberProblem(event, rule) ??
      this.#blockProblem(event, rule, name) ??
      (partner === undefined ? this.#placeProblem(event, rule) : this.#partnerProblem(event, rule, partner)) ??
      (rule.starts === undefined ? undefined : this.#startProblem(event, rule, rule.starts))
    );
  }

  #awaitedProblem({ type }: ReadEvent): Problem | undefined {
    if (!this.#awaited) return undefined;
    const { start, requirement } = this.#open.rule(this.#awaited.pair);
    return type === start ? undefined : [requirement, `${type} follows ${this.#awaited.after}, not ${start}`];
  }

  #followsProblem({ type }: ReadEvent, { follows, requirement }: EventRule): Problem | undefined {
    if (follows === undefined || follows === this.#previous) return undefined;
    return [requirement, `${type} follows ${this.#previous ?? "nothing"}, not ${follows}`];
  }

  /** The event says another number than the pair around it, or than the turn that has ended. */
  #numberProblem(event: ReadEvent, rule: EventRule): Problem | undefined {
    if (rule.turn === "ended") return this.#betweenProblem(event, rule);
    for (const { name, start } of this.#open.all) {
      if (this.#open.mayOverlap(name) || rule.starts === name) continue;
      const { key = [], requirement } = this.#open.rule(name);
      const field = key.find((one) => event[one] !== undefined && event[one] !== start[one]);
      if (field === undefined) continue;
      const message = `${event.type} says ${field} ${String(event[field])} inside ${name} ${String(start[field])}`;
      return [requirement, message];
    }
    return undefined;
  }

  #betweenProblem({ type, ...event }: ReadEvent, { requirement }: EventRule): Problem | undefined {
    const [run, ...inner] = this.#open.all;
    if (inner.length > 0) return [requirement, `${type} occurs in a ${inner.at(-1)!.name}, not between two turns`];
    const ended = run!.numbers.get("turn") ?? (run!.start["resumed"] === true ? event["turn"] : 0);
    if (event["turn"] === ended) return undefined;
    return [requirement, `${type} says turn ${String(event["turn"])} where turn ${String(ended)} has ended`];
  }

  /** A pair would have to be over by now. */
  #blockProblem({ type }: ReadEvent, rule: EventRule, name: string | undefined): Problem | undefined {
    const allowed = new Set(this.#places(rule).flatMap(({ pair }) => this.#open.chain(pair)));
    if (name !== undefined) for (const one of this.#open.rule(name).beside ?? []) allowed.add(one);
    if (name !== undefined && rule.starts === undefined) allowed.add(name);
    const blocking = this.#open.all.findLast((open) => !allowed.has(open.name));
    if (!blocking) return undefined;
    const { end, requirement } = this.#open.rule(blocking.name);
    return [requirement, `${type} comes before the ${end} of ${this.#open.named(blocking.name)}`];
  }

  /** The event stands in no place where it may, or the place is over. */
  #placeProblem(event: ReadEvent, rule: EventRule): Problem | undefined {
    const { type } = event;
    const found = this.#placeOf(event, rule);
    if (!found) {
      const wanted = this.#places(rule);
      const missing = this.#open.chain(wanted[0]!.pair).filter((name) => !this.#isOpen(name));
      const requirement = missing.length > 1 ? this.#open.rule(missing.at(-1)!).requirement : rule.requirement;
      return [
        requirement,
        `${type} occurs in a ${this.#open.all.at(-1)!.name}, not ${wanted.map(inWords).join(" or ")}`,
      ];
    }
    const { open, place } = found;
    if ((open.counts.get(rule.starts ?? type) ?? 0) >= this.#most(rule))
      return [rule.requirement, `a ${open.name} has a second ${type}`];
    if (!place.parts || this.#open.partOf(open, place.parts) >= 0) return undefined;
    const { requirement } = this.#grammar.events[open.partBy]!;
    return [requirement, `${type} comes after ${open.partBy}, which belongs to a later part of a ${open.name}`];
  }

  #partnerProblem(event: ReadEvent, { requirement }: EventRule, name: string): Problem | undefined {
    if (this.#open.find(name, event)) return undefined;
    const { start, end } = this.#open.rule(name);
    const late = event.type === end ? "" : `, or after its ${end}`;
    return [requirement, `${this.#open.called(name, event)} occurs without its ${start}${late}`];
  }

  #startProblem(event: ReadEvent, { requirement }: EventRule, name: string): Problem | undefined {
    const { counted, count, requirement: pairing, start } = this.#open.rule(name);
    const around = this.#open.around(name)!;
    if (count?.none_if !== undefined && around.start[count.none_if] === true)
      return [requirement, `a ${around.name} that is ${count.none_if} has a ${start}`];
    if (this.#open.find(name, event)) return [pairing, `${this.#open.called(name, event)} occurs twice`];
    if (!counted) return undefined;
    const last = around.numbers.get(name);
    const { unless } = counted;
    const goesOn = unless !== undefined && (event[unless] === true || around.start[unless] === true);
    const isFree = last === undefined && goesOn;
    const next = last === undefined ? counted.from : last + 1;
    if (isFree || event[counted.field] === next) return undefined;
    return [pairing, `${start} has ${counted.field} ${String(event[counted.field])} where ${next} follows`];
  }

  /** @see EVENT-15 */
  #limitProblem(event: ReadEvent, rule: EventRule): Problem | undefined {
    const { limits, events } = this.#grammar;
    if (event.type === "limit") {
      const known = limits[event.limit] ?? event.status;
      if (known === event.status) return undefined;
      return [rule.requirement, `the limit ${event.limit} ends a run with status ${known}, not ${event.status}`];
    }
    if (event.type !== "run_end") return undefined;
    const { status } = event.result;
    const { requirement, feature } = events["limit"]!;
    if (this.#limit && this.#limit.status !== status)
      return [requirement, `the run ends with status ${status}, but its limit said ${this.#limit.status}`];
    const isLimit = this.#features.includes(feature!) && Object.values(limits).includes(status);
    if (this.#limit || !isLimit) return undefined;
    return [requirement, `the run ends with status ${status}, but no limit event comes before it`];
  }

  #enter(event: ReadEvent, rule: EventRule): void {
    const { type } = event;
    const { followed_by: follower } = rule;
    const isFollowed = follower && !(follower.unless && matchData(follower.unless, event).length === 0);
    this.#awaited = isFollowed && this.#isDemanded(follower.pair) ? { pair: follower.pair, after: type } : undefined;
    if (event.type === "limit") this.#limit = event;
    const found = rule.ends === undefined && rule.of === undefined ? this.#placeOf(event, rule) : undefined;
    if (found) {
      const { open, place } = found;
      const part = this.#open.partOf(open, place.parts ?? []);
      if (part > open.part) Object.assign(open, { part, partBy: type });
      const name = rule.starts ?? type;
      open.counts.set(name, (open.counts.get(name) ?? 0) + 1);
      const { counted } = rule.starts === undefined ? {} : this.#open.rule(rule.starts);
      if (counted) open.numbers.set(name, event[counted.field] as number);
    }
    if (rule.starts !== undefined) this.#open.begin(rule.starts, event);
  }

  /** Ends a pair, or says what it lacks. */
  #end(event: ReadEvent, name: string): Problem | undefined {
    const ending = this.#open.find(name, event)!;
    this.#open.end(ending);
    this.#isOver = name === this.#open.whole;
    for (const [inner, { in: around, count, feature, requirement, start }] of Object.entries(this.#grammar.pairs)) {
      if (around !== name || (ending.counts.get(inner) ?? 0) >= (count?.min ?? 0)) continue;
      const isNone = count?.none_if !== undefined && ending.start[count.none_if] === true;
      const isExcused = Object.entries(count?.unless ?? {}).some(([field, values]) => {
        return values.includes(String(event[field]));
      });
      if (isNone || isExcused || (feature !== undefined && !this.#isDemanded(inner))) continue;
      return [requirement, `a ${name} has no ${start}`];
    }
    return undefined;
  }

  /** The places where an event of a rule may stand; of an event that belongs to a pair, the place of the pair. */
  #places(rule: EventRule): EventPlace[] {
    const name = rule.starts ?? rule.ends ?? rule.of;
    if (name === undefined) return rule.in!;
    const { in: pair, part } = this.#open.rule(name);
    return pair === undefined ? [] : [{ pair, ...(part !== undefined && { parts: [part] }) }];
  }

  /** Where an event stands: in the innermost open pair of those in which it may. */
  #placeOf(event: ReadEvent, rule: EventRule): { open: OpenPair; place: EventPlace } | undefined {
    const places = this.#places(rule);
    const around = new Set(places.flatMap(({ pair }) => this.#open.chain(pair)));
    const open = this.#open.all.findLast(({ name }) => around.has(name));
    const place = places.find(({ pair, only }) => pair === open?.name && matchData(only ?? {}, event).length === 0);
    return open && place && { open, place };
  }

  /** How often an event may stand in one place. */
  #most({ starts, once }: EventRule): number {
    const most = starts === undefined ? once && 1 : this.#open.rule(starts).count?.max;
    return most ?? Infinity;
  }

  #isOpen(name: string): boolean {
    return this.#open.all.some((open) => open.name === name);
  }

  /** Whether a pair must be there: its feature is declared, or the run has it elsewhere. */
  #isDemanded(name: string): boolean {
    const { feature, start } = this.#open.rule(name);
    return this.#seen.has(start) || (feature !== undefined && this.#features.includes(feature));
  }
}

function inWords({ pair, only }: EventPlace): string {
  return only ? `in a ${pair} with ${JSON.stringify(only)}` : `in a ${pair}`;
}
