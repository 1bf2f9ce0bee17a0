// Runs the drivers that cheat, and checks the kit's verdict on each against cheats.yaml.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { parse } from "yaml";
import type { FailureCode } from "../../../schemas/types.ts";
import { runSuite } from "../run/runner.ts";
import type { SuiteRun } from "../run/types.ts";
import { exitCodeOf } from "../run/verdicts.ts";
import { loadSuite } from "../suite/suite.ts";
import type { Suite } from "../suite/types.ts";
import { smallSuite } from "./zoo.ts";

/** One driver that cheats; cheats.yaml explains the fields. */
export interface CheatingDriver {
  how: string;
  red: "all" | "none" | string[];
  code?: FailureCode;
  says: string;
  cases?: string[];
  fast?: boolean;
  /** It is the reference with a go-between, in cases of the suite. */
  between?: boolean;
  /** It has to be waited for until the kit gives it up: for seconds, and not for a minute as under load. */
  impatient?: boolean;
}

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Every driver that cheats, by what it does. */
export const cheats = parse(readFileSync(`${folder}cheats.yaml`, "utf8")) as Record<string, CheatingDriver>;

/** The names of those that `npm run check` meets, and of the others. */
export const fastCheats = Object.keys(cheats).filter((name) => cheats[name]!.fast);
export const otherCheats = Object.keys(cheats).filter((name) => !cheats[name]!.fast);

const harmless = ["culprit", "text-1", "text-2", "text-3", "text-4"];

let whole: Promise<Suite> | undefined;
const wholeSuite = () => (whole ??= loadSuite());

/** Plays one of them, and expects that it is caught as stands beside it. */
export async function catchCheat(name: string): Promise<SuiteRun> {
  const { red, code, says, cases = harmless, between = false, impatient = false } = cheats[name]!;
  const program = between ? "go-between.ts" : "cheating-driver.ts";
  const argv: [string, ...string[]] = ["node", `${folder}${program}`, name];
  const run = await runSuite({
    driver: { name, argument: name, command: { argv } },
    suite: await (between ? wholeSuite() : smallSuite()),
    select: { cases, ...(between && { providers: ["generic"] }) },
    seed: 1,
    // Under load a run takes long.
    timeoutMs: impatient ? 4000 : 60_000,
  });
  expect(exitCodeOf(run)).not.toBe(0);
  const { variants } = run.report;
  const failed = variants.filter(({ failures }) => failures !== undefined);
  const caught = red === "all" ? cases : red === "none" ? [] : red;
  // A neighbour that is red shows what for.
  expect(failed.filter((result) => !caught.includes(result.case))).toEqual([]);
  expect(failed.map((result) => result.case)).toEqual(caught);
  for (const { failures } of failed)
    expect(failures).toContainEqual(expect.objectContaining({ code, message: expect.stringMatching(says) as unknown }));
  if (red === "none")
    for (const { verdict, reason } of variants)
      expect([verdict, run.startError ?? reason]).toEqual([
        expect.stringMatching(/^(unsupported|not-run)$/),
        expect.stringMatching(says),
      ]);
  return run;
}
