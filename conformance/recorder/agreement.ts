// Whether a request agrees with a recorded one, and in which places it does not.

import type { ReplayTerms } from "../../reference/types.ts";
import { pointerTo, pointerTokens } from "../kit/json-pointer.ts";

/** A place in which two bodies differ. An absent value is `undefined`. */
export interface Difference {
  /** A JSON pointer into the body. */
  pointer: string;
  expected: unknown;
  received: unknown;
}

type Kind = NonNullable<ReplayTerms["like"]>[string];

/** What a fixture says of one place of a body and of those below it. */
export interface Place {
  volatile?: true;
  like?: Kind;
  below: Map<string, Place>;
}

/** No difference is shown beyond these. */
const mostDifferences = 20;

/**
 * Compares the bodies of requests on a fixture's terms, and remembers which id stands for which: one that was other than recorded
 * must be the same wherever the recorded one comes back.
 * @see REPLAY-2, REPLAY-3
 */
export class Agreement {
  readonly #terms: Place;
  readonly #received = new Map<string, string>();
  readonly #recorded = new Map<string, string>();

  constructor(terms?: ReplayTerms) {
    this.#terms = placesOf(terms);
  }

  /** Where the received body differs from the recorded one. If nowhere, the ids that it uses are remembered. */
  compare(recorded: unknown, received: unknown): Difference[] {
    const walk = new Walk(this.#received, this.#recorded);
    walk.compare(recorded, received, this.#terms);
    if (walk.differences.length === 0) {
      for (const [was, is] of walk.received) this.#received.set(was, is);
      for (const [is, was] of walk.recorded) this.#recorded.set(is, was);
    }
    return walk.differences;
  }
}

/** The terms of a fixture by place, from the whole body downwards. */
export function placesOf({ volatile = [], like = {} }: ReplayTerms = {}): Place {
  const whole: Place = { below: new Map() };
  for (const pointer of volatile) placeAt(whole, pointer).volatile = true;
  for (const [pointer, kind] of Object.entries(like)) placeAt(whole, pointer).like = kind;
  return whole;
}

function placeAt(whole: Place, pointer: string): Place {
  let place = whole;
  for (const token of pointerTokens(pointer)) {
    const next = place.below.get(token) ?? { below: new Map() };
    place.below.set(token, next);
    place = next;
  }
  return place;
}

/** One comparison. The ids that it meets count only if it finds no difference. */
class Walk {
  readonly differences: Difference[] = [];
  /** The ids that are new in this comparison, in both directions. */
  readonly received = new Map<string, string>();
  readonly recorded = new Map<string, string>();
  readonly #receivedBefore: ReadonlyMap<string, string>;
  readonly #recordedBefore: ReadonlyMap<string, string>;
  /** Keys and indices down to what is compared now. */
  readonly #path: (string | number)[] = [];

  constructor(received: ReadonlyMap<string, string>, recorded: ReadonlyMap<string, string>) {
    this.#receivedBefore = received;
    this.#recordedBefore = recorded;
  }

  compare(recorded: unknown, received: unknown, place: Place | undefined): void {
    if (place?.volatile || this.differences.length >= mostDifferences) return;
    if (place?.like !== undefined) {
      if (!this.#isLike(place.like, recorded, received)) this.#differ(recorded, received);
    } else if (Array.isArray(recorded) && Array.isArray(received)) this.#compareLists(recorded, received, place);
    else if (isObject(recorded) && isObject(received)) this.#compareObjects(recorded, received, place);
    else if (recorded !== received) this.#differ(recorded, received);
  }

  #compareLists(recorded: unknown[], received: unknown[], place: Place | undefined): void {
    const length = Math.max(recorded.length, received.length);
    for (let at = 0; at < length; at += 1) this.#compareBelow(at, recorded[at], received[at], place);
  }

  #compareObjects(
    recorded: Record<string, unknown>,
    received: Record<string, unknown>,
    place: Place | undefined,
  ): void {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(received)])) {
      this.#compareBelow(key, recorded[key], received[key], place);
    }
  }

  #compareBelow(key: string | number, recorded: unknown, received: unknown, place: Place | undefined): void {
    this.#path.push(key);
    this.compare(recorded, received, place && below(place, String(key)));
    this.#path.pop();
  }

  #isLike(kind: Kind, recorded: unknown, received: unknown): boolean {
    if (kind === "number") return typeof recorded === "number" && typeof received === "number";
    if (typeof recorded !== "string" || typeof received !== "string") return false;
    if (kind === "id") return this.#isSameId(recorded, received);
    return likeness[kind](recorded) === likeness[kind](received);
  }

  #isSameId(recorded: string, received: string): boolean {
    const is = this.#receivedBefore.get(recorded) ?? this.received.get(recorded);
    const was = this.#recordedBefore.get(received) ?? this.recorded.get(received);
    if (is !== undefined || was !== undefined) return is === received && was === recorded;
    this.received.set(recorded, received);
    this.recorded.set(received, recorded);
    return true;
  }

  #differ(expected: unknown, received: unknown): void {
    const pointer = this.#path.reduce<string>(pointerTo, "");
    this.differences.push({ pointer, expected, received });
  }
}

/** A UUID of any version. */
export const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Two texts are alike if they are of the same kind: both dates, both UUIDs, or both none. */
const likeness: Record<"date" | "uuid" | "string", (text: string) => boolean> = {
  date: (text) => /\d{4}/.test(text) && !Number.isNaN(Date.parse(text)),
  uuid: (text) => uuid.test(text),
  string: () => true,
};

/** What is said of a key or an index of a place; nothing where nothing is. */
export function below(place: Place, token: string): Place | undefined {
  return place.below.get(token) ?? place.below.get("*");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
