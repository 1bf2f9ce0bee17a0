// The command `driver check`: walks through the protocol with a driver, and prints what is right and what is wrong.

import { commandLine } from "../kit/base/cli-name.ts";
import { findDriver } from "../kit/driver/command.ts";
import { walkProtocol } from "../kit/driver-check/walk.ts";
import type { StepOutcome } from "../kit/driver-check/walk.ts";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import type { Catalogue } from "../kit/suite/catalogue.ts";
import { packagePath, packageRoot } from "../kit/base/package-root.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { counted } from "../kit/base/plural.ts";
import { fitted } from "./shared/fitted.ts";
import { sayWhenInterrupted } from "./shared/interrupted.ts";
import { shownPath } from "../kit/base/display-path.ts";

/** How long a driver may take to start, in milliseconds. */
const startMs = 20_000;
/** How much of a message is shown, in characters. */
const maxShown = 300;

/** The options of the command line. */
export interface DriverCheckOptions {
  driver: string;
  verbose?: boolean;
  timeout: number;
}

/** Checks the protocol; the exit code is 1 if anything is wrong. */
export async function checkDriver({ driver: named, verbose = false, timeout }: DriverCheckOptions): Promise<void> {
  const driver = findDriver(named);
  const catalogue = readCatalogue(packageRoot());
  let wrong = 0;
  let steps = 0;
  const takeBack = sayWhenInterrupted(() => `after ${counted(steps, "step")}, ${wrong} of them wrong`);
  for await (const outcome of walkProtocol(driver, {
    silentMs: timeout,
    startMs: Math.max(timeout, driver.manifest?.start_timeout_ms ?? startMs),
  })) {
    steps += 1;
    if (outcome.verdict === "wrong") wrong += 1;
    for (const line of fitted(described(outcome, catalogue, verbose), process.stdout.columns)) console.log(line);
  }
  takeBack();
  console.log();
  if (wrong > 0)
    console.log(
      `${wrong} ${wrong === 1 ? "step is" : "steps are"} wrong; the protocol is in ${shown("spec/kit/driver-protocol.md")}, what stands in a message: ${commandLine} explain run`,
    );
  else console.log(`the driver speaks the protocol; now: ${commandLine} test --driver ${quoteWord(named)}`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

function* described(outcome: StepOutcome, { requirements }: Catalogue, verbose: boolean): Generator<string> {
  const { verdict, name, note, transcript } = outcome;
  yield `${verdict.padEnd(7)}  ${name}${note === undefined ? "" : `: ${note}`}`;
  if (verdict === "wrong" || verbose) for (const line of transcript) yield `           ${cut(line)}`;
  if (verdict !== "wrong") return;
  yield `         expected  ${outcome.expected}`;
  yield `         came      ${outcome.actual?.replaceAll("\n", "\n                   ")}`;
  const requirement = requirements.get(outcome.requirement ?? "");
  if (requirement)
    yield `         ${requirement.id}  ${requirement.text} ${shown(requirement.file)}:${requirement.line}`;
}

function shown(file: string): string {
  return shownPath(packagePath(file));
}

function cut(line: string): string {
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
