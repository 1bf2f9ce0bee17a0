// Runs the cases of a requirement against one broken reference, and says whether that requirement was found broken.

import type { FailureCode, VariantResult } from "../../../schemas/types.ts";
import { runSuite } from "../../kit/index.ts";
import type { NamedDriver, Selection, Suite, SuiteCase } from "../../kit/index.ts";
import { variantsOf } from "../../kit/suite/variant.ts";
import { providerNames } from "../../kit/wire/provider-names.ts";
import { redCaseSeed } from "../../teaching/quiz/red-cases.ts";
import type { Mutant } from "./read-mutants.ts";

/** The result for a mutant. */
export interface Tried {
  mutant: Mutant;
  /** `broken`: the reference did not run at all any more, so that nothing was shown. */
  verdict: "killed" | "survived" | "broken";
  /** The cases of the requirement that saw the fault, sorted. */
  killers: string[];
  /** The variants of these cases that failed because of it. */
  red: VariantResult[];
  /** The other requirements that these variants found broken: the fewer, the better a reader of the report knows what is wrong. */
  beside: string[];
  /** Why it is not killed: what was run, or what the driver said. */
  reason?: string;
}

/** A plain run with a tool call: a copy that cannot play it is not subtly broken. */
export const plainCase = "loop/tools-in-every-request";

/** How long one run may take; without a sign of life it is given up after half of that. */
const timeoutMs = 8000;

/** What a driver fails with that does not run, however good the check is. */
const down: readonly FailureCode[] = ["driver_crashed", "driver_error"];

/**
 * Tries a mutant that is already in the driver's code. The variants in which the fault is nearest are run first, and the
 * others only if these do not see it.
 */
export async function tryMutant(mutant: Mutant, driver: NamedDriver, suite: Suite): Promise<Tried> {
  const own = suite.cases.filter(({ case: { requires } }) => requires[0] === mutant.requirement);
  let ran = 0;
  for (const select of rounds(mutant, own)) {
    const { killers, red, executed, reason } = await runCases(driver, suite, own, select);
    if (reason !== undefined) return { mutant, verdict: "broken", killers: [], red: [], beside: [], reason };
    if (killers.length > 0)
      return { mutant, verdict: "killed", killers, red, beside: brokenBeside(mutant.requirement, red) };
    ran += executed;
  }
  const reason =
    own.length === 0
      ? `no case tests ${mutant.requirement}`
      : `${ran} variants of ${own.length} cases of ${mutant.requirement} passed`;
  return { mutant, verdict: "survived", killers: [], red: [], beside: [], reason };
}

/** The other requirements that the variants found broken. */
function brokenBeside(requirement: string, red: readonly VariantResult[]): string[] {
  const others = red.map(({ findings = [] }) =>
    findings.filter((one) => one.verdict === "broken" && one.requirement !== requirement).map((one) => one.requirement),
  );
  return [...new Set(others.flat())].sort();
}

/** The results of some cases against one broken reference. */
interface Ran {
  killers: string[];
  red: VariantResult[];
  executed: number;
  /** Why nothing was shown: the reference did not run at all. */
  reason?: string;
}

/**
 * Which of some cases see the fault that is in the driver's code. A run that hangs counts only if it does so twice, and the
 * second time with more time: a machine that is busy is slow, too.
 */
export async function runCases(
  driver: NamedDriver,
  suite: Suite,
  cases: readonly SuiteCase[],
  select: Selection,
): Promise<Ran> {
  const { hung, ...ran } = await runOnce(driver, suite, cases, select, timeoutMs);
  if (hung.length === 0 || ran.killers.length > 0) return ran;
  const again = cases.filter(({ id }) => hung.includes(id));
  const second = await runOnce(driver, suite, again, select, 2 * timeoutMs);
  return { ...ran, killers: [...second.killers, ...second.hung].sort(), red: second.red };
}

async function runOnce(
  driver: NamedDriver,
  suite: Suite,
  cases: readonly SuiteCase[],
  select: Selection,
  timeoutMs: number,
): Promise<Ran & { hung: string[] }> {
  const plain = suite.cases.find(({ id }) => id === plainCase)!;
  const chosen = cases.includes(plain) ? [...cases] : [plain, ...cases];
  const run = await runSuite({
    driver,
    suite: { ...suite, cases: chosen },
    select,
    jobs: 4,
    timeoutMs,
    seed: redCaseSeed,
  });
  const nothing = { killers: [], red: [], hung: [], executed: 0 };
  if (run.startError !== undefined) return { ...nothing, reason: `it does not start: ${run.startError}` };
  const results = run.report.variants.filter(({ verdict }) => verdict === "pass" || verdict === "fail");
  const fallen = results.find((result) => result.case === plainCase && failsOnlyWith(down, result));
  const message = fallen?.failures?.[0]?.message;
  if (message !== undefined) return { ...nothing, reason: `it does not run at all: ${message}` };
  const ids = new Set(cases.map(({ id }) => id));
  const own = results.filter((result) => ids.has(result.case));
  const red = own.filter(({ verdict }) => verdict === "fail");
  const killers = casesOf(red.filter((result) => !failsOnlyWith(["driver_timeout"], result)));
  return { killers, red, hung: casesOf(red).filter((id) => !killers.includes(id)), executed: own.length };
}

function failsOnlyWith(codes: readonly FailureCode[], { verdict, failures = [] }: VariantResult): boolean {
  return verdict === "fail" && failures.every(({ code }) => codes.includes(code));
}

function casesOf(results: readonly VariantResult[]): string[] {
  return [...new Set(results.map((result) => result.case))].sort();
}

/** Where a fault is looked for, nearest first; each variant is in one round. */
function* rounds({ file }: Mutant, cases: readonly SuiteCase[]): Generator<Selection> {
  const names = new Set(cases.flatMap((entry) => variantsOf(entry.case).map(({ name }) => name)));
  const near = [...names].filter((name) => isNear(file, name));
  const far = [...names].filter((name) => !near.includes(name));
  for (const variants of [near, far]) if (variants.length > 0) yield { variants };
}

/** Whether a variant runs the code of a file directly. */
function isNear(file: string, variant: string): boolean {
  const folder = /^reference\/providers\/([^/]+)\//.exec(file)?.[1];
  if (folder === undefined) return variant === "generic";
  const isOfOne = providerNames.some((name) => name === folder);
  // What providers share is run by several.
  return variant !== "generic" && (!isOfOne || variant.startsWith(`${folder}/`));
}
