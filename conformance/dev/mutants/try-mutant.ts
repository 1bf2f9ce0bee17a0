// Runs the cases of a requirement against one broken reference, and says whether a check of that requirement saw the fault.

import type { FailureCode, VariantResult } from "../../../reference/types.ts";
import { runSuite } from "../../kit/index.ts";
import type { NamedDriver, Selection, Suite, SuiteCase } from "../../kit/index.ts";
import { variantsOf } from "../../kit/variant.ts";
import type { Mutant } from "./read-mutants.ts";

/** What came of a mutant. */
export interface Tried {
  mutant: Mutant;
  /** `broken`: the reference did not run at all any more, so that nothing was shown. */
  verdict: "killed" | "survived" | "broken";
  /** The cases of the requirement that saw the fault, sorted. */
  killers: string[];
  /** Why it is not killed: what was run, or what the driver said. */
  reason?: string;
}

/** A plain run with a tool call: whoever cannot play it is not broken a little. */
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
    const { killers, executed, reason } = await runCases(driver, suite, own, select);
    if (reason !== undefined) return { mutant, verdict: "broken", killers: [], reason };
    if (killers.length > 0) return { mutant, verdict: "killed", killers };
    ran += executed;
  }
  const reason =
    own.length === 0
      ? `no case tests ${mutant.requirement}`
      : `${ran} variants of ${own.length} cases of ${mutant.requirement} passed`;
  return { mutant, verdict: "survived", killers: [], reason };
}

/** Which of some cases see the fault that is in the driver's code. */
export async function runCases(
  driver: NamedDriver,
  suite: Suite,
  cases: readonly SuiteCase[],
  select: Selection,
): Promise<{ killers: string[]; executed: number; reason?: string }> {
  const plain = suite.cases.find(({ id }) => id === plainCase)!;
  const chosen = cases.includes(plain) ? [...cases] : [plain, ...cases];
  const run = await runSuite({ driver, suite: { ...suite, cases: chosen }, select, jobs: 4, timeoutMs, seed: 1 });
  if (run.startError !== undefined) return { killers: [], executed: 0, reason: `it does not start: ${run.startError}` };
  const results = run.report.variants.filter(({ verdict }) => verdict === "pass" || verdict === "fail");
  const isDown = ({ verdict, failures = [] }: VariantResult) =>
    verdict === "fail" && failures.every(({ code }) => down.includes(code));
  const fallen = results.filter((result) => result.case === plainCase && isDown(result));
  const message = fallen[0]?.failures?.[0]?.message;
  if (message !== undefined) return { killers: [], executed: 0, reason: `it does not run at all: ${message}` };
  const ids = new Set(cases.map(({ id }) => id));
  const own = results.filter((result) => ids.has(result.case));
  const red = own.filter(({ verdict }) => verdict === "fail");
  return { killers: [...new Set(red.map((result) => result.case))].sort(), executed: own.length };
}

/** Where a fault is looked for, nearest first; each variant is in one round. */
function* rounds({ file }: Mutant, cases: readonly SuiteCase[]): Generator<Selection> {
  const names = new Set(cases.flatMap((entry) => variantsOf(entry.case).map(({ name }) => name)));
  const near = [...names].filter((name) => isNear(file, name));
  const far = [...names].filter((name) => !near.includes(name));
  for (const variants of [near, far]) if (variants.length > 0) yield { variants };
}

function isNear(file: string, variant: string): boolean {
  const provider = /^reference\/providers\/(anthropic-messages|openai-chat|openai-responses|)/.exec(file)?.[1];
  if (provider === undefined) return variant === "generic";
  return variant !== "generic" && variant.startsWith(provider);
}
