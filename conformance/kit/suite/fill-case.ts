// Fills a case's ids and `{{words}}`, the same in what is given, scripted and expected.

import type { Case } from "../../../schemas/types.ts";
import { idKeys } from "../base/matcher.ts";
import { randomId, randomWord, seeded } from "../base/seeded-random.ts";

/** A case ready to run, and what its `$names` stand for. */
export interface FilledCase {
  case: Case;
  /** Ids by name, without the `$`. Names that only the expectation uses are not here; they bind to what comes. */
  bindings: Map<string, string>;
}

/** A word to fill, such as `{{city}}`. */
export const wordPattern = /\{\{([a-z][a-z0-9_]*)\}\}/g;

/** The word that stands for the API key that the driver is given; each run has its own. */
const keyWord = "api_key";

/** A filled case whose `{{api_key}}` is this one. */
export function withKey(filled: FilledCase, apiKey: string): FilledCase {
  const written = `{{${keyWord}}}`;
  if (!JSON.stringify(filled.case).includes(written)) return filled;
  return { ...filled, case: mapStrings(filled.case, (text) => text.replaceAll(written, apiKey)) as Case };
}

/**
 * Fills a case.
 * @param source the case as written
 * @param seed the same seed fills the same case the same way
 * @param caseId part of what the random values depend on, so that two cases share no id
 */
export function fillCase(source: Case, seed: number, caseId: string): FilledCase {
  const random = seeded(seed, caseId);
  const words = new Map<string, string>();
  const bindings = new Map<string, string>();
  const word = (name: string) =>
    name === keyWord ? `{{${keyWord}}}` : remember(words, name, () => randomWord(random));
  const id = (name: string) => remember(bindings, name, () => randomId(random, "call_"));
  const text = (value: string) => value.replace(wordPattern, (_, name: string) => word(name));
  const bound = (value: string) =>
    value.startsWith("$$") ? value.slice(1) : value.startsWith("$") ? id(value.slice(1)) : value;

  const withWords = (value: unknown): unknown => mapStrings(value, (entry) => text(entry));
  const messages = source.given.messages.map((message) =>
    mapStrings(message, (entry, { key, depth }) => (key === "id" && depth === 1 ? bound(text(entry)) : text(entry))),
  );
  const model = mapStrings(source.model, (entry, { key, parent }) =>
    key === "id" && parent === "tool_call" ? bound(text(entry)) : text(entry),
  );
  const actions = mapStrings(source.actions ?? [], (entry, { key, parent }) =>
    key === "id" || parent === "path" ? bound(text(entry)) : text(entry),
  );
  const filled = {
    ...source,
    given: { ...(withWords(source.given) as Case["given"]), messages },
    model,
    ...(source.actions && { actions }),
    ...(source.next && { next: source.next.map(text) }),
    expect: withWords(source.expect),
  } as Case;
  return { case: filled, bindings };
}

/** The `$names` that what is given or scripted binds. */
export function boundNames(source: Pick<Case, "given" | "model">): Set<string> {
  const names = new Set<string>();
  const collect = (value: string) => {
    if (isName(value)) names.add(value.slice(1));
    return value;
  };
  for (const message of source.given.messages) {
    mapStrings(message, (entry, { key, depth }) => (key === "id" && depth === 1 ? collect(entry) : entry));
  }
  mapStrings(source.model, (entry, { key, parent }) =>
    key === "id" && parent === "tool_call" ? collect(entry) : entry,
  );
  return names;
}

/** Every `$name` in an id position of an expectation, with how often it stands there. */
export function namesInExpectation(expectation: unknown): Map<string, number> {
  const names = new Map<string, number>();
  mapStrings(expectation, (value, { key }) => {
    if (key !== undefined && idKeys.has(key) && isName(value))
      names.set(value.slice(1), (names.get(value.slice(1)) ?? 0) + 1);
    return value;
  });
  return names;
}

/** Whether a string is a binding such as `$a`, and not the escaped `$$a`. */
export function isName(value: string): boolean {
  return value.startsWith("$") && !value.startsWith("$$");
}

/** Where a string stands in a JSON value. */
interface StringPlace {
  /** The key whose value the string is; undefined for an entry of a list. */
  key: string | undefined;
  /** The key whose value the object or list around it is. */
  parent: string | undefined;
  /** 0 for the value itself, 1 for the values of its keys, and so on. */
  depth: number;
}

/** A copy of a JSON value with every string value replaced. Keys stay as they are. */
function mapStrings(
  value: unknown,
  replace: (value: string, place: StringPlace) => string,
  place: StringPlace = { key: undefined, parent: undefined, depth: 0 },
): unknown {
  if (typeof value === "string") return replace(value, place);
  if (typeof value !== "object" || value === null) return value;
  const below = (key: string | undefined): StringPlace => ({ key, parent: place.key, depth: place.depth + 1 });
  if (Array.isArray(value)) return value.map((entry) => mapStrings(entry, replace, below(undefined)));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapStrings(entry, replace, below(key))]));
}

function remember(map: Map<string, string>, name: string, make: () => string): string {
  const known = map.get(name);
  if (known !== undefined) return known;
  const made = make();
  map.set(name, made);
  return made;
}
