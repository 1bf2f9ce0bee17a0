// Says of each requirement what a run shows: kept, broken, or not seen.

import type { Case, Failure, Finding } from "../../../schemas/types.ts";
import { ignoresCalls } from "./ignored-calls.ts";
import { endsBeforeRequest, isProhibition } from "./never-asked.ts";
import { occasionsIn } from "./occasions.ts";
import { whatHappened } from "./what-happened.ts";
import type { Observation } from "../observed/observation.ts";
import type { Catalogue, Requirement } from "../suite/catalogue.ts";
import { unreported } from "../suite/variant.ts";

/** The requirements by id. */
export type Requirements = Catalogue["requirements"];

/**
 * One finding for each requirement of which the run shows something, that of the case first.
 *
 * What the case tests, and what it names beside it, had its occasion if the case could be played: it is kept unless it is broken, or
 * unless what would show it is not reported. What is checked in every run is kept where its occasion was seen.
 * @param failures of the run, each with its requirement
 * @see KIT-22 KIT-23
 */
export function findingsOf(seen: Observation, failures: readonly Failure[], known: Requirements): Finding[] {
  const { requires } = seen.filled.case;
  const [tested, ...context] = requires as [string, ...string[]];
  const first = testedFinding(tested, seen, failures, known);
  const broken = [...Map.groupBy(failures, ({ requirement }) => requirement!)]
    .filter(([id]) => id !== tested)
    .map(([id, [failure]]) => brokenFinding(id, failure!, known, seen));
  const others = first.verdict === "kept" ? context.filter((id) => whyUnseen(id, seen, known) === undefined) : [];
  // Whether one was kept in which a breach of another showed cannot be said.
  const { shown_by: shown = [] } = seen.filled.case;
  const settled = new Set([tested, ...shown, ...broken.map(({ requirement }) => requirement)]);
  const kept = [...new Set([...others, ...occasionsIn(seen)])].filter((id) => known.has(id) && !settled.has(id));
  return [first, ...broken, ...kept.map((requirement): Finding => ({ requirement, verdict: "kept" }))];
}

/** What a failure says of its requirement, and what it means for a user. */
export function brokenFinding(
  requirement: string,
  failure: Failure,
  known: Requirements,
  seen: Observation | undefined,
): Finding {
  const { severity, level, level_reason: reason } = known.get(requirement) ?? {};
  // Of a tool that was executed nobody speaks where none was.
  const isOfNobody = severity === "executes" && seen?.executions.length === 0;
  const without = level === "essential" && !isOfNobody ? reason : undefined;
  const exchange = /model request (\d+)/.exec(failure.message)?.[1];
  return {
    requirement,
    verdict: "broken",
    ...(severity && { severity }),
    message: whatHappened(requirement, failure, without, seen),
    ...(exchange !== undefined && { exchange: Number(exchange) }),
  };
}

function testedFinding(tested: string, seen: Observation, failures: readonly Failure[], known: Requirements): Finding {
  const own = failures.find(({ requirement }) => requirement === tested);
  if (own) return brokenFinding(tested, own, known, seen);
  const refused = refusedAtOnce(seen, failures);
  const why = refused?.message ?? whyNotReached(tested, seen, failures, known) ?? whyUnseen(tested, seen, known);
  return why === undefined
    ? { requirement: tested, verdict: "kept" }
    : { requirement: tested, verdict: "not_seen", reason: why };
}

/** Why a run ended before the occasion of what its case tests; undefined if it did not. */
function whyNotReached(
  tested: string,
  seen: Observation,
  failures: readonly Failure[],
  known: Requirements,
): string | undefined {
  const own = known.get(tested);
  if (own && isProhibition(own) && endsBeforeRequest(seen))
    return "the run ended in an error, and reported it, before the request in which it would show";
  const isElsewhere = failures.some(({ requirement }) => requirement === "LOOP-5") && tested !== "LOOP-5";
  return isElsewhere && ignoresCalls(seen) ? "the loop did not execute what the model asked for" : undefined;
}

/** The rule by which the provider refused a request before anything of the case could happen; undefined if something did. */
export function refusedAtOnce({ answers, executions }: Observation, failures: readonly Failure[]): Failure | undefined {
  if (answers.length > 0 || executions.length > 0) return undefined;
  return failures.find(({ code }) => code === "provider_rule");
}

/**
 * Why nothing can be said of a requirement although nothing was wrong: what would show it is not reported. undefined: it was seen.
 * What the kit sees itself needs no report: executions all, and requests where the case says what has to be in them.
 */
function whyUnseen(id: string, { filled, driver }: Observation, known: Requirements): string | undefined {
  const missing = missingFor(known.get(id), filled.case, unreported(filled.case, driver));
  return missing.length === 0
    ? undefined
    : `the driver does not report ${missing.join(" and ")}; what the kit saw itself was as expected`;
}

function missingFor(
  requirement: Requirement | undefined,
  { expect }: Case,
  missing: readonly string[],
): readonly string[] {
  switch (requirement?.severity) {
    case "executes":
      return [];
    case "misreports":
      return missing.filter((field) => field === "ended");
    case "bricks":
    case "loses":
      return expect.requests || expect.wire ? [] : missing.filter((field) => field === "session");
    default:
      return missing;
  }
}
