// The command line as a person meets it: exit codes, errors that say what to do, and output that can be read.

import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { ReportFooter } from "../../schemas/types.ts";
import { readReport } from "../kit/index.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const fakeCases = fileURLToPath(new URL("../kit/testing/cases", import.meta.url));
const fakeDriver = fileURLToPath(new URL("../kit/testing/fake-driver.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 1e8 },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
  });
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const file = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
};

describe.concurrent("test", () => {
  it("exits 0 when everything passes, and reports line by line", async () => {
    const { code, stdout } = await run(
      "test",
      "--driver",
      "reference",
      "--case",
      "tools/unknown-tool-names",
      "--reporter",
      "json",
      "--seed",
      "7",
    );
    const report = readReport(stdout, "stdout");
    expect(report.seed).toBe(7);
    expect(report.totals.pass).toBeGreaterThan(0);
    expect(report.totals.pass).toBe(report.totals.selected);
    expect(code).toBe(0);
  });
  it("exits 2 and says what to do for a driver that is not there", async () => {
    const { code, stderr } = await run("test", "--driver", "no-such-driver");
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/no driver is called no-such-driver.*reference/) as unknown,
    ]);
  });
  it("exits 2 for an unknown option, a missing driver, and names that nothing has", async () => {
    expect((await run("test", "--drivr", "x")).code).toBe(2);
    expect(await run("test")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/required option '-d, --driver/) as unknown,
    });
    expect(await run("test", "-d", "reference", "-r", "TOOL-999")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--requires TOOL-999 is not known/) as unknown,
    });
    expect(await run("test", "-d", "reference", "--variant", "grpc")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/known: generic, anthropic-messages\/json/) as unknown,
    });
    expect(await run("test", "-d", "reference", "-c", "no/such/case")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--case no\/such\/case fits no case; see them with: /) as unknown,
    });
  });
  it("exits 3 for a driver that never initialises", async () => {
    const { code, stdout } = await run(
      "test",
      "--driver",
      `${process.execPath} -e process.exit(1)`,
      "--case",
      "tools/unknown-tool",
    );
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /The driver never initialised: the driver exited with code 1\n {2}started with: .* -e 'process\.exit\(1\)'$/m,
    );
  });
});

describe.concurrent("a kit that is ended", () => {
  const isAlive = (token: string) =>
    readdirSync("/proc").some((pid) => commandLine(pid).includes(token) && !commandLine(pid).includes(main));
  // The `expect` of the context: the global one polls in no test once another has ended.
  it.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)("by %s ends its driver [KIT-8]", async (signal, { expect }) => {
    const token = `ended-by-${signal}-${process.pid}`;
    const kit = spawn(
      process.execPath,
      [main, "test", "--driver", `${process.execPath} ${fakeDriver} silent ${token}`],
      {
        stdio: "ignore",
      },
    );
    const exit = new Promise<number | null>((resolve) => kit.on("exit", resolve));
    await expect.poll(() => isAlive(token), { timeout: 120_000 }).toBe(true);
    kit.kill(signal);
    expect(await exit).toBe(128 + constants.signals[signal]);
    await expect.poll(() => isAlive(token)).toBe(false);
  });
});

describe.concurrent("a run that a signal ends", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("reports what was run, by %s", async (signal) => {
    const written = join(folder, `${signal}.xml`);
    const driver = `${process.execPath} ${fakeDriver} 'signals the kit in its second run' ${signal}`;
    const command = [
      "test",
      "-d",
      driver,
      "--cases",
      fakeCases,
      "--reporter",
      "json",
      "--reporter",
      `junit=${written}`,
    ];
    const { code, stdout } = await run(...command);
    expect(code).toBe(128 + constants.signals[signal]);
    const { footer } = JSON.parse(stdout.trimEnd().split("\n").at(-1)!) as { footer: ReportFooter };
    const { pass, fail, "not-run": notRun } = footer.totals;
    expect([pass, fail, notRun]).toEqual([1, 0, 6]);
    expect(stdout).toContain(`"reason":"${signal} ended the run before"`);
    expect(readFileSync(written, "utf8")).toContain(`${signal} ended the run before`);
  });
});

describe.concurrent("cases of one's own", () => {
  const folder = mkdtempSync(join(tmpdir(), "agent-loop-own-cases-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const own = (
    text: string,
  ) => `title: A text of one's own\nsince: "1.0"\nrequires: [LOOP-1]\ngiven:\n  messages:\n    - { role: user, content: Greet. }
model:\n  - text: Hello.\nexpect:\n  status: completed\n  session:\n    - { role: assistant, content: ${text} }\n`;
  const file = (name: string, text: string) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "greet.yaml"), own(text));
    return join(folder, name);
  };

  it("are run alone, certify nothing, and are named by what repeats a failure", async () => {
    const good = await run("test", "-d", "reference", "--cases", file("good", "Hello."), "--variant", "generic");
    expect(good).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 of 1 variant passed, none failed/) as unknown,
    });
    expect(good.stdout).not.toMatch(/certified/);
    const place = file("bad", "Bye.");
    const bad = await run("test", "-d", "reference", "--cases", place, "--variant", "generic");
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain(`test --driver reference --cases ${place} --case greet --variant generic --seed `);
  });
  it("are refused with file and line, where there are none, and beside what names another suite", async () => {
    const wrong = file("wrong", "Hello.");
    writeFileSync(join(wrong, "greet.yaml"), `${own("Hello.")}expects: {}\n`);
    const read = await run("test", "-d", "reference", "--cases", wrong);
    expect(read).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/greet\.yaml:13:1 .*unknown property "expects"/) as unknown,
    });
    const nowhere = await run("test", "-d", "reference", "--cases", join(folder, "nowhere"));
    expect(nowhere).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/nowhere is no folder; name the one/) as unknown,
    });
    const two = await run("test", "-d", "reference", "--cases", wrong, "--suite", "1.0");
    expect(two).toMatchObject({ code: 2, stderr: expect.stringMatching(/give one of them/) as unknown });
  });
});

describe.concurrent("explain, list and --help", () => {
  it("explains a requirement with its cases", async () => {
    const { code, stdout } = await run("explain", "tool-9");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^TOOL-9 {2}The loop MUST answer a call that names no tool/);
    expect(stdout).toMatch(/Tested by:\n(?: {4}.*\n)* {4}tools\//);
  });
  it("explains a case, and asks back where it knows nothing", async () => {
    expect((await run("explain", "tools/unknown-tool")).stdout).toMatch(/Tests TOOL-9/);
    expect(await run("explain", "NOPE-1")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/NOPE-1 is the name of no requirement/) as unknown,
    });
  });
  it("explains a feature with its requirements, its cases and its example", async () => {
    const { code, stdout } = await run("explain", "switch-model");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^switch_model {2}Another model/m);
    expect(stdout).toMatch(/^ {2}LOOP-66 {2}The loop MUST.* \(spec\/loop\/loop\.md:\d+\)$/m);
    expect(stdout).toMatch(/^ {2}Cases:\n {4}(\S+ {2}.*\n {4})*switch-model\//m);
    expect(stdout).toMatch(/^ {2}Example: .*reference\/examples\/switch-model\.ts$/m);
  });
  it("lists what there is", async () => {
    expect((await run("list", "features")).stdout).toMatch(/^budget +What a run costs/m);
    expect((await run("list", "drivers")).stdout).toMatch(/^reference +\d/m);
    expect((await run("list", "requirements")).stdout).toMatch(/^LOOP-1 +The loop MUST/m);
    expect((await run("list", "rules")).stdout).toMatch(/^openai-chat\/call-id +CHAT-7 /m);
    expect((await run("list", "nonsense")).code).toBe(2);
  });
  it("reports to a terminal of 40 columns without tearing words", () => {
    const narrow = "data:text/javascript,Object.assign(process.stdout,{isTTY:true,columns:40})";
    const report = ["test", "--driver", "reference", "--case", "tools/unknown-tool-with", "--variant", "generic"];
    const { stdout } = spawnSync(process.execPath, ["--import", narrow, main, ...report], {
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
    });
    const lines = stdout.split("\n");
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
    expect(lines).toContain("variants: 2 pass");
    expect(stdout).toMatch(/^\d+ requirements kept, none broken; 2 of\n/m);
  });
  it("helps on a terminal of 40 columns without tearing words", () => {
    const narrow = "data:text/javascript,Object.assign(process.stdout,{isTTY:true,columns:40})";
    const { stdout } = spawnSync(process.execPath, ["--import", narrow, main, "learn", "--help"], { encoding: "utf8" });
    expect(stdout).toContain("list every case of");
    const [, ...lines] = stdout.split("\n");
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
  });
  it("helps", async () => {
    const { code, stdout } = await run("--help");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}test +run the conformance suite/m);
  });
  it("shows every option on demand", async () => {
    expect((await run("test", "--help")).stdout).not.toContain("--shard");
    const { code, stdout } = await run("test", "--help", "--all");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/--shard <i\/n>[^]*--split <seed>/)]);
  });
});

describe.concurrent("validate", () => {
  const session = (messages: unknown[]) => ({ spec_version: "1.0", id: "s", messages });
  it("takes what is valid, and says what it took it for", async () => {
    const path = file("good.json", session([{ role: "user", content: "Hi." }]));
    expect(await run("validate", path)).toMatchObject({ code: 0, stdout: `${path}: a valid session\n` });
  });
  it("points at what breaks the schema", async () => {
    const path = file("schema.json", session([{ role: "user", content: 5 }]));
    expect(await run("validate", path)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/schema\.json#\/messages\/0\/content: expected/) as unknown,
    });
  });
  it("knows the rules beyond the schema", async () => {
    const path = file("pairing.json", [
      { role: "user", content: "Hi." },
      { type: "tool_call", id: "a", name: "look", input: {} },
      { role: "user", content: "Well?" },
    ]);
    expect(await run("validate", path)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/pairing\.json#\/\d: SESSION-6: /) as unknown,
    });
  });
  it("reads events, one per line, and their grammar", async () => {
    const path = file(
      "events.ndjson",
      '{"type":"run_start","seq":0,"session_id":"s","agent":"main"}\n{"type":"turn_start","seq":1,"turn":1}\n',
    );
    expect(await run("validate", path)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/EVENT-2: the last event is turn_start/) as unknown,
    });
  });
  const event = { type: "message", seq: 1, turn: 0, message: { role: "user", content: "Go on." } };
  const result = {
    ...{ status: "completed", turns: 0, tool_calls: 0, agent: "main", final_text: "", stop_reason: null },
    ...{ raw_stop_reason: null, usage_by_model: {}, steps: [] },
    usage: {
      ...{ input_tokens: null, output_tokens: null, cache_read_tokens: null },
      ...{ cache_write_tokens: null, reasoning_tokens: null },
    },
  };
  const events = [
    { type: "run_start", seq: 0, session_id: "s", agent: "main" },
    event,
    { type: "run_end", seq: 2, result },
  ];
  const lines = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
  it("names the line of an event, whatever is wrong with it", async () => {
    const swapped = file("swapped.jsonl", lines([events[0], events[2], event]));
    expect((await run("validate", swapped)).stdout).toBe(`${swapped}:2: EVENT-3: seq is 2 where 1 follows\n`);
    const invalid = file("invalid.jsonl", `${lines([events[0], { ...event, turn: -1 }])}\n\n{"type":`);
    expect(await run("validate", invalid)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/:2#\/turn: expected.*\n.*:4: this line is not JSON/) as unknown,
    });
    const list = file("list.json", [...events, events[0]]);
    expect((await run("validate", list)).stdout).toMatch(/#\/3: EVENT-2: the last event is run_start, not run_end/);
    const alone = file("alone.jsonl", lines([events[0]]));
    expect((await run("validate", alone)).stdout).toMatch(/:1: EVENT-2: /);
    const limited = lines([events[0], { type: "run_end", seq: 1, result: { ...result, status: "max_turns" } }]);
    const unsaid = file("unsaid.jsonl", limited);
    expect((await run("validate", unsaid)).code).toBe(0);
    expect((await run("validate", unsaid, "--feature", "limits")).stdout).toMatch(/:2: EVENT-15: /);
  });
  it("takes several runs one after another, and rebuilds the session from them", async () => {
    const twice = file("twice.jsonl", lines([...events, ...events]));
    const before = file("before.json", session([]));
    const after = file("after.json", session([event.message, event.message]));
    expect(await run("validate", twice, "--before", before, "--after", after)).toMatchObject({
      code: 0,
      stdout: `${twice}: a valid list of events\n${twice}: rebuilds ${after} from ${before}, byte for byte\n`,
    });
    const other = file("other.json", session([event.message]));
    expect(await run("validate", twice, "--before", before, "--after", other)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/EVENT-10: what they rebuild is not .*other\.json: \/messages\/1 /) as unknown,
    });
    const turned = file("turned.json", session([event.message, { content: "Go on.", role: "user" }]));
    const { stdout } = await run("validate", twice, "--before", before, "--after", turned);
    expect(stdout).toMatch(/with its keys in another order\n$/);
    const foreign = file("foreign.json", { ...session([]), id: "t" });
    expect((await run("validate", twice, "--before", foreign, "--after", after)).stdout).toMatch(
      /events of the session s, but .*foreign\.json is t/,
    );
  });
  it("exits 2 where the sessions of events cannot be used", async () => {
    const path = file("fine.jsonl", lines(events));
    const good = file("fine.json", session([]));
    expect((await run("validate", path, "--before", good)).code).toBe(2);
    expect((await run("validate", good, "--before", good, "--after", good)).code).toBe(2);
    expect((await run("validate", path, path, "--before", good, "--after", good)).code).toBe(2);
    expect((await run("validate", path, "--before", path, "--after", good)).code).toBe(2);
    expect((await run("validate", path, "--feature", "telepathy")).code).toBe(2);
  });
  it("checks a case file with line and column", async () => {
    const path = file("case.yaml", "title: x\n");
    expect(await run("validate", path)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/case\.yaml:1:1 is missing "since"/) as unknown,
    });
  });
  it("holds a request against the rules of a provider, without its headers", async () => {
    const call = { type: "function_call", call_id: "c1", name: "look", arguments: "{}" };
    const result = { type: "function_call_output", call_id: "c1", output: "Seen." };
    const good = file("good-request.json", { model: "m", input: [call, result] });
    const bad = file("bad-request.json", { model: "m", input: [call] });
    const provider = ["--provider", "openai-responses"];
    expect(await run("validate", ...provider, good)).toEqual({
      code: 0,
      stdout: `${good}: a request that keeps the rules of openai-responses\n`,
      stderr: "",
    });
    const { code, stdout } = await run("validate", ...provider, good, bad);
    expect(code).toBe(1);
    const [, what, why, note, where] = stdout.split("\n");
    expect(what).toBe(`${bad}: openai-responses/calls-answered: no tool output found for function call c1`);
    expect(why).toMatch(/^ {2}Each call is answered .* \(SESSION-6, status 400\)$/);
    expect(note).toMatch(/^ {2}DeepSeek's server /);
    expect(where).toMatch(/^ {2}https:\/\//);
    expect((await run("validate", "--provider", "openai-chat", bad)).stdout).toMatch(/openai-chat\/messages: /);
    expect(await run("validate", "--provider", "acme", good)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--provider acme is not known; known: anthropic-messages, /) as unknown,
    });
    expect((await run("validate", ...provider, "--type", "case", good)).code).toBe(2);
  });
  it("exits 2 where it cannot tell what a file is, or cannot read it", async () => {
    expect((await run("validate", file("what.json", { a: 1 }))).code).toBe(2);
    expect((await run("validate", join(folder, "not-there.json"))).code).toBe(2);
    expect((await run("validate", file("broken.json", "{"))).code).toBe(2);
  });
});
