// How a user is hurt where a requirement is broken that any agent program must keep.

import type { RequirementSeverity } from "../../schemas/types.ts";

const bySeverity: Record<RequirementSeverity, readonly string[]> = {
  executes: [
    "LOOP-9",
    "LOOP-13",
    "LOOP-15",
    "LOOP-17",
    "LOOP-19",
    "TOOL-3",
    "TOOL-5",
    "TOOL-8",
    "TOOL-12",
    "PROVIDER-15",
    "CANCEL-2",
  ],
  misreports: ["LOOP-14", "LOOP-16", "LOOP-18", "LOOP-27", "SESSION-13", "PROVIDER-21", "PROVIDER-22", "PROVIDER-24"],
  bricks: [
    "PROVIDER-2",
    "PROVIDER-7",
    "PROVIDER-9",
    "PROVIDER-10",
    "PROVIDER-11",
    "PROVIDER-12",
    "PROVIDER-26",
    "SESSION-6",
    "SESSION-9",
    "PROVIDER-8",
    "PROVIDER-20",
    "LOOP-21",
    "LOOP-30",
    "RETRY-2",
  ],
  loses: [
    "LOOP-1",
    "LOOP-5",
    "LOOP-6",
    "SESSION-1",
    "SESSION-4",
    "SESSION-11",
    "TOOL-9",
    "TOOL-11",
    "TOOL-14",
    "TOOL-16",
    "PROVIDER-6",
    "PROVIDER-35",
    "CANCEL-8",
  ],
  leaks: ["PROVIDER-27", "PROVIDER-45"],
};

/** Worst first. */
export const severities = Object.keys(bySeverity) as RequirementSeverity[];

/** How a user is hurt; what no list has makes the provider refuse, as a broken rule of it does. */
export function severityOf(requirement: string): RequirementSeverity {
  return severities.find((severity) => bySeverity[severity].includes(requirement)) ?? "bricks";
}
