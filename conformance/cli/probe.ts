// The command `probe`: puts a whole agent program under test, without a driver.

import { existsSync, statSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { commandLine } from "../kit/base/cli-name.ts";
import { exitCodeOf } from "../kit/index.ts";
import type { Report } from "../kit/index.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { readKnownFailures } from "../kit/run/known-failures-file.ts";
import { besideList, staleEntries } from "../kit/run/known-failures.ts";
import type { KnownFailureList } from "../kit/run/known-failures.ts";
import { readAgent } from "../probe/agent-files.ts";
import type { FoundAgent } from "../probe/agent-files.ts";
import { isOffline, offlineCommand, outsideAttempts } from "../probe/offline.ts";
import { NeverAsked, runProbe } from "../probe/run-probe.ts";
import type { Playable } from "../probe/run-probe.ts";
import { reportOf, resultsOf, suiteOf, withoutSecretsOf } from "../probe/report.ts";
import type { JudgedScenario } from "../probe/report.ts";
import { chooseScenarios, readScenarios } from "../probe/scenario-files.ts";
import { splitWords } from "../kit/driver/command.ts";
import { beforeEnding } from "../kit/driver/process-group.ts";
import { probeReporter, progressLine, sideLines } from "./probe-lines.ts";
import { probeCommand } from "./probe-repro.ts";
import type { ProbeCommandOptions } from "./probe-options.ts";
import { openReporters, targetsOf } from "./shared/reporting.ts";
import { prepareFolder, writeWhole } from "./shared/write-file.ts";

/** Exit code: as `test`. */
export async function probe(command: readonly string[], options: ProbeCommandOptions): Promise<void> {
  if (options.install !== undefined) return (await import("./probe-install.ts")).install(options.install);
  if (options.list) return list(options);
  if (options.offline && !isOffline()) return runOffline();
  const targets = targetsOf(options.reporter);
  const { passed, set } = variablesOf(options.env);
  if (options.runTools !== undefined && options.from === undefined)
    throw new UsageError("--run-tools is about a recording; name it with --from <fixture>, or leave it out");
  const agent = await agentOf(command, options, set);
  const scenarios = await scenariosOf(options);
  const suite = suiteOf(scenarios);
  const known = await knownOf(options);
  const others = targets.filter(({ name, file }) => name !== "pretty" || file !== undefined);
  const isPrinted = others.length < targets.length;
  const reporter = await openReporters(others, suite);
  if (options.keep !== undefined) prepareFolder("--keep", options.keep);
  const terminal = isPrinted ? probeReporter(process.stdout, suite) : undefined;
  const began = new Date();
  const start = performance.now();
  const attempts = outsideAttempts();
  let judged: JudgedScenario[] = [];
  let startError: string | undefined;
  terminal?.start(agent, scenarios.length);
  const seen: JudgedScenario[] = [];
  const takeBack = beforeEnding((signal) => {
    terminal?.interrupted(seen, scenarios.length);
    process.exit(128 + constants.signals[signal]);
  });
  try {
    judged = await runProbe({
      ...{ agent, scenarios, passed, jobs: options.jobs, timeoutMs: options.timeout },
      ...(options.keep !== undefined && { keep: resolve(options.keep) }),
      onJudged: (one) => {
        seen.push(one);
        terminal?.judged(progressLine(one));
      },
    });
  } catch (error) {
    if (!(error instanceof NeverAsked)) throw error;
    startError = error.message;
  } finally {
    takeBack();
  }
  const results = judged
    .flatMap((one) => resultsOf(one, agent.name, probeCommand(one.name, command, options)))
    .map((result) => (known && !options.updateKnownFailures ? besideList(known, result) : result));
  const isWhole = !options.scenario && !options.requires && !options.severity;
  const problems = known && !options.updateKnownFailures ? staleEntries(known, results, isWhole) : [];
  const end = { began, duration_ms: performance.now() - start, startError, problems };
  const report = withoutSecretsOf({ ...set, ...passed }, reportOf(agent.name, results, end));
  if (options.updateKnownFailures && known) await updateKnown(known, report);
  reporter.end(report);
  terminal?.end(report, judged, [...sideLines(judged), ...outsideLines(outsideAttempts() - attempts)]);
  if (startError !== undefined && !terminal) console.error(startError);
  process.exitCode = options.updateKnownFailures ? 0 : exitCodeOf({ report });
}

async function scenariosOf(options: ProbeCommandOptions): Promise<Playable[]> {
  if (options.from !== undefined) {
    const { scenariosFrom } = await import("./probe-from.ts");
    return scenariosFrom(options.from, options.runTools, options.scenario);
  }
  const { scenario, requires, severity } = options;
  const chosen = chooseScenarios(readScenarios(), {
    ...(scenario && { scenarios: scenario }),
    ...(requires && { requires }),
    ...(severity && { severities: severity }),
  });
  if (chosen.length > 0) return chosen;
  const filters = Object.entries({ scenario, requires, severity }).flatMap(([name, values = []]) =>
    values.map((value) => `--${name} ${value}`),
  );
  throw new UsageError(`no scenario fits ${filters.join(" ")}; see them with: ${commandLine} probe --list`);
}

function list(options: ProbeCommandOptions): void {
  const { scenario, requires, severity } = options;
  const choice = {
    ...(scenario && { scenarios: scenario }),
    ...(requires && { requires }),
    ...(severity && { severities: severity }),
  };
  for (const { name, scenario: one } of chooseScenarios(readScenarios(), choice))
    console.log(
      `${name}  ${one.severity}  ${[...new Set(one.expect.map(({ requirement }) => requirement))].join(" ")}\n  ${one.title}`,
    );
}

/** The program of the command line, of a file, or of a file with another command. */
async function agentOf(
  command: readonly string[],
  options: ProbeCommandOptions,
  set: Readonly<Record<string, string>>,
): Promise<FoundAgent> {
  const again = options.continue === undefined ? undefined : continued(options.continue);
  const own = command.map(fromHere);
  const described = options.agent === undefined ? undefined : readAgent(options.agent);
  if (!described && command.length === 0)
    throw new UsageError(
      `expected a program after --, or --agent <name>; such as: ${commandLine} probe -- python3 agent.py`,
    );
  const installed = described && command.length === 0 ? await installedCommand(described) : described;
  const base: FoundAgent = installed ?? { name: command.join(" "), command: own, folder: process.cwd() };
  return {
    ...base,
    ...(own.length > 0 && { command: own }),
    ...(again && { continue: again }),
    env: { ...base.env, ...set },
  };
}

/** @throws UsageError for a command that has no place for what the user says next */
function continued(line: string): string[] {
  if (line.includes("{prompt}")) return splitWords(line).map(fromHere);
  throw new UsageError(
    `--continue ${line} has no {prompt}; write it where the program takes what the user says: --continue "${line} {prompt}"`,
  );
}

/** A word that names a file here, as a path that also holds in the working folder of a scenario. @see PROBE-1 */
function fromHere(word: string): string {
  // A program that is a word of its own, as behind `node -e`, is longer than the name of any file.
  const isFile = /[./]/.test(word) && existsSync(word) && statSync(word).isFile();
  return isFile ? resolve(word) : word;
}

/** The command of a described program, as it was installed; as it is on PATH where it was not. */
async function installedCommand(agent: FoundAgent): Promise<FoundAgent> {
  if (!agent.package) return agent;
  const { installedProgram } = await import("../probe/install.ts");
  const program = installedProgram(agent);
  if (program === undefined) return agent;
  const started = ([, ...rest]: readonly string[]) => [...program, ...rest];
  return { ...agent, command: started(agent.command), ...(agent.continue && { continue: started(agent.continue) }) };
}

/** `NAME` is handed on, `NAME=value` is set. */
function variablesOf(values: readonly string[] = []) {
  const passed: Record<string, string> = {};
  const set: Record<string, string> = {};
  for (const text of values) {
    const at = text.indexOf("=");
    const name = at < 0 ? text : text.slice(0, at);
    const own = process.env[name];
    if (at >= 0) set[name] = text.slice(at + 1);
    else if (own === undefined)
      throw new UsageError(`--env ${name} is not set here; give it a value with --env ${name}=<value>`);
    else passed[name] = own;
  }
  return { passed, set };
}

async function knownOf({
  knownFailures,
  updateKnownFailures,
}: ProbeCommandOptions): Promise<KnownFailureList | undefined> {
  if (knownFailures === undefined) {
    if (updateKnownFailures)
      throw new UsageError("--update-known-failures does not know the file; name it with --known-failures <file>");
    return undefined;
  }
  const { existsSync } = await import("node:fs");
  if (updateKnownFailures && !existsSync(knownFailures)) return { file: knownFailures, entries: [], today: "" };
  return readKnownFailures(knownFailures);
}

async function updateKnown(known: KnownFailureList, { variants }: Report): Promise<void> {
  const [{ updatedKnownFailures }, { existsSync, readFileSync }] = await Promise.all([
    import("../kit/run/known-failures-update.ts"),
    import("node:fs"),
  ]);
  const before = existsSync(known.file) ? readFileSync(known.file, "utf8") : undefined;
  const after = updatedKnownFailures(before, known, variants);
  if (after !== before) writeWhole(known.file, after);
  console.error(`${known.file}: written; the reasons are yours`);
}

/** The same command again, where nothing but this machine can be reached. */
async function runOffline(): Promise<void> {
  const { runProgram } = await import("../traffic/record/run-program.ts");
  const found = offlineCommand([process.execPath, ...process.execArgv, ...process.argv.slice(1)]);
  if ("refused" in found)
    throw new UsageError(
      `--offline is not possible here: ${found.refused}. Without it, base URLs and proxies still lead to the probe alone.`,
    );
  process.exitCode = await runProgram(found.command, { ...process.env, ...found.environment });
}

function outsideLines(attempts: number): string[] {
  if (!isOffline()) return [];
  return [
    attempts === 0
      ? "offline: nothing but this machine was reached for"
      : `offline: ${attempts} packets were for other machines, and went nowhere`,
  ];
}
