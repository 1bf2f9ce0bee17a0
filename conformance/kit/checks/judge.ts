// Judges a finished run: what the case expects, then what holds in every run.

import type { Case, Failure } from "../../../schemas/types.ts";
import { checkExpectations } from "./expectations.ts";
import { refusedAtOnce } from "./findings.ts";
import type { Requirements } from "./findings.ts";
import { withoutWhatNeverCame } from "./ignored-calls.ts";
import { checkInvariants } from "./invariants.ts";
import { isProhibition, withoutRequestsThatNeverCame } from "./never-asked.ts";
import type { Observation } from "../observed/observation.ts";

/** More failures than this of one requirement in one run add nothing. */
const maxFailures = 4;

/**
 * Everything that was wrong with a run, each with the requirement that it breaks, what was found on the way first. Empty if the run is
 * as it should be.
 * @param known the requirements by id: with them, a wrong word about an ending is distinguished from what else may be wrong
 */
export function judge(seen: Observation, known: Requirements = new Map()): Failure[] {
  const source = seen.filled.case;
  // A stuck run was released by force; what followed proves nothing about the driver.
  const stuck = seen.failures.filter(({ code }) => code === "stuck");
  if (stuck.length > 0) return attributed(stuck, source);
  const underway = attributed(seen.failures, source);
  const found = [...underway, ...attributed(checkInvariants(seen), source)];
  const tested = source.requires[0]!;
  // Where not even the first request was taken, nothing happened of what the case expects.
  const isPlayed =
    refusedAtOnce(seen, underway) === undefined || underway.some(({ requirement }) => requirement === tested);
  const own = known.get(tested);
  const about = {
    requirement: tested,
    severity: own?.severity,
    isProhibition: own !== undefined && isProhibition(own),
  };
  const expected = isPlayed ? checkExpectations(seen, about) : [];
  const failures = [...underway, ...expected, ...found.slice(underway.length)];
  return few(withoutRequestsThatNeverCame(withoutWhatNeverCame(failures, seen, about), seen, about));
}

/**
 * Gives each failure its requirement: what has none stopped the case, and is about what it tests. The same holds for those of
 * another requirement of which the case says that what it tests shows in them. @see KIT-24
 */
function attributed(failures: readonly Failure[], { requires, shown_by: shown = [] }: Case): Failure[] {
  const tested = requires[0]!;
  return failures.map((failure) => {
    const { requirement = tested } = failure;
    return { ...failure, requirement: shown.includes(requirement) ? tested : requirement };
  });
}

/** The first failures of each requirement. */
function few(failures: readonly Failure[]): Failure[] {
  const counts = new Map<string, number>();
  return failures.filter(({ requirement = "" }) => {
    const count = (counts.get(requirement) ?? 0) + 1;
    counts.set(requirement, count);
    return count <= maxFailures;
  });
}
