// Says what a run proves: which profiles it certifies, which required variants are missing, and the score of each requirement.

import type {
  Finding,
  InitializeResult,
  ObservedPolicy,
  RequirementLevel,
  Verdict,
  VariantResult,
} from "../../../schemas/types.ts";
import { observedPolicies } from "./observed-policies.ts";
import { requirementVerdicts } from "./requirement-verdicts.ts";
import type { RequirementOutcome } from "./requirement-verdicts.ts";
import { isWithin } from "../suite/levels.ts";
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

/** The coverage of a requirement. Counts are of the variants of the cases that test it. */
export interface RequirementCoverage {
  id: string;
  level: RequirementLevel;
  /** What the whole run shows of it, in whichever case; absent if nothing. */
  outcome?: RequirementOutcome;
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
  /** What the implementation does where several behaviours are right. Absent if nothing was observed. */
  observed?: ObservedPolicy[];
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
  const observed = observedPolicies(run.variants);
  return {
    suite_version: suiteVersion(pinned.cases),
    ...(run.implementation && { implementation: run.implementation.implementation }),
    profiles: profiles.map((profile) => profileCoverage(profile, results, run.implementation, suite)),
    requirements: requirementCoverage(run.variants, suite),
    ...(observed.length > 0 && { observed }),
  };
}

/** What is broken in a variant counts, though its own case passed; one that is listed is known. */
function brokenIn({ findings = [] }: VariantResult, { level }: Profile, { catalogue }: Suite): Finding | undefined {
  return findings.find(
    ({ requirement, verdict, known }) =>
      verdict === "broken" && known === undefined && isWithin(catalogue.requirements.get(requirement)?.level, level),
  );
}

/** A variant that failed by something beyond the profile's level, and by nothing else, has passed for the profile. */
function isPassed({ verdict, findings = [] }: VariantResult, { level }: Profile, { catalogue }: Suite): boolean {
  if (passed.has(verdict)) return true;
  const broken = findings.filter((finding) => finding.verdict === "broken");
  const levelOf = (id: string) => catalogue.requirements.get(id)?.level;
  return (
    executed.has(verdict) &&
    broken.length > 0 &&
    broken.every(({ requirement }) => !isWithin(levelOf(requirement), level))
  );
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
  profile: Profile,
  results: ReadonlyMap<string, VariantResult>,
  driver: InitializeResult | undefined,
  suite: Suite,
): ProfileCoverage {
  const { name, checks } = profile;
  const required = checks
    .filter((check) => isRequired(check, driver))
    .flatMap(({ check, variants }) =>
      variants
        .filter((variant) => isNamedBy(name, variant) || isSpoken(variant, driver))
        .map((variant) => ({ check, variant, result: results.get(`${check} ${variant}`) })),
    );
  const ran = required.filter(({ result }) => executed.has(result?.verdict ?? ""));
  const missing = required.filter(
    ({ result }) => !result || !isPassed(result, profile, suite) || brokenIn(result, profile, suite),
  );
  return {
    profile: name,
    required: required.length,
    ran: ran.length,
    passed: required.length - missing.length,
    known_failures: missing.filter(({ result }) => result?.verdict === "expected-fail").length,
    certified: required.length > 0 && missing.length === 0,
    ...(ran.length === 0 && whyNothingRan(name, checks, required.length, driver)),
    missing: missing.map(({ check, variant, result }) =>
      missingVariant(check, variant, result, result && brokenIn(result, profile, suite)),
    ),
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
const needs: Readonly<Record<string, string>> = { core: "generic", portable: "generic", providers: "a provider" };

function isDeclared(profile: string, { seams, features = [] }: InitializeResult): boolean {
  if (profile === "essential") return true;
  if (profile === "providers") return seams.some((seam) => seam !== "generic");
  const declared: readonly string[] = [...seams, ...features];
  return declared.includes(needs[profile] ?? profile);
}

/** What an implementation does not have, it cannot be asked to combine. */
function isRequired({ needs }: RequiredCheck, driver: InitializeResult | undefined): boolean {
  return needs.every((feature) => driver?.features?.includes(feature) ?? false);
}

/** `core`, `portable` and the providers say themselves on which seams they are kept; a feature is kept on those that the driver speaks. */
function isNamedBy(profile: string, variant: string): boolean {
  return ["core", "portable", "providers"].includes(profile) || variant.startsWith(`${profile}/`);
}

function isSpoken(variant: string, driver: InitializeResult | undefined): boolean {
  const [seam = "", transport] = variant.split("/");
  const speaks = (list: readonly string[] | undefined, name: string) => list?.includes(name) ?? false;
  return speaks(driver?.seams, seam) && (transport === undefined || speaks(driver?.transports, transport));
}

function missingVariant(
  check: string,
  variant: string,
  result: VariantResult | undefined,
  broken: Finding | undefined,
): MissingVariant {
  const isOther = broken !== undefined && result?.verdict === "pass";
  const other = isOther ? `${broken.requirement} is broken there: ${broken.message ?? ""}` : undefined;
  const reason = other ?? result?.failures?.[0]?.message ?? result?.reason;
  return {
    check,
    variant,
    verdict: isOther ? "fail" : (result?.verdict ?? "not-selected"),
    ...(reason !== undefined && { reason }),
  };
}

function requirementCoverage(variants: readonly VariantResult[], { catalogue }: Suite): RequirementCoverage[] {
  const byRequirement = Map.groupBy(variants, ({ requirement }) => requirement);
  const outcomes = new Map(requirementVerdicts(variants).map(({ id, outcome }) => [id, outcome]));
  return [...catalogue.requirements.values()].map(({ id, level, untestable }) => {
    const results = byRequirement.get(id) ?? [];
    const outcome = outcomes.get(id);
    return {
      id,
      level,
      ...(outcome && { outcome }),
      selected: results.length,
      ran: results.filter(({ verdict }) => executed.has(verdict)).length,
      passed: results.filter(({ verdict }) => passed.has(verdict)).length,
      ...(untestable !== undefined && { untestable }),
    };
  });
}
