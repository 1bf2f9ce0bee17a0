// Checks the claims of an agent-loop.json against the suite, and against what a run has proven.

import { existsSync } from "node:fs";
import type { InitializeResult, ReportProblem, VariantResult } from "../../../schemas/types.ts";
import { coverageOf } from "./coverage.ts";
import type { ProfileCoverage } from "./coverage.ts";
import { declaredFile } from "../driver/command.ts";
import type { NamedDriver } from "../driver/command.ts";
import { whichName } from "../base/suggest-name.ts";
import { profileNames } from "../suite/profiles.ts";
import type { Suite } from "../suite/types.ts";

/** What is known when a run has ended. */
export interface EndedRun {
  handshake: InitializeResult;
  variants: readonly VariantResult[];
  /** The suite as it was run. */
  suite: Suite;
  /** Whether everything was run; only then it can be said whether a profile is kept. */
  isWhole: boolean;
}

/**
 * The declared profiles that are not kept, and those that there are not.
 * @param file the agent-loop.json, as messages name it
 * @see KIT-13
 */
export async function falseClaims(file: string, profiles: readonly string[], run: EndedRun): Promise<ReportProblem[]> {
  const unknown = unknownProfiles(profiles, run.suite);
  const messages = [
    ...unknown,
    ...(run.isWhole && profiles.length > unknown.length ? await broken(profiles, run) : []),
  ];
  return messages.map((message) => ({ file, message }));
}

/** Mistakes in an agent-loop.json that need no run to be found: unknown profiles, a missing list. */
export function emptyClaims(
  driver: Pick<NamedDriver, "manifest" | "manifestFile">,
  suite: Pick<Suite, "catalogue">,
): string[] {
  const list = declaredFile(driver);
  return [
    ...unknownProfiles(driver.manifest?.profiles ?? [], suite),
    ...(list === undefined || existsSync(list)
      ? []
      : [`names ${list} as its known failures, and that file does not exist`]),
  ];
}

function unknownProfiles(profiles: readonly string[], suite: Pick<Suite, "catalogue">): string[] {
  const known = profileNames(suite);
  return profiles
    .filter((name) => !known.includes(name))
    .map((name) => `declares the profile ${name || '""'}, which does not exist; ${whichName(name, known)}`);
}

async function broken(profiles: readonly string[], { handshake, variants, suite }: EndedRun): Promise<string[]> {
  const coverage = await coverageOf({ variants, implementation: handshake }, suite);
  return coverage.profiles
    .filter(({ profile }) => profiles.includes(profile))
    .flatMap((profile) => {
      const why = whyNotKept(profile);
      return why === undefined ? [] : [`declares the profile ${profile.profile}, but ${why}`];
    });
}

/** Why a profile is not even kept but for known failures; undefined if it is. */
function whyNotKept({ required, missing, why }: ProfileCoverage): string | undefined {
  if (why !== undefined) return why;
  const unlisted = missing.filter(({ verdict }) => verdict !== "expected-fail");
  const [first] = unlisted;
  if (!first) return undefined;
  const { check, variant, verdict, reason } = first;
  const example = `${check} ${variant} ${verdict}${reason === undefined ? "" : `, ${reason.split("\n", 1)[0]}`}`;
  return `${unlisted.length} of its ${required} required variants did not pass and are no known failures, such as ${example}`;
}
