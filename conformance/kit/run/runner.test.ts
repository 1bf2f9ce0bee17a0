// What a run of the suite comes to beside its verdicts: how to repeat a failure, where to look, and when nothing was executed.

import { describe, expect, it } from "vitest";
import { runSuite } from "./runner.ts";
import { runAgainst, smallSuite } from "../testing/zoo.ts";
import { inProcess } from "../driver/in-process.ts";
import type { Kit, DriverMethods } from "../driver/in-process.ts";
import { fakeLoop } from "../testing/fake-loop.ts";
import type { KnownFailureList } from "./known-failures.ts";
import { exitCodeOf } from "./verdicts.ts";

/** A right loop whose results count a tool call too many. */
const miscounting = (kit: Kit): DriverMethods => ({
  initialize: () => ({
    protocol: 1,
    implementation: { name: "miscounts", version: "1", language: "typescript" },
    seams: ["generic"],
    reports: ["session", "result"],
  }),
  run: async (params) => {
    const ask = (method: "model/invoke" | "tool/execute", asked: unknown) => kit.request(method, asked as never);
    const { session, result } = await fakeLoop(params, { ask, emit: () => undefined });
    return { session, result: { ...result, tool_calls: result.tool_calls + 1 } };
  },
});

describe.concurrent("a run of the suite", () => {
  it("says of a failure how to run it again, where to look, and what was said", async () => {
    const { report } = await runAgainst("swaps results");
    const culprit = report.variants.find(({ verdict }) => verdict === "fail");
    expect(culprit?.repro).toBe(
      "npx agent-loop-spec test --driver 'swaps results' --case culprit --variant generic --seed 1 --timeout 120000",
    );
    expect(culprit?.line).toBeGreaterThan(1);
    expect(culprit?.exchanges?.length).toBe(2);
    expect(culprit?.events?.at(-1)?.event.type).toBe("run_end");
    const times = culprit?.events?.map(({ at_ms }) => at_ms) ?? [];
    expect(times).toEqual(times.toSorted((left, right) => left - right));
  });
  it("says that a driver which takes several runs at once was given one at a time [REPORT-17]", async () => {
    const heldBack = async (behaviour: string, jobs: number) =>
      (await runAgainst(behaviour, { jobs, select: { cases: ["text-1"] } })).report.one_at_a_time;
    expect(await heldBack("good", 1)).toBe(true);
    expect(await heldBack("good", 2)).toBeUndefined();
    expect(await heldBack("blocking", 1)).toBeUndefined();
  });
  it("says which program is missing", async () => {
    const run = await runSuite({
      driver: { name: "x", argument: "x", command: { argv: ["no-such-program"] } },
      suite: await smallSuite(),
    });
    expect(run.startError).toMatch(/no program no-such-program/);
    expect(exitCodeOf(run)).toBe(3);
  });
  it("names the profiles that all shards together have to keep, where everything was selected", async () => {
    const manifest = { profiles: ["core"] };
    const shard = { index: 1, count: 2 };
    const whole = await runAgainst("good", { select: {}, shard }, manifest);
    expect(whole.report.profiles).toEqual(["core"]);
    expect((await runAgainst("good", { shard }, manifest)).report.profiles).toBeUndefined();
  });
  it("is red where one variant was not run, though all others passed [KIT-3]", async () => {
    const { report } = await runAgainst("good");
    const { pass } = report.totals;
    const missed = { ...report, totals: { ...report.totals, pass: pass - 1, "not-run": 1 } };
    expect([report, missed].map((one) => exitCodeOf({ report: one }))).toEqual([0, 1]);
  });
  it("is red where a requirement is broken beside what the cases test, unless it is listed [KIT-22, KIT-26]", async () => {
    const run = async (knownFailures: KnownFailureList | null) => {
      const command = inProcess(miscounting);
      const driver = { name: "miscounts", argument: "miscounts", command };
      return await runSuite({ driver, suite: await smallSuite(), select: { cases: ["text-1"] }, knownFailures });
    };
    const { report } = await run(null);
    expect(report.variants.map(({ verdict }) => verdict)).toEqual(["pass"]);
    expect(report.variants[0]!.findings).toContainEqual(
      expect.objectContaining({ requirement: "RESULT-8", verdict: "broken" }),
    );
    expect(exitCodeOf({ report })).toBe(1);
    const entry = { requirement: "RESULT-8", reason: "It counts otherwise.", line: 3 };
    const listed = await run({ file: "known.yaml", today: "2026-06-15", entries: [], requirements: [entry] });
    expect(exitCodeOf(listed)).toBe(0);
  });
  it("is red where nothing was selected [KIT-3]", async () => {
    expect(exitCodeOf(await runAgainst("good", { select: { cases: ["no such case"] } }))).toBe(1);
  });
});

it("leaves no server behind where the kit itself fails at the start", async () => {
  const servers = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
  const before = servers();
  const broken = (): never => {
    throw new Error("it is the kit's own fault");
  };
  const driver = { name: "x", argument: "x", command: broken };
  const select = { cases: ["tools/unknown-tool"], variants: ["openai-chat/json"] };
  await expect(runSuite({ driver, select })).rejects.toThrow("it is the kit's own fault");
  await expect.poll(servers).toBe(before);
});
