// The loops of the project keep, as whole programs, what programs have to keep; the naive ones break it, and are told so.
// Every scenario in every format is played by: npm run probe:own

import { describe, expect, it } from "vitest";
import { isWhole } from "../dev/whole.ts";
import { readAgent } from "./agent-files.ts";
import { runProbe } from "./run-probe.ts";
import { chooseScenarios, readScenarios } from "./scenario-files.ts";
import { countVerdicts } from "./testing/count-verdicts.ts";
import { ownLoops, probeOwnLoop, whyNotHere } from "./testing/own-loops.ts";
import { brokenIn } from "./testing/probe-small-agent.ts";

// The first build of a program takes its time.
const long = 120_000;

describe.concurrent("a loop of the project", { timeout: long }, () => {
  it.for(isWhole ? ownLoops : ownLoops.slice(0, 2))("%s keeps what it has to", async (loop, { skip }) => {
    const missing = whyNotHere(loop);
    if (missing !== undefined) skip(missing);
    const scenarios = ["cut/whole-call", "turns/second"];
    const judged = await probeOwnLoop({ loop, provider: "anthropic-messages", transport: "sse", scenarios });
    const { broken, kept, notSeen } = countVerdicts(judged);
    expect(broken).toEqual([]);
    expect([kept, notSeen]).toEqual([4, 0]);
  });

  it("reference keeps it over a provider that has its model in the path", async () => {
    const scenarios = ["cut/whole-call", "turns/second", "tools/together", "results/not-utf8"];
    const judged = await probeOwnLoop({ loop: "reference", provider: "gemini", transport: "sse", scenarios });
    const { broken, kept, notSeen } = countVerdicts(judged);
    expect(broken).toEqual([]);
    expect([kept, notSeen]).toEqual([6, 1]); // half of a surrogate pair is nothing to this provider
  });
});

describe.concurrent("a naive loop", { timeout: long }, () => {
  it.for([
    ["naive-python", "anthropic-messages"],
    ["naive-shell", "openai-chat"],
    ["naive-typescript", "anthropic-messages"],
    ["naive-typescript", "gemini"],
    ["naive-typescript", "openai-chat"],
    ["naive-typescript", "openai-responses"],
  ] as const)("%s executes over %s a call that the token limit cut off", async ([name, provider]) => {
    const agent = readAgent(name);
    const scenarios = chooseScenarios(readScenarios(), { scenarios: ["cut/whole-call"] });
    const env = { ...agent.env, PROVIDER: provider };
    const judged = await runProbe({ agent: { ...agent, env }, scenarios, jobs: 1, timeoutMs: long, passed: {} });
    expect(brokenIn(judged)).toContain("LOOP-9");
  });
});
