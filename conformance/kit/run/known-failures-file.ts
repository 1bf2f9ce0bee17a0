// Reads the file of an implementation's known failures, and knows on which line each entry begins.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Node } from "yaml";
import type { KnownBreach, KnownFailure, KnownFailures } from "../../../schemas/types.ts";
import type { CaseProblem } from "../suite/lint/problem.ts";
import type { KnownFailureList } from "./known-failures.ts";
import { LoadError } from "../suite/suite.ts";
import { isTooDeep } from "../base/nesting.ts";
import { validate } from "../base/validate.ts";

/**
 * Reads a list of known failures.
 * @throws LoadError with every problem, if the file cannot be read or is not valid
 */
export async function readKnownFailures(
  file: string,
  today = new Date().toISOString().slice(0, 10),
): Promise<KnownFailureList> {
  return { file, ...(await entriesOf(file, readText(file))), today };
}

async function entriesOf(file: string, text: string): Promise<Pick<KnownFailureList, "entries" | "requirements">> {
  const [{ LineCounter, isSeq, parseDocument }, { readYamlFile }] = await Promise.all([
    import("yaml"),
    import("../suite/case-file.ts"),
  ]);
  const { value, problems } = readYamlFile<KnownFailures>(file, text, problemsOf);
  if (!value) throw new LoadError(problems);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const { failures = [], requirements } = value;
  return {
    entries: withLines(failures, document.get("failures")),
    ...(requirements && { requirements: withLines(requirements, document.get("requirements")) }),
  };

  function withLines<Entry>(entries: readonly Entry[], nodes: unknown): (Entry & { line: number })[] {
    const lines = isSeq(nodes) ? nodes.items.map((node) => lineCounter.linePos((node as Node).range![0]).line) : [];
    return entries.map((entry, index) => ({ ...entry, line: lines[index]! }));
  }
}

function problemsOf(value: unknown): CaseProblem[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [
      {
        pointer: "",
        message: "expected a list of known failures: known_failures: 1, and below it requirements or failures",
      },
    ];
  const unbounded = problemOfSize(value);
  if (unbounded) return [unbounded];
  const wrong = validate("KnownFailures", value);
  if (wrong.length > 0) return wrong;
  const { failures = [], requirements = [] } = value as KnownFailures;
  return [
    ...failures.flatMap((entry, index) => [
      ...problemOfDay(entry, `/failures/${index}`),
      ...problemOfTwins(failures, index, "/failures", isSameCheck),
    ]),
    ...requirements.flatMap((entry, index) => [
      ...problemOfDay(entry, `/requirements/${index}`),
      ...problemOfTwins(requirements, index, "/requirements", isSameBreach),
    ]),
  ];
}

/** The most entries of a list; the suite has fewer checks. */
const maxEntries = 10_000;

/** A list has a few levels; one with more may contain itself, as YAML allows. */
const levels = 20;

/** The problem of a list that nothing could walk through. */
function problemOfSize(value: object): CaseProblem | undefined {
  const lists = Object.entries(value);
  const long = lists.find(([, list]) => Array.isArray(list) && list.length > maxEntries);
  if (long) return { pointer: `/${long[0]}`, message: `expected at most ${maxEntries} entries, got ${long[1].length}` };
  const deep = lists.find(([, list]) => isTooDeep(list, levels));
  return deep && { pointer: `/${deep[0]}`, message: "is nested too deep, or contains itself" };
}

function isSameCheck(one: KnownFailure, other: KnownFailure): boolean {
  return one.check === other.check && isDeepStrictEqual(one.variants, other.variants);
}

function isSameBreach(one: KnownBreach, other: KnownBreach): boolean {
  const named = ({ requirement, cases, variants }: KnownBreach) => [requirement, cases, variants];
  return isDeepStrictEqual(named(one), named(other));
}

function problemOfDay({ expires }: { expires?: string }, pointer: string): CaseProblem[] {
  if (expires === undefined || isDay(expires)) return [];
  return [{ pointer: `${pointer}/expires`, message: `there is no day ${expires}; expected one such as 2027-01-31` }];
}

function problemOfTwins<Entry>(
  all: readonly Entry[],
  index: number,
  list: string,
  isSame: (one: Entry, other: Entry) => boolean,
): CaseProblem[] {
  const first = all.findIndex((one) => isSame(one, all[index]!));
  if (first >= index) return [];
  const message = `${list}/${first} names the same variants, and the first entry counts; remove one of the two`;
  return [{ pointer: `${list}/${index}`, message }];
}

/** Whether the calendar has it: `2027-02-30` has the form of a day, and is none. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const message = `the known failures cannot be read: ${(error as Error).message}; correct the name, or begin a list with --update-known-failures`;
    throw new LoadError([{ file, line: 1, column: 1, message }]);
  }
}
