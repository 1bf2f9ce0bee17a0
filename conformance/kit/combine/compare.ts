// Says where two loops differ about the same run.

import type { RunRecord } from "./record.ts";

/** One place in which two records differ. A value that is not there is undefined. */
export interface Difference {
  /** What it is about, and where in it: result/steps/0/outcomes. */
  at: string;
  left: unknown;
  right: unknown;
}

/** Everything in which two records differ, in the order of what they are about. Empty if they agree. */
export function differences(left: RunRecord, right: RunRecord): Difference[] {
  return Object.keys({ ...left, ...right }).flatMap((about) => within(left[about], right[about], about));
}

function within(left: unknown, right: unknown, at: string): Difference[] {
  if (isObject(left) && isObject(right) && Array.isArray(left) === Array.isArray(right))
    return Object.keys({ ...left, ...right }).flatMap((key) => within(left[key], right[key], `${at}/${key}`));
  return JSON.stringify(left) === JSON.stringify(right) ? [] : [{ at, left, right }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
