// Plays combinations with one driver on the generic seam, and keeps of each what is compared.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Failure } from "../../../schemas/types.ts";
import type { Observation } from "../observed/observation.ts";
import { runSuite } from "../run/runner.ts";
import type { RunSuiteOptions } from "../run/types.ts";
import type { Suite } from "../suite/types.ts";
import type { Combination } from "./make-combination.ts";
import { recordOf } from "./record.ts";
import type { RunRecord } from "./record.ts";

/** What became of one combination. */
export interface Played {
  record: RunRecord;
  /** What holds in every run, and did not hold in this. */
  failures: Failure[];
}

/** The words and ids of all combinations: two loops are compared where they were given the same. */
const seed = 1;

/**
 * Plays each combination that the driver can play.
 * @returns what became of each, in their order; undefined where the driver does not have what it needs
 * @throws Error if the driver does not start
 */
export async function playCombinations(
  combinations: readonly Combination[],
  { catalogue }: Suite,
  options: Pick<RunSuiteOptions, "driver" | "signal" | "onResult">,
): Promise<(Played | undefined)[]> {
  // A report shows where a case is written.
  const folder = mkdtempSync(join(tmpdir(), "combinations-"));
  const runs = new Map<string, Observation>();
  try {
    const cases = combinations.map(({ case: source }, at) => {
      const file = join(folder, `${at}.yaml`);
      writeFileSync(file, JSON.stringify(source, null, 2));
      return { id: String(at), file, case: source };
    });
    const { report, startError } = await runSuite({
      ...options,
      suite: { cases, catalogue, bugs: {} },
      seed,
      knownFailures: null,
      witness(_, seen) {
        runs.set(seen.filled.case.title, seen);
        return () => {};
      },
    });
    if (startError !== undefined) throw new Error(`the driver never initialised: ${startError}`);
    const played = combinations.map((): Played | undefined => undefined);
    for (const { check, verdict, failures = [] } of report.variants) {
      const at = Number(check.split("#", 1)[0]);
      const seen = runs.get(combinations[at]!.case.title);
      if (verdict === "unsupported" || verdict === "not-applicable" || !seen) continue;
      // A combination has more answers than most runs ask for.
      const broken = failures.filter(({ code }) => code !== "script_not_consumed");
      played[at] = { record: recordOf(seen), failures: broken };
    }
    return played;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
