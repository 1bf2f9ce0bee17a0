// Puts the small agent program under a few scenarios, as the command line would.

import { fileURLToPath } from "node:url";
import type { ProviderName, Transport } from "../../kit/wire/codec.ts";
import { runProbe } from "../run-probe.ts";
import type { JudgedScenario } from "../report.ts";
import { chooseScenarios, readScenarios } from "../scenario-files.ts";

const file = fileURLToPath(new URL("small-agent.mjs", import.meta.url));

/** What is probed, and how. */
export interface SmallProbe {
  scenarios?: readonly string[];
  fault?: string;
  provider?: ProviderName;
  transport?: Transport;
  timeoutMs?: number;
  jobs?: number;
  /** What the user says first. Absent: what the probe says. */
  prompt?: string;
}

/** Plays scenarios to the small agent; all of them, if none is named. */
export function probeSmallAgent(probe: SmallProbe = {}): Promise<JudgedScenario[]> {
  const {
    scenarios,
    fault = "",
    provider = "anthropic-messages",
    transport = "sse",
    timeoutMs = 60_000,
    prompt = "{prompt}",
    jobs = 2,
  } = probe;
  const env = { PROVIDER: provider, STREAM: transport === "sse" ? "1" : "0", FAULT: fault };
  const command = ["node", file, prompt];
  return runProbe({
    agent: { name: "small", folder: "/", command, continue: ["node", file, "--continue", "{prompt}"], env },
    scenarios: chooseScenarios(readScenarios(), scenarios ? { scenarios } : {}),
    jobs,
    timeoutMs,
    passed: {},
  });
}

/** The requirements that are broken, each once. */
export function brokenIn(judged: readonly JudgedScenario[]): string[] {
  const broken = judged.flatMap(({ findings }) => findings.filter(({ verdict }) => verdict === "broken"));
  return [...new Set(broken.map(({ requirement }) => requirement))];
}
