// `test --stage`: exactly the variants of a stage and of those before it, the progress, the scores, and wrong input.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TrackProgress, TrackScore } from "../../schemas/types.ts";
import { loadSuite, readReport } from "../kit/index.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { elements, readXml } from "../reporters/testing/read-xml.ts";
import { progressFile } from "../teaching/stages/progress.ts";
import { divide, readStages } from "../teaching/stages/stages.ts";
import type { TestOptions } from "./test-command/test-options.ts";
import { test } from "./test.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-stage-"));
afterAll(() => rmSync(folder, { recursive: true }));

let printed: string[];
let complained: string[];
beforeEach(() => {
  printed = [];
  complained = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void complained.push(line));
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

const options = (more: Partial<TestOptions>): TestOptions => ({
  ...{ driver: ["reference"], details: "failures", jobs: 8, timeout: 10_000, seed: 1 },
  ...more,
});

/** A loop that passes stage 1 and nothing else. */
function firstStage(): string {
  const own = mkdtempSync(join(folder, "loop-"));
  writeFileSync(join(own, "agent-loop.json"), '{"name":"l","version":"1","command":["node","driver.mjs"]}');
  writeFileSync(
    join(own, "driver.mjs"),
    `import { createInterface } from "node:readline";
const unknown = { input_tokens: null, output_tokens: null, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
const error = { kind: "invalid_session", message: "nobody has said anything" };
const result = { status: "error", error, agent: "main", turns: 0, tool_calls: 0, final_text: "", stop_reason: null,
  raw_stop_reason: null, steps: [], usage: unknown, usage_by_model: {} };
const answers = {
  initialize: () => ({ protocol: 1, implementation: { name: "l", version: "1", language: "javascript" },
    seams: ["generic"], reports: ["session", "result"] }),
  run: ({ session }) => ({ session, result }),
  shutdown: () => ({}),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) }));
}
`,
  );
  return own;
}

const progressOf = (own: string) => JSON.parse(readFileSync(join(own, progressFile), "utf8")) as TrackProgress;
const read = <Value>(file: string) => JSON.parse(readFileSync(file, "utf8")) as Value;

describe("a run up to a stage", () => {
  it("has exactly the variants of this stage and of those before it [KIT-20]", async () => {
    const file = join(folder, "report.jsonl");
    await test(options({ stage: "2", reporter: [`json=${file}`] }));
    const ran = readReport(readFileSync(file, "utf8"), file).variants.map((one) => `${one.case} ${one.variant}`);
    const divided = await divide(readStages(), await loadSuite());
    const wanted = divided
      .slice(0, 2)
      .flatMap(({ selected }) => selected.map(({ entry, variant }) => `${entry.id} ${variant.name}`));
    expect(ran).toEqual(wanted);
    expect(process.exitCode).toBe(0);
  });
  it("says what is passed, and what is next", async () => {
    await test(options({ stage: "one-response" }));
    const text = printed.join("\n");
    expect(text).toMatch(/^stage {2}1 {2}Shake hands +1 of 1 +passed$/m);
    expect(text).toMatch(/^stage {2}2 {2}One response +7 of 7 +passed$/m);
    expect(text).toMatch(/^Next is stage 3, The session: {2}npx agent-loop-spec learn 3$/m);
  });
  it("of a driver that is not there yet says what is missing first, and keeps what is passed in its folder", async () => {
    const own = firstStage();
    const score = join(folder, "score.json");
    const junit = join(folder, "junit.xml");
    await test(options({ driver: [own], stage: "2", score, reporter: ["pretty", `junit=${junit}`] }));
    expect(process.exitCode).toBe(1);
    const text = printed.join("\n");
    expect(text).toMatch(/^You are at stage 2, One response\. What is missing first:\n {2}\S+#\S+ generic: /m);
    expect(text).toMatch(/learn 2 .*loop-/);
    expect(progressOf(own)).toEqual({
      ...{ progress: 1, hints: {} },
      passed: { "shake-hands": expect.stringMatching(/^20\d\d-/) as unknown },
    });
    expect(read<TrackScore>(score)).toMatchObject({
      ...{ passed: 1, of: 2 },
      stages: [
        { stage: 1, name: "shake-hands", is_passed: true, passed: 1, of: 1 },
        { stage: 2, name: "one-response", is_passed: false, passed: 0, of: 7 },
      ],
    });
    const suites = elements(readXml(readFileSync(junit, "utf8")), "testsuite").map(({ attributes }) => attributes);
    expect(suites.map(({ name, tests, failures }) => [name, tests, failures])).toEqual([
      // The requirements that are broken stand before the stages.
      ["run", "6", "6"],
      ["stage 1, Shake hands", "1", "0"],
      ["stage 2, One response", "7", "7"],
    ]);
  });
  it("of a driver that never starts says why, in its own words, and how it was started", async () => {
    const own = firstStage();
    writeFileSync(join(own, "driver.mjs"), 'console.error("no such module"); process.exit(7);');
    await test(options({ driver: [own], stage: "1" }));
    expect(process.exitCode).toBe(3);
    const [, missing] = printed.join("\n").split("What is missing first:\n");
    expect(missing).toMatch(
      /^ {2}the driver exited with code 7\n {4}stderr:\n {6}no such module\n {4}started with: node .*driver\.mjs\n/,
    );
  });
  it("is red where nothing failed, but the driver does not declare what the stage demands [KIT-21]", async () => {
    const own = firstStage();
    const driver = join(own, "driver.mjs");
    writeFileSync(driver, readFileSync(driver, "utf8").replace('["session", "result"]', '["session"]'));
    const junit = join(own, "junit.xml");
    await test(options({ driver: [own], stage: "1", reporter: [`junit=${junit}`] }));
    expect(process.exitCode).toBe(1);
    const [failure] = elements(readXml(readFileSync(junit, "utf8")), "failure");
    expect(failure!.attributes["message"]).toMatch(/^stage 1, Shake hands, is not passed: session\/refuses-to-start/);
  });
  it("takes a stage back that is not passed any more", async () => {
    const own = firstStage();
    const passed = { "shake-hands": "then", "one-response": "then", session: "then" };
    writeFileSync(join(own, progressFile), JSON.stringify({ progress: 1, passed, hints: { session: 2 } }));
    await test(options({ driver: [own], stage: "2" }));
    expect(progressOf(own)).toEqual({
      progress: 1,
      passed: { "shake-hands": "then", session: "then" },
      hints: { session: 2 },
    });
  });
  it("runs to its end where the progress cannot be kept", async () => {
    const own = firstStage();
    writeFileSync(join(own, progressFile), "{");
    await test(options({ driver: [own], stage: "1" }));
    expect(process.exitCode).toBe(0);
    expect(complained.join()).toMatch(/^The progress is not kept: .*agent-loop-progress\.json is not JSON/);
    expect(readFileSync(join(own, progressFile), "utf8")).toBe("{");
  });
  it("writes nothing beside a driver of the package", async () => {
    await test(options({ stage: "1" }));
    expect(() => readFileSync(packagePath("conformance/drivers/reference", progressFile))).toThrow(/ENOENT/);
  });
});

describe("--stage says to wrong input what was expected, what came, and what to do", () => {
  it.each<[Partial<TestOptions>, RegExp]>([
    [{ stage: "0" }, /there is no stage 0; there are 1 to \d+, see them with: npx agent-loop-spec learn/],
    [{ stage: "2", case: ["tools/"] }, /--stage and --case both say what is run/],
    [{ stage: "2", knownFailures: "f.yaml" }, /--stage and --known-failures both say/],
    [{ stage: "2", driver: ["no-such-driver"] }, /no driver is called no-such-driver/],
    [{ stage: "2", driver: ["reference", "python"], score: "s.json" }, /s\.json can have the report of one driver/],
    [{ score: "s.json" }, /--score counts stages, and needs to know up to which; add --stage/],
  ])("%o", async (more, message) => {
    await expect(test(options(more))).rejects.toThrow(message);
  });
});
