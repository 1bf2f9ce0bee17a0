// A small agent program that keeps everything is accused of nothing, and each fault planted in it is called by its requirement.

import { mkdtempSync, readFileSync, readdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { isWhole } from "../dev/whole.ts";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { agentNames, readAgent } from "./agent-files.ts";
import { readScenarios } from "./scenario-files.ts";
import { plantedFaults } from "./testing/faults.ts";
import { brokenIn, probeSmallAgent } from "./testing/probe-small-agent.ts";

const long = 120_000;

describe("a correct program", () => {
  it.each((["anthropic-messages", "openai-chat", "openai-responses"] as const).slice(0, isWhole ? 3 : 1))(
    "keeps everything over %s",
    { timeout: long },
    async (provider) => {
      const scenarios = [
        "cut/",
        "tools/",
        "refusal/",
        "interrupt/sigkill-tool",
        "network/lost-in-call",
        "turns/second",
      ];
      const judged = await probeSmallAgent({ provider, scenarios });
      expect(brokenIn(judged)).toEqual([]);
      expect(
        judged.filter(({ findings }) => findings.some(({ verdict }) => verdict === "kept")).length,
      ).toBeGreaterThan(7);
    },
  );
  it("is accused only of not ending where the time limit ends it", { timeout: long }, async () => {
    const scenarios = ["turns/second", "cut/whole-call"];
    const judged = await probeSmallAgent({ scenarios, timeoutMs: 8000, fault: "stays-after-results" });
    expect(brokenIn(judged).filter((requirement) => requirement !== "LOOP-27")).toEqual([]);
    expect(judged.some(({ run }) => run.ends.some(({ timedOut }) => timedOut))).toBe(true);
  });
  it("leaves no folder and no process behind [PROBE-1]", { timeout: long }, async () => {
    // Others on this machine may be probing, too.
    const own = mkdtempSync(join(tmpdir(), "agent-loop-test-"));
    vi.stubEnv("TMPDIR", own);
    const judged = await probeSmallAgent({ scenarios: ["tools/once"], fault: "leaves-process" });
    expect(judged[0]!.run.ends[0]!.code).toBe(0);
    vi.unstubAllEnvs();
    expect(readdirSync(own)).toEqual([]);
    rmdirSync(own);
    // It is killed by now; when a busy machine lets it die is another matter. By itself it would live on for minutes.
    await expect.poll(() => processesIn(judged[0]!.run.folder), { timeout: 30_000 }).toEqual([]);
  });
});

describe("a planted fault", () => {
  it.each(readScenarios())("belongs to $name alone", ({ name }) => {
    // That no other scenario shows it is played by: npm run probe:alone
    expect(plantedFaults.filter(({ alone, scenario }) => alone && scenario === name)).not.toEqual([]);
  });
  // All of them are played by: npm run probe:faults
  it.each(plantedFaults.filter((_, at) => at % (isWhole ? 4 : 12) === 1))(
    "$fault is $requirement in $scenario",
    { timeout: long },
    async ({ fault, requirement, scenario, provider }) => {
      const timeoutMs = fault === "never-ends" ? 4000 : long;
      expect(brokenIn(await probeSmallAgent({ fault, provider, timeoutMs, scenarios: [scenario] }))).toContain(
        requirement,
      );
    },
  );
});

describe("what is described", () => {
  const { requirements } = readCatalogue(packagePath());
  it.each(readScenarios())("$name names requirements of the spec", ({ scenario }) => {
    for (const { requirement } of scenario.expect) expect(requirements.has(requirement), requirement).toBe(true);
  });
  it.each(agentNames())("%s is a valid program", (name) => expect(readAgent(name).command.length).toBeGreaterThan(0));
});

/** The processes that work in a folder, on Linux. */
function processesIn(folder: string): string[] {
  const all = process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return all.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(folder.replace(/work$/, "home"));
    } catch {
      return false;
    }
  });
}
