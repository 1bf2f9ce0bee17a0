// What the kit said of each fault when it was last planted: a red case, short enough to be read as a puzzle.

import { existsSync, readFileSync } from "node:fs";
import type { Failure, VariantResult } from "../../../schemas/types.ts";
import type { Entry } from "../../traffic/read/entries.ts";
import { eventEntries } from "../../traffic/read/session-entries.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { showDifference } from "../../reporters/show-difference.ts";
import { fingerprintOf } from "../faults/faults.ts";
import type { Fault } from "../faults/faults.ts";

/** Where they are kept. `npm run mutants` writes the file, for the faults that it tries. */
export const redCasesFile = "conformance/teaching/quiz/red-cases.json";

/** With which the words and ids of a case are made, so that a puzzle can show what was given. */
export const redCaseSeed = 1;

/** One variant of one case that a fault made red. */
export interface RedCase {
  /** The fingerprint of the fault. */
  fault: string;
  case: string;
  variant: string;
  failures: RedFailure[];
  /** What happened in the run. */
  story: Entry[];
}

/** What the kit found wrong. */
export interface RedFailure {
  code: string;
  /** The requirement that the kit named. */
  requirement?: string;
  message: string;
  /** Lines that begin with `-` for what was expected and `+` for what came. */
  difference?: string[];
}

/** The red cases by the id of the fault. */
export type RedCases = Record<string, RedCase>;

const maxFailures = 2;
const maxDifference = 10;
const maxEntries = 20;
const maxLetters = 160;

/** What was seen of the faults, of each that is still the same. */
export function readRedCases(faults: readonly Fault[]): RedCases {
  const path = packagePath(redCasesFile);
  const read = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as RedCases) : {};
  return Object.fromEntries(
    faults.flatMap((fault) => {
      const red = read[fault.id];
      return red?.fault === fingerprintOf(fault) ? [[fault.id, red]] : [];
    }),
  );
}

/**
 * The red case that shows a fault best: one that says what is wrong rather than that something hangs, that names the requirement
 * first, on the generic seam, in the fewest words.
 * @param red the variants that failed because of it, at least one
 */
export function redCaseOf(fault: Fault, red: readonly VariantResult[]): RedCase {
  const rank = ({ failures = [], variant }: VariantResult) =>
    (failures.some(({ code }) => ["assertion", "invariant"].includes(code)) ? 0 : 4) +
    (failures[0]?.requirement === fault.requirement ? 0 : 2) +
    (variant === "generic" ? 0 : 1);
  const [best] = [...red].sort(
    (left, right) =>
      rank(left) - rank(right) ||
      lettersOf(left) - lettersOf(right) ||
      `${left.case} ${left.variant}`.localeCompare(`${right.case} ${right.variant}`),
  );
  if (best === undefined) throw new Error(`no variant is red of the fault ${fault.id}`);
  return {
    fault: fingerprintOf(fault),
    case: best.case,
    variant: best.variant,
    failures: (best.failures ?? []).slice(0, maxFailures).map(shortFailure),
    story: storyOf(best),
  };
}

/** What the events report, without counts. */
function storyOf({ events = [] }: VariantResult): Entry[] {
  const entries = eventEntries(events.map(({ event }) => event).filter(({ type }) => type !== "run_start"));
  const short = entries.map((entry) => ({ ...entry, text: repeatable(entry.text.replace(/ · .* tokens in.*$/, "")) }));
  const left = short.length - maxEntries;
  return left <= 0 ? short : [...short.slice(0, maxEntries), { kind: "note", text: `… and ${left} more` }];
}

function lettersOf({ failures }: VariantResult): number {
  return JSON.stringify(failures ?? []).length;
}

function shortFailure({ code, requirement, message, expected, received }: Failure): RedFailure {
  const isCompared = expected !== undefined || received !== undefined;
  return {
    code,
    ...(requirement !== undefined && { requirement }),
    message: repeatable(message),
    ...(isCompared && { difference: showDifference(expected, received, maxDifference).map(repeatable) }),
  };
}

/** Without what is another in the next run: ports, and the folder that was tried. A text that is empty is seen. */
function repeatable(text: string): string {
  const same = text
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1")
    .replaceAll(/(?:\/[^\s/"\\]+)+\/\.cache\/mutant-\w*/g, "");
  return cut(same.replace(/^([-+]) $/, '$1 ""'));
}

function cut(text: string): string {
  return text.length <= maxLetters ? text : `${text.slice(0, maxLetters)}…`;
}
