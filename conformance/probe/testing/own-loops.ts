// The loops of this project as small programs, each put under scenarios in every format.

import { spawnSync } from "node:child_process";
import type { ProviderName, Transport } from "../../kit/wire/codec.ts";
import { readAgent } from "../agent-files.ts";
import { runProbe } from "../run-probe.ts";
import type { JudgedScenario } from "../report.ts";
import { chooseScenarios, readScenarios } from "../scenario-files.ts";

/** The files that describe them. */
export const ownLoops = ["reference", "python-loop", "go-loop", "ejected"] as const;

const toolchains: Partial<Record<string, string>> = { "python-loop": "python3", "go-loop": "go" };

/** Why a loop cannot be started here, or undefined if it can. */
export function whyNotHere(loop: string): string | undefined {
  const program = toolchains[loop];
  if (program === undefined) return undefined;
  const { error } = spawnSync(program, ["version"], { stdio: "ignore" });
  return error && `${program} is not installed`;
}

/** What is played to a loop. */
export interface OwnProbe {
  loop: string;
  provider: ProviderName;
  transport: Transport;
  /** Absent: all. */
  scenarios?: readonly string[];
  jobs?: number;
}

/** Plays scenarios to one of the loops. */
export function probeOwnLoop({ loop, provider, transport, scenarios, jobs = 2 }: OwnProbe): Promise<JudgedScenario[]> {
  const agent = readAgent(loop);
  const env = { ...agent.env, PROVIDER: provider, STREAM: transport === "sse" ? "1" : "0" };
  return runProbe({
    agent: { ...agent, env },
    scenarios: chooseScenarios(readScenarios(), scenarios ? { scenarios } : {}),
    jobs,
    timeoutMs: 120_000,
    passed: {},
  });
}
