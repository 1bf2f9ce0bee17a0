// Says which profiles a run up to a stage cannot certify yet, because later stages have the rest of what they require.

import type { ProfileCoverage } from "../../kit/run/coverage.ts";
import type { ExaminedStage } from "./stages.ts";

/** A profile of which nothing failed and something passed, and the last stage that has more of it. */
export interface WaitingProfile {
  profile: string;
  /** Its number. */
  stage: number;
}

/** The profiles that wait for later stages. What no stage has is not waited for. */
export function waitingProfiles(
  profiles: readonly ProfileCoverage[],
  divided: readonly ExaminedStage[],
): WaitingProfile[] {
  const stageOf = new Map(
    divided.flatMap(({ stage, selected }) =>
      selected.map(({ entry, variant }) => [`${entry.id}#${entry.case.requires[0]} ${variant.name}`, stage.number]),
    ),
  );
  return profiles.flatMap(({ profile, passed, missing }) => {
    if (passed === 0 || missing.length === 0) return [];
    if (missing.some(({ verdict }) => verdict !== "not-selected")) return [];
    const numbers = missing.map(({ check, variant }) => stageOf.get(`${check} ${variant}`));
    return numbers.every((stage) => stage !== undefined) ? [{ profile, stage: Math.max(...numbers) }] : [];
  });
}
