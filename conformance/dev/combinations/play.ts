// Plays combinations with several implementations, and says where they differ.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSuite, runSuite } from "../../kit/index.ts";
import type { SuiteCase } from "../../kit/suite/types.ts";
import type { TestedDriver } from "../../kit/run/types.ts";
import { match } from "../../kit/base/matcher.ts";
import { recordOf } from "./record.ts";
import type { RunRecord } from "./record.ts";
import type { Combination } from "./make-case.ts";

/** What became of one combination with one implementation. */
export interface Played {
  record: RunRecord;
  /** What the kit itself found wrong. */
  failures: string[];
}

/** Plays each combination with a driver on the generic seam; those that it cannot play are left out. */
export async function playAll(
  driver: string | TestedDriver,
  combinations: readonly Combination[],
  seed = 1,
): Promise<Map<string, Played>> {
  const { catalogue } = await loadSuite();
  const folder = mkdtempSync(join(tmpdir(), "combinations-"));
  mkdirSync(join(folder, "combined"));
  const cases = combinations.map(({ id, case: source }): SuiteCase => {
    const file = join(folder, `${id}.yaml`);
    writeFileSync(file, JSON.stringify(source, null, 2));
    return { id, file, case: source };
  });
  const seen = new Map<string, Parameters<typeof recordOf>[0]>();
  const byRun = new Map<string, Parameters<typeof recordOf>[0]>();
  const { report, startError } = await runSuite({
    driver,
    suite: { cases, catalogue, bugs: {} },
    seed,
    knownFailures: null,
    only: ({ variant }) => variant.seam === "generic",
    witness(run, observation) {
      byRun.set(run, observation);
      const [id] = observation.filled.case.title.split(" ");
      seen.set(id!, observation);
      return () => {};
    },
  });
  rmSync(folder, { recursive: true });
  if (startError !== undefined) throw new Error(`${String(driver)} did not start: ${startError}`);
  const played = new Map<string, Played>();
  for (const { check, verdict, failures = [] } of report.variants) {
    const id = check.split("#")[0]!;
    if (verdict === "unsupported" || verdict === "not-applicable") continue;
    const observation = seen.get(id);
    played.set(id, {
      record: observation ? recordOf(observation) : {},
      failures: failures
        .filter(({ message }) => !message.includes("but the case has"))
        .map(({ requirement, message, path }) => `${requirement ?? ""} ${message} ${path ?? ""}`),
    });
  }
  return played;
}

/** Where two records of the same run differ, a line each. */
export function differences(left: RunRecord, right: RunRecord): string[] {
  const lines: string[] = [];
  for (const about of Object.keys({ ...left, ...right })) diff(left[about], right[about], about, lines);
  return lines;
}

function diff(left: unknown, right: unknown, at: string, lines: string[]): void {
  if (lines.length > 12) return;
  if (isObject(left) && isObject(right)) {
    for (const key of Object.keys({ ...left, ...right })) diff(left[key], right[key], `${at}/${key}`, lines);
  } else if (JSON.stringify(left) !== JSON.stringify(right)) lines.push(`${at}: ${short(left)} and ${short(right)}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
void match;
