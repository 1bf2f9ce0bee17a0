// Counts what several scenarios showed.

import type { JudgedScenario } from "../report.ts";

/** How many findings there are of each verdict, and those that are broken in words. */
export interface VerdictCounts {
  kept: number;
  notSeen: number;
  notApplicable: number;
  broken: string[];
}

/** Counts the findings of scenarios. */
export function countVerdicts(judged: readonly JudgedScenario[]): VerdictCounts {
  const all = judged.flatMap(({ name, findings }) => findings.map((finding) => ({ name, ...finding })));
  const count = (wanted: string) => all.filter(({ verdict }) => verdict === wanted).length;
  const broken = all
    .filter(({ verdict }) => verdict === "broken")
    .map(({ name, requirement, message }) => `${name} ${requirement}: ${message}`);
  return { kept: count("kept"), notSeen: count("not_seen"), notApplicable: count("not_applicable"), broken };
}
