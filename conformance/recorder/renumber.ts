// Gives ids and dates of recorded requests small numbers, where the fixture lets them differ and nothing else names them.

import type { Exchange, Fixture } from "../../reference/types.ts";
import { below, placesOf, uuid } from "./agreement.ts";
import type { Place } from "./agreement.ts";

/** A family of values: how the n-th of it is written, counted from 1. */
interface Family {
  name: string;
  nth(number: number): string;
}

/**
 * The exchanges with other ids and dates. What stands in a response, or in a request where it may not differ, stays as it is everywhere.
 * @returns also how many values became other ones
 */
export function renumber(
  exchanges: readonly Exchange[],
  terms: Fixture["replay"],
): { exchanges: Exchange[]; renumbered: number } {
  const places = placesOf(terms);
  const free: string[] = [];
  for (const { request } of exchanges) mapFree(request?.body, places, (value) => (free.push(value), value));
  if (free.length === 0) return { exchanges: [...exchanges], renumbered: 0 };
  const names = namesFor(free, wordsIn(exchanges));
  const rename = (value: string) => names.get(value) ?? value;
  return {
    exchanges: exchanges.map(({ request, ...rest }) => ({
      ...rest,
      request: request && { ...request, ...bodyOf(mapFree(request.body, places, rename)) },
    })),
    renumbered: [...names].filter(([was, is]) => was !== is).length,
  };
}

function bodyOf(body: unknown): { body?: unknown } {
  return body === undefined ? {} : { body };
}

/** A copy of a body with every text replaced that may be another one of its kind. */
function mapFree(value: unknown, place: Place | undefined, replace: (value: string) => string): unknown {
  if (place === undefined || place.volatile) return value;
  if (place.like !== undefined)
    return typeof value === "string" && familyOf(value, place.like) ? replace(value) : value;
  if (Array.isArray(value)) return value.map((entry, at) => mapFree(entry, below(place, String(at)), replace));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, mapFree(inner, below(place, key), replace)]);
  return Object.fromEntries(entries) as unknown;
}

/** A new text for each value that stands nowhere but where it is free; no new one stands anywhere already. */
function namesFor(free: readonly string[], words: ReadonlyMap<string, number>): Map<string, string> {
  const counts = new Map<string, number>();
  for (const value of free) counts.set(value, (counts.get(value) ?? 0) + 1);
  const movable = new Set([...counts].filter(([value, count]) => words.get(value) === count).map(([value]) => value));
  const used = new Map<string, number>();
  return new Map(
    [...movable].map((value) => {
      const { name, nth } = familyOf(value, "id")!;
      let number = used.get(name) ?? 0;
      let next: string;
      do next = nth((number += 1));
      while (words.has(next) && !movable.has(next));
      used.set(name, number);
      return [value, next];
    }),
  );
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const id = /^(?<prefix>[A-Za-z]+[_-])?[\w-]+$/;

/** What a value is replaced by; nothing for what has no form of which numbers can be made. */
function familyOf(value: string, kind: NonNullable<Place["like"]>): Family | undefined {
  if (!["id", "uuid", "date"].includes(kind)) return undefined;
  if (uuid.test(value))
    return { name: "uuid", nth: (number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}` };
  if (day.test(value)) return { name: "day", nth: (number) => dateOf(number, 0).slice(0, "2000-01-01".length) };
  if (moment.test(value)) return { name: "moment", nth: (number) => dateOf(1, number) };
  const match = kind === "id" ? id.exec(value) : null;
  const prefix = match?.groups?.["prefix"] ?? "id_";
  return match ? { name: prefix, nth: (number) => `${prefix}${number}` } : undefined;
}

function dateOf(days: number, seconds: number): string {
  return new Date(Date.UTC(2000, 0, days, 0, 0, seconds)).toISOString();
}

/** How often each word stands in the exchanges, alone or in a longer text. */
function wordsIn(exchanges: readonly Exchange[]): Map<string, number> {
  const words = new Map<string, number>();
  const count = (word: string) => words.set(word, (words.get(word) ?? 0) + 1);
  eachText(exchanges, (text) => {
    // A line break in JSON inside of a text is written as two letters.
    const parts = text.replaceAll(/\\[a-z]/g, " ").match(/[\w-]+/g) ?? [];
    for (const word of parts) count(word);
    if (parts.length > 1 || parts[0] !== text) for (const word of text.match(/[\w:.+-]+/g) ?? []) count(word);
  });
  return words;
}

function eachText(value: unknown, visit: (text: string) => void): void {
  if (typeof value === "string") return visit(value);
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    visit(key);
    eachText(inner, visit);
  }
}
