// That the drafts of cases are valid, pass on the reference, and fail on what they say.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { Fixture } from "../../schemas/types.ts";
import { loadSuite } from "../kit/suite/suite.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { runSuite } from "../kit/run/runner.ts";
import { draftCase } from "../traffic/read/draft-case.ts";
import { UsageError } from "../kit/base/usage-error.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-new-case-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fixture = (name: string) => JSON.parse(readFileSync(packagePath(`fixtures/${name}.json`), "utf8")) as Fixture;
const draft = (name: string) => draftCase(`${name}.json`, fixture(name), { title: "As recorded", requires: "LOOP-1" });

describe("a draft", () => {
  test("has what the run began with, what the model said, what the tools answered, and no ids", async () => {
    const made = await draft("anthropic-messages/weather-loop");
    expect(made).toMatchObject({
      given: {
        instructions: "Answer in one sentence.",
        messages: [{ role: "user" }],
        handlers: { get_weather: { sequence: [{ output: "18 °C" }, { output: "24 °C" }] } },
        options: { max_turns: 2 },
      },
      model: [
        {
          respond: [
            { thinking: expect.any(String) as string },
            { text: "I will look." },
            { tool_call: { id: "$call_1" } },
            { tool_call: { id: "$call_2" } },
          ],
        },
        {},
      ],
      expect: { status: "completed" },
    });
    expect(JSON.stringify(made)).not.toContain("toolu_");
  });

  test("is of the last run: what came before it is its history", async () => {
    const made = await draft("openai-responses/previous-response-id");
    expect(made.given.messages).toHaveLength(3);
    expect(made.model).toHaveLength(1);
  });

  test("expects no result of a call that is not executed", async () => {
    const recorded = fixture("anthropic-messages/weather-loop");
    recorded.exchanges.pop();
    const made = (traffic: Fixture) => draftCase("f.json", traffic, { title: "As recorded", requires: "LOOP-9" });
    const results = async () => (await made(recorded)).expect.session?.slice(-2);
    expect(await results()).toEqual([
      { type: "tool_result", id: "$call_1", output: "(not recorded)" },
      { type: "tool_result", id: "$call_2", output: "(not recorded)" },
    ]);
    (recorded.exchanges[0]!.response.body as { stop_reason: string }).stop_reason = "refusal";
    expect(await results()).toEqual([
      { type: "tool_result", id: "$call_1" },
      { type: "tool_result", id: "$call_2" },
    ]);
    expect((await made(recorded)).expect.status).toBe("refused");
  });

  test("cannot be made of answers alone", async () => {
    await expect(draft("openai-chat/text")).rejects.toThrow(UsageError);
  });

  test("passes on the reference, on every seam that it names", async () => {
    const names = [
      "anthropic-messages/weather-loop",
      "openai-chat/weather-loop-streamed",
      "openai-responses/weather-loop",
      "openai-chat/weather-loop",
      "openai-responses/previous-response-id",
    ];
    mkdirSync(join(folder, "drafted"));
    for (const [at, name] of names.entries()) {
      writeFileSync(join(folder, "drafted", `case-${at}.yaml`), stringify(await draft(name), { lineWidth: 0 }));
    }
    const suite = await loadSuite({ cases: folder, cache: null });
    const { report } = await runSuite({ driver: "reference", suite, seed: 1, knownFailures: null });
    const failed = report.variants.filter(({ verdict }) => verdict !== "pass" && verdict !== "not-applicable");
    expect(failed.map(({ check, variant, failures }) => [check, variant, failures?.[0]?.message])).toEqual([]);
    expect(report.totals["pass"]).toBeGreaterThanOrEqual(5 * names.length);
  });
});
