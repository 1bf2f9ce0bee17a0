// What a probe gives a program, what it plays to it, and what it does not even start it for.

import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { FoundAgent } from "./agent-files.ts";
import { NeverAsked, runProbe } from "./run-probe.ts";
import { chooseScenarios, readScenarios } from "./scenario-files.ts";
import { probeSmallAgent } from "./testing/probe-small-agent.ts";

afterEach(() => vi.unstubAllEnvs());

function probe(agent: Partial<FoundAgent> & Pick<FoundAgent, "command">) {
  const scenarios = chooseScenarios(readScenarios(), { scenarios: ["tools/unknown"] });
  const found = { name: "a program", folder: "/", ...agent };
  return runProbe({ agent: found, scenarios, jobs: 1, timeoutMs: 20_000, passed: {} });
}

describe("a program that never asks", () => {
  const printing = ["node", "-e", "console.log(`${process.env.ONE} ${process.env.TWO} ${process.env.THREE}`)"];
  it("is told which variables were set, and what it printed", async () => {
    const failure = await probe({ command: printing }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NeverAsked);
    expect(String(failure)).toMatch(/set: ANTHROPIC_BASE_URL.*OPENAI_BASE_URL/);
    expect(String(failure)).toContain("printed: undefined undefined undefined");
  });
  it("has the variables of the caller that its file names, and no other [PROBE-3]", async () => {
    vi.stubEnv("ONE", "first");
    vi.stubEnv("TWO", "second");
    const failure = await probe({ command: printing, pass: ["ONE", "THREE"] }).catch((error: unknown) => error);
    expect(String(failure)).toContain("printed: first undefined undefined");
  });
});

describe("a scenario", () => {
  it("gives the program a working folder, a HOME and a folder for temporary files that no other has [PROBE-1]", async () => {
    const says = `console.log(JSON.stringify([process.cwd(), process.env.HOME, process.env.TMPDIR]));
      await fetch(process.env.OPENAI_BASE_URL + "/notes");`;
    const judged = await runProbe({
      agent: {
        name: "a program",
        folder: "/",
        command: ["node", "--input-type=module", "-e", says],
        beside: ["*/notes"],
      },
      scenarios: chooseScenarios(readScenarios(), { scenarios: ["tools/once", "tools/unknown"] }),
      jobs: 2,
      timeoutMs: 20_000,
      passed: {},
    });
    const places = judged.map(({ run }) => JSON.parse(run.ends[0]!.stdout) as string[]);
    expect(places).toHaveLength(2);
    const own = [process.cwd(), process.env["HOME"], tmpdir()];
    expect(new Set([...places.flat(), ...own]).size).toBe(6 + new Set(own).size);
    expect(places.flat().filter((place) => existsSync(place))).toEqual([]);
  });
  it("finds of each requirement that it names what was seen, and more only where that is broken [PROBE-6]", async () => {
    const scenario = "tools/repeated-ids";
    const { expect: expectations } = readScenarios().find(({ name }) => name === scenario)!.scenario;
    const named = [...new Set(expectations.map(({ requirement }) => requirement))];
    const foundIn = async (fault: string) =>
      (await probeSmallAgent({ scenarios: [scenario], fault }))[0]!.findings.map(
        ({ requirement, verdict }) => `${requirement} ${verdict}`,
      );
    const right = await foundIn("");
    expect(right).toEqual(named.map((id) => `${id} kept`));
    expect(named).not.toContain("SESSION-9");
    expect(await foundIn("keeps-repeated-ids")).toEqual([...right, "SESSION-9 broken", "SESSION-6 broken"]);
  });
  it("has each request as it was sent, in its layout", async () => {
    const sent = ['{\n "a": 1\n}', '{"a":1.0}'];
    const asks = `for (const body of ${JSON.stringify(sent)}) await fetch(process.env.OPENAI_BASE_URL + "/notes", { method: "POST", body })`;
    const [judged] = await probe({ command: ["node", "--input-type=module", "-e", asks], beside: ["*/notes"] });
    expect(judged?.run.exchanges.map(({ exchange: { request } }) => [request!.body, request!.layout])).toEqual([
      [{ a: 1 }, { indent: " " }],
      ['{"a":1.0}', undefined],
    ]);
  });
  it("that cannot be said to the program starts nothing, once it is known how the program asks [PROBE-5]", async () => {
    const judged = await probeSmallAgent({ provider: "openai-chat", scenarios: ["cut/arguments", "ending/pause"] });
    expect(judged.map(({ run }) => run.ends.length)).toEqual([1, 0]);
    expect(judged[1]?.findings[0]?.reason).toBe("OpenAI Chat has no stop reason pause");
  });
  it("has requests to paths that the file of the program names beside it", async () => {
    const asks = `fetch(process.env.OPENAI_BASE_URL + "/notes").then((answer) => console.log("got " + answer.status))`;
    const [judged] = await probe({ command: ["node", "-e", asks], beside: ["*/notes"] });
    expect(judged?.run.exchanges.map(({ side }) => side)).toEqual(["named by its file"]);
    expect(judged?.run.ends[0]?.stdout).toBe("got 200\n");
  });
  it("looks for what the user of this program says", async () => {
    const probed = { scenarios: ["interrupt/sigkill-model"], prompt: 'Look at "this".' };
    const verdictOf = async (fault: string) =>
      (await probeSmallAgent({ ...probed, fault }))[0]?.findings.find(({ requirement }) => requirement === "SESSION-1")
        ?.verdict;
    expect(await verdictOf("")).toBe("kept");
    expect(await verdictOf("forgets-history")).toBe("broken");
  });
  it("with an interrupt shows nothing of a program that ends before it [PROBE-5]", async () => {
    const [judged] = await probeSmallAgent({ scenarios: ["interrupt/sigint-tool"], fault: "leaves-command" });
    expect(judged?.run.interrupted).toBe(false);
    expect(judged?.findings.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual(
      Array.from({ length: 3 }, () => "not_seen: the program ended before it was interrupted"),
    );
  });
});
