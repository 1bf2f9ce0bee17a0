// Reads the file of an implementation's known failures, and knows on which line each entry begins.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Node } from "yaml";
import type { KnownFailure, KnownFailures } from "../../../schemas/types.ts";
import type { CaseProblem } from "../suite/lint/problem.ts";
import type { KnownFailureList, ListedFailure } from "./known-failures.ts";
import { LoadError } from "../suite/suite.ts";
import { validate } from "../base/validate.ts";

/**
 * Reads a list of known failures.
 * @throws LoadError with every problem, if the file cannot be read or is not valid
 */
export async function readKnownFailures(
  file: string,
  today = new Date().toISOString().slice(0, 10),
): Promise<KnownFailureList> {
  return { file, entries: await entriesOf(file, readText(file)), today };
}

async function entriesOf(file: string, text: string): Promise<ListedFailure[]> {
  const [{ LineCounter, isSeq, parseDocument }, { readYamlFile }] = await Promise.all([
    import("yaml"),
    import("../suite/case-file.ts"),
  ]);
  const { value, problems } = readYamlFile<KnownFailures>(file, text, problemsOf);
  if (!value) throw new LoadError(problems);
  const lineCounter = new LineCounter();
  const nodes = parseDocument(text, { lineCounter }).get("failures");
  const lines = isSeq(nodes) ? nodes.items.map((node) => lineCounter.linePos((node as Node).range![0]).line) : [];
  return value.failures.map((entry, index) => ({ ...entry, line: lines[index]! }));
}

function problemsOf(value: unknown): CaseProblem[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [{ pointer: "", message: "expected a list of known failures: known_failures: 1, and below it failures" }];
  const wrong = validate("KnownFailures", value);
  if (wrong.length > 0) return wrong;
  const { failures } = value as KnownFailures;
  return failures.flatMap((entry, index) => [...problemsOfEntry(entry, index, failures)]);
}

function* problemsOfEntry(
  { check, variants, expires }: KnownFailure,
  index: number,
  all: readonly KnownFailure[],
): Generator<CaseProblem> {
  if (expires !== undefined && !isDay(expires))
    yield {
      pointer: `/failures/${index}/expires`,
      message: `there is no day ${expires}; expected one such as 2027-01-31`,
    };
  const first = all.findIndex((one) => one.check === check && isDeepStrictEqual(one.variants, variants));
  if (first < index)
    yield {
      pointer: `/failures/${index}`,
      message: `/failures/${first} names the same variants, and the first entry counts; remove one of the two`,
    };
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
