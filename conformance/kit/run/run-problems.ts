// Finds what is wrong with a run beside its variants: stale known failures, and profiles that are declared and not kept.

import type { InitializeResult, ReportProblem, VariantResult } from "../../../schemas/types.ts";
import { declaredFile } from "../driver/command.ts";
import type { NamedDriver } from "../driver/command.ts";
import { readKnownFailures } from "./known-failures-file.ts";
import { staleEntries } from "./known-failures.ts";
import type { KnownFailureList, NamedVariant } from "./known-failures.ts";
import type { Suite } from "../suite/types.ts";

/** What a driver's agent-loop.json says. */
type Claimed = Pick<NamedDriver, "manifest" | "manifestFile">;

/** A run that has ended. */
export interface JudgedRun {
  driver: Claimed;
  /** Absent if the driver never initialised. */
  handshake: InitializeResult | undefined;
  known: KnownFailureList | undefined;
  suite: Suite;
  /** Beside the list of known failures. */
  variants: readonly VariantResult[];
  /** Whether everything was selected. */
  isWhole: boolean;
  /** Everything that was selected, where the run is a shard of it. */
  everything?: readonly NamedVariant[];
}

/** The list of known failures that the implementation's agent-loop.json names, if it names one. */
export async function declaredFailures(driver: Claimed): Promise<KnownFailureList | undefined> {
  const file = declaredFile(driver);
  return file === undefined ? undefined : await readKnownFailures(file);
}

/** Everything that is wrong beside the variants. @see KIT-10 KIT-13 */
export async function problemsOf(run: JudgedRun): Promise<ReportProblem[]> {
  const { driver, handshake, known, suite, variants } = run;
  const isWhole = run.isWhole && isComplete(variants);
  const stale = known ? staleEntries(known, variants, isWhole, run.everything) : [];
  const profiles = driver.manifest?.profiles ?? [];
  if (profiles.length === 0 || !handshake) return stale;
  const { falseClaims } = await import("./manifest-claims.ts");
  const claims = await falseClaims(driver.manifestFile ?? "agent-loop.json", profiles, {
    handshake,
    variants,
    suite,
    isWhole,
  });
  return [...stale, ...claims];
}

/** Whether every variant has a verdict that says something of the implementation. */
export function isComplete(variants: readonly VariantResult[]): boolean {
  return variants.every(({ verdict }) => verdict !== "not-run" && verdict !== "harness-error");
}
