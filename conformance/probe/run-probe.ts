// Plays scenarios to a program, several at a time where it allows that, and judges each when it has ended.

import { rmSync } from "node:fs";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceSecrets } from "../traffic/fixture/found-secret.ts";
import { secretsOf } from "../traffic/fixture/secret-names.ts";
import { createScan } from "../traffic/fixture/secrets.ts";
import { providerUpstreams } from "../traffic/record/routes.ts";
import type { Scan } from "../traffic/fixture/secrets.ts";
import type { FoundAgent } from "./agent-files.ts";
import { builtProgram } from "./build.ts";
import { judge } from "./judge.ts";
import type { ConversationRequest } from "./model-server.ts";
import { playScenario } from "./play-scenario.ts";
import type { Answering, ScenarioRun } from "./play-scenario.ts";
import type { JudgedScenario } from "./report.ts";
import type { NamedScenario } from "./scenario-files.ts";

/** A scenario, and what answers in place of its steps, if anything does. */
export interface Playable extends NamedScenario {
  answers?: Answering;
}

/** How a probe is run. */
export interface ProbeOptions {
  agent: FoundAgent;
  scenarios: readonly Playable[];
  jobs: number;
  timeoutMs: number;
  passed: Readonly<Record<string, string>>;
  /** Where the folders of the scenarios stay. Absent: they are removed. */
  keep?: string;
  onBegin?(name: string): void;
  onJudged?(judged: JudgedScenario): void;
}

/** The program never asked the server anything. */
export class NeverAsked extends Error {
  override readonly name = "NeverAsked";
}

/**
 * Runs the probe. The first scenario is played alone: a program that cannot be probed shows it there.
 * @returns the scenarios in their order
 * @throws NeverAsked, StartError
 */
export async function runProbe(options: ProbeOptions): Promise<JudgedScenario[]> {
  if (options.scenarios.length === 0) return [];
  const { agent, remove: removeBuilt } = await builtProgram(options.agent);
  try {
    return await playAll({ ...options, agent });
  } finally {
    await removeBuilt();
  }
}

async function playAll(options: ProbeOptions): Promise<JudgedScenario[]> {
  const { agent, scenarios, jobs } = options;
  const root = options.keep ?? (await mkdtemp(join(tmpdir(), "agent-loop-probe-")));
  // Whatever ends this process ends the programs first, and nothing of them stays.
  const removeAtExit = () => options.keep ?? rmSync(root, { recursive: true, force: true });
  process.on("exit", removeAtExit);
  try {
    const judged: JudgedScenario[] = [];
    const play = async (at: number, known?: ConversationRequest) => {
      const scenario = scenarios[at]!;
      options.onBegin?.(scenario.name);
      judged[at] = await playOne(options, scenario, root, known);
      options.onJudged?.(judged[at]);
    };
    let next = 0;
    let first: ScenarioRun | undefined;
    while (!first && next < scenarios.length) {
      await play(next);
      const { run } = judged[next++]!;
      if (run.ends.length > 0) first = run;
    }
    if (first?.exchanges.length === 0) throw new NeverAsked(neverAsked(first, agent));
    const work = async () => {
      while (next < scenarios.length) await play(next++, first?.requests[0]);
    };
    await Promise.all(Array.from({ length: agent.alone ? 1 : jobs }, work));
    return judged;
  } finally {
    process.off("exit", removeAtExit);
    if (options.keep === undefined) await remove(root);
  }
}

async function playOne(
  options: ProbeOptions,
  named: Playable,
  root: string,
  known: ConversationRequest | undefined,
): Promise<JudgedScenario> {
  const folder = join(root, named.name.replaceAll("/", "-"));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { agent, passed } = options;
  const timeoutMs = agent.timeout_ms ?? options.timeoutMs;
  const { answers } = named;
  const run = await playScenario({
    agent,
    passed,
    timeoutMs,
    folder,
    scenario: named.scenario,
    ...(answers && { answers }),
    ...(known && { known }),
  });
  const findings = await judge(run);
  if (options.keep === undefined) await remove(folder);
  else await keepEvidence(run, folder, await createScan(secretsOf(passed)));
  return { ...named, run, findings };
}

/**
 * What was said, as a fixture that other commands read, and what the program printed: without the secrets that it was given or has
 * found elsewhere.
 * @see RECORD-3
 */
async function keepEvidence(
  { requests, exchanges, ends, scenario }: ScenarioRun,
  folder: string,
  scan: Scan,
): Promise<void> {
  const fixture = {
    fixture: 1,
    origin: "crafted",
    why: scenario.title,
    exchanges: requests.map(({ seen }) => seen.exchange),
  };
  const beside = exchanges
    .filter(({ side }) => side !== undefined)
    .map(({ side, exchange }) => ({ side, ...exchange }));
  const write = async (name: string, text: string) =>
    writeFile(join(folder, name), replaceSecrets(text, await scan(text)), { mode: 0o600 });
  await Promise.all([
    write("traffic.json", `${JSON.stringify(fixture, null, 2)}\n`),
    write("beside.json", `${JSON.stringify(beside, null, 2)}\n`),
    ...ends.map(({ code, timedOut, stdout, stderr }, at) => {
      const how = timedOut ? "ended by the time limit" : `exit code ${code}`;
      return write(`output-${at + 1}.txt`, `${stdout}\n--- stderr\n${stderr}\n--- ${how}\n`);
    }),
  ]);
}

/** What a program left may still be written for a moment by what it started. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function neverAsked({ variables, ends }: ScenarioRun, { name }: FoundAgent): string {
  const [end] = ends;
  const names = providerUpstreams.map((upstream) => `{${upstream.name}}`);
  const output = `${end?.stdout ?? ""}${end?.stderr ?? ""}`.trim().slice(-600);
  return [
    `${name} never called the base URL. These variables were set: ${variables.join(", ")}.`,
    `It ended with ${end?.timedOut ? "the time limit" : `exit code ${end?.code}`}${output === "" ? ", and printed nothing." : `, and printed: ${output}`}`,
    `If it reads another variable, set it with --env NAME=value, where ${["{origin}", ...names].join(", ")} are the addresses of the probe; or write a file for it: --agent <file>.`,
  ].join("\n");
}
