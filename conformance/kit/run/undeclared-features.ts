// Finds features that a driver has and does not declare: it runs their cases as if they were declared, and believes only whole success.

import type { InitializeResult } from "../../../schemas/types.ts";
import type { NamedDriver } from "../driver/command.ts";
import { runSuite } from "./runner.ts";
import type { Suite } from "../suite/types.ts";
import { allVariants, canRun } from "../suite/variant.ts";

/** A driver without the feature often goes silent, and each silence costs the timeout. */
const defaultTimeoutMs = 3000;

/** What is tried, and with whom. */
export interface UndeclaredOptions {
  driver: NamedDriver;
  suite: Suite;
  /** The driver's handshake. */
  handshake: InitializeResult;
  seed?: number;
  /** How long one run may take, in milliseconds. */
  timeoutMs?: number;
}

/**
 * The features that are not declared although every case of theirs passes that needs no other such feature, on the first seam
 * and transport that the driver speaks. A failure here does not count: the feature is not declared.
 */
export async function undeclaredFeatures({
  driver,
  suite,
  handshake,
  ...options
}: UndeclaredOptions): Promise<string[]> {
  const declared = handshake.features ?? [];
  const variant = allVariants.find(
    ({ seam, ...others }) =>
      handshake.seams.includes(seam) && (!("transport" in others) || handshake.transports?.includes(others.transport)),
  );
  if (!variant) return [];
  const working: string[] = [];
  for (const feature of suite.catalogue.features.keys()) {
    if (declared.includes(feature)) continue;
    const assumed = { ...handshake, features: [...declared, feature] };
    const cases = suite.cases.filter(
      ({ case: source }) => source.features?.includes(feature) && canRun(variant, source, assumed) === true,
    );
    if (cases.length === 0) continue;
    const { manifest: _, manifestFile: __, ...bare } = driver;
    const { report } = await runSuite({
      ...options,
      driver: bare,
      suite: { ...suite, cases },
      select: { variants: [variant.name] },
      assume: [feature],
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    });
    const { pass, fail } = report.totals;
    if (pass > 0 && fail === 0 && report.start_error === undefined) working.push(feature);
  }
  return working;
}
