// Says what a run proves: which profiles it certifies, which required variants are missing, and the score of each requirement.

import type { InitializeResult, Verdict, VariantResult } from "../../../schemas/types.ts";
import { profilesOf } from "../suite/profiles.ts";
import type { Profile, RequiredCheck } from "../suite/profiles.ts";
import type { Suite } from "../suite/types.ts";
import { pinSuite, suiteVersion } from "../suite/suite-version.ts";

/** A required variant that did not pass, and why. */
export interface MissingVariant {
  check: string;
  variant: string;
  /** `not-selected` if the run has no result of it. */
  verdict: Verdict | "not-selected";
  reason?: string;
}

/** The coverage of a profile. Counts are of variants. */
export interface ProfileCoverage {
  profile: string;
  /** How many the profile requires of this implementation. */
  required: number;
  ran: number;
  passed: number;
  /** Those of the missing that failed as they are listed. */
  known_failures: number;
  /** Whether there is something to require, and all of it ran and passed. @see KIT-12 */
  certified: boolean;
  /** Why nothing is required, or why what is required cannot run. */
  why?: string;
  missing: MissingVariant[];
}

/** The coverage of a requirement. Counts are of variants. */
export interface RequirementCoverage {
  id: string;
  selected: number;
  ran: number;
  passed: number;
  /** Why no case tests it. Absent if one can. */
  untestable?: string;
}

/** What a run proves. */
export interface Coverage {
  /** The version of the suite that was run. */
  suite_version: string;
  implementation?: InitializeResult["implementation"];
  profiles: ProfileCoverage[];
  requirements: RequirementCoverage[];
}

/** A run of which the coverage is asked: what its report says. */
export interface CoveredRun {
  variants: readonly VariantResult[];
  implementation?: InitializeResult;
  /** Absent: the version of the suite that is given. */
  suite_version?: string;
}

const executed: ReadonlySet<string> = new Set<Verdict>(["pass", "fail", "expected-fail", "unexpected-pass"]);
const passed: ReadonlySet<string> = new Set<Verdict>(["pass", "unexpected-pass"]);

/**
 * What a run proves.
 * @param suite with the cases of the version that was run
 * @throws UnknownVersionError if the suite never had that version
 */
export async function coverageOf(run: CoveredRun, suite: Suite): Promise<Coverage> {
  const pinned = run.suite_version === undefined ? suite : pinSuite(suite, run.suite_version);
  const results = resultsByVariant(run.variants);
  const profiles = await profilesOf(pinned);
  return {
    suite_version: suiteVersion(pinned.cases),
    ...(run.implementation && { implementation: run.implementation.implementation }),
    profiles: profiles.map((profile) => profileCoverage(profile, results, run.implementation)),
    requirements: requirementCoverage(run.variants, suite),
  };
}

/** One result for each variant; where there are several, one that did not pass. */
function resultsByVariant(variants: readonly VariantResult[]): Map<string, VariantResult> {
  const results = new Map<string, VariantResult>();
  for (const result of variants) {
    const key = `${result.check} ${result.variant}`;
    if (!results.has(key) || !passed.has(result.verdict)) results.set(key, result);
  }
  return results;
}

function profileCoverage(
  { name, checks }: Profile,
  results: ReadonlyMap<string, VariantResult>,
  driver: InitializeResult | undefined,
): ProfileCoverage {
  const required = checks
    .filter((check) => isRequired(check, driver))
    .flatMap(({ check, variants }) =>
      variants
        .filter((variant) => isNamedBy(name, variant) || isSpoken(variant, driver))
        .map((variant) => ({ check, variant, result: results.get(`${check} ${variant}`) })),
    );
  const ran = required.filter(({ result }) => executed.has(result?.verdict ?? ""));
  const missing = required.filter(({ result }) => !passed.has(result?.verdict ?? ""));
  return {
    profile: name,
    required: required.length,
    ran: ran.length,
    passed: required.length - missing.length,
    known_failures: missing.filter(({ result }) => result?.verdict === "expected-fail").length,
    certified: required.length > 0 && missing.length === 0,
    ...(ran.length === 0 && whyNothingRan(name, checks, required.length, driver)),
    missing: missing.map(({ check, variant, result }) => missingVariant(check, variant, result)),
  };
}

function whyNothingRan(
  name: string,
  checks: readonly RequiredCheck[],
  required: number,
  driver: InitializeResult | undefined,
): Pick<ProfileCoverage, "why"> {
  if (checks.length === 0) return { why: "the suite has no check for it" };
  if (driver && !isDeclared(name, driver)) return { why: `the driver does not declare ${needs[name] ?? name}` };
  return required === 0 ? { why: "no check of it applies to what the driver declares" } : {};
}

/** What an implementation has to declare for a profile that is called otherwise. */
const needs: Readonly<Record<string, string>> = { core: "generic", providers: "a provider" };

function isDeclared(profile: string, { seams, features = [] }: InitializeResult): boolean {
  if (profile === "providers") return seams.some((seam) => seam !== "generic");
  const declared: readonly string[] = [...seams, ...features];
  return declared.includes(needs[profile] ?? profile);
}

/** What an implementation does not have, it cannot be asked to combine. */
function isRequired({ needs }: RequiredCheck, driver: InitializeResult | undefined): boolean {
  return needs.every((feature) => driver?.features?.includes(feature) ?? false);
}

/** `core` and the providers say themselves on which seams they are kept; a feature is kept on those that the driver speaks. */
function isNamedBy(profile: string, variant: string): boolean {
  return profile === "core" || profile === "providers" || variant.startsWith(`${profile}/`);
}

function isSpoken(variant: string, driver: InitializeResult | undefined): boolean {
  const [seam = "", transport] = variant.split("/");
  const speaks = (list: readonly string[] | undefined, name: string) => list?.includes(name) ?? false;
  return speaks(driver?.seams, seam) && (transport === undefined || speaks(driver?.transports, transport));
}

function missingVariant(check: string, variant: string, result: VariantResult | undefined): MissingVariant {
  const reason = result?.failures?.[0]?.message ?? result?.reason;
  return { check, variant, verdict: result?.verdict ?? "not-selected", ...(reason !== undefined && { reason }) };
}

function requirementCoverage(variants: readonly VariantResult[], { catalogue }: Suite): RequirementCoverage[] {
  const byRequirement = Map.groupBy(variants, ({ requirement }) => requirement);
  return [...catalogue.requirements.values()].map(({ id, untestable }) => {
    const results = byRequirement.get(id) ?? [];
    return {
      id,
      selected: results.length,
      ran: results.filter(({ verdict }) => executed.has(verdict)).length,
      passed: results.filter(({ verdict }) => passed.has(verdict)).length,
      ...(untestable !== undefined && { untestable }),
    };
  });
}
