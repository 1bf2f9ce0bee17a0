// The script that grades a folder of submissions, over one that works and four that must not do any harm.

import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import type { TrackScore } from "../../../schemas/types.ts";
import { validate } from "../../kit/base/validate.ts";

const script = fileURLToPath(new URL("grade.sh", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-grade-"));
afterAll(() => rmSync(folder, { recursive: true }));

const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);

/** Why it cannot be tried here; undefined if it can. */
function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return "the script has to be root";
  const probe = "ip link set lo up && mount -t tmpfs none /dev/shm && setpriv --reuid=65534 --clear-groups true";
  const { status, stderr } = spawnSync("unshare", ["--net", "--pid", "--fork", "--mount", "sh", "-c", probe], {
    encoding: "utf8",
  });
  return status === 0 ? undefined : `no sandbox can be made here: ${stderr}`;
}

/** The first stage, with `before` at its beginning. */
const driver = (before = "") => `
import { createInterface } from "node:readline";
${before}
const unknown = { input_tokens: null, output_tokens: null, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
const error = { kind: "invalid_session", message: "nobody has said anything" };
const result = {
  status: "error", error, agent: "main", turns: 0, tool_calls: 0, final_text: "", stop_reason: null, raw_stop_reason: null,
  steps: [], usage: unknown, usage_by_model: {},
};
const answers = {
  initialize: () => ({
    protocol: 1, implementation: { name: "l", version: "1", language: "javascript" }, seams: ["generic"], reports: ["session", "result"],
  }),
  run: ({ session }) => ({ session, result }),
  shutdown: () => ({}),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) }));
}`;

/** Ends itself if it reaches anything outside of its sandbox. */
const snoop = (port: number) => `
import { readdirSync, writeFileSync } from "node:fs";
const reached = [];
const tries = {
  network: () => fetch("http://127.0.0.1:${port}/"),
  score: () => writeFileSync("/tmp/score/score.json", "{}"),
  others: () => { if (readdirSync(${JSON.stringify(join(folder, "submissions"))}).length === 0) throw new Error("hidden"); },
  kit: () => process.kill(1, "SIGKILL"),
  lock: () => writeFileSync("/run/lock/agent-loop-grade", ""),
  results: () => writeFileSync(${JSON.stringify(join(folder, "results", "good", "score.json"))}, "{}"),
};
for (const [name, reach] of Object.entries(tries)) {
  try { await reach(); reached.push(name); } catch {}
}
if (reached.length > 0) throw new Error("reached " + reached);`;

/** Doubles itself once a second, until it may have no more processes, and then goes on trying: it needs no whole processor for that. */
const fork = `
import { spawn } from "node:child_process";
function grow() {
  try { spawn(process.execPath, [process.argv[1]], { stdio: "inherit", detached: true }).on("error", () => {}); } catch {}
  process.stdout.write("flood ".repeat(10_000));
}
grow();
setInterval(grow, 1000);`;

/** Goes on without end, and starts what the kit cannot find: it has nothing of its environment, nor its streams. */
const escape = (mark: string) => `
import { spawn } from "node:child_process";
spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "${mark}"], { detached: true, env: {}, stdio: "ignore" });
setInterval(() => {}, 1000);`;

// How long a machine with much else to do takes for it says nothing: only what hangs reaches this.
const long = 1_200_000;

// One after another: a user may have so many processes, whoever starts them, and one of these takes all.
it("grades each alone, and is harmed by none", { timeout: long }, async (context) => {
  const reason = whyNot();
  if (reason !== undefined) return context.skip(reason);
  let visits = 0;
  const server = createServer((_, response) => {
    visits += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const submissions = {
    good: driver(),
    hanging: "setInterval(() => {}, 1000);",
    forking: fork,
    snooping: driver(snoop(port)),
  };
  for (const [name, text] of Object.entries(submissions)) submit(join(folder, "submissions", name), text);
  symlinkSync(join(folder, "submissions", "good"), join(folder, "submissions", "copycat"));
  const results = join(folder, "results");
  const { code, output } = await grade([join(folder, "submissions"), results, "1"]);
  server.close();
  expect(output, logsIn(results)).toBe(
    [
      "copycat: not examined, because it is a link, and may lead to the work of somebody else",
      "forking: 0 of 1 stages, code 3",
      "good: 1 of 1 stages, code 0",
      "hanging: 0 of 1 stages, code 3",
      "snooping: 1 of 1 stages, code 0",
      "",
    ].join("\n"),
  );
  expect(code).toBe(0);
  expect(visits).toBe(0);
  for (const name of Object.keys(submissions)) {
    const score = JSON.parse(readFileSync(join(results, name, "score.json"), "utf8")) as TrackScore;
    expect(validate("TrackScore", score)).toEqual([]);
    expect(readFileSync(join(results, name, "junit.xml"), "utf8")).toContain('name="stage 1, Shake hands"');
  }
  expect(existsSync(join(results, "copycat"))).toBe(false);
  expect(existsSync("/run/lock/agent-loop-grade")).toBe(false);
  expect(existsSync(join(folder, "submissions/good/agent-loop-progress.json"))).toBe(false);
});

it("ends what goes on for longer than it may, with all that it has started", { timeout: long }, async (context) => {
  const reason = whyNot();
  if (reason !== undefined) return context.skip(reason);
  const submissions = join(folder, "endless");
  const results = join(folder, "endless-results");
  const mark = randomUUID();
  submit(join(submissions, "a"), escape(mark), mark);
  const { code, output } = await grade([submissions, results, "1"], { SECONDS_EACH: "5" });
  // The kit would wait 20 s for the handshake, and end with 3. Whether it can still write its score depends on the machine.
  expect(output, logsIn(results)).toMatch(/^a: (0 of 1 stages|no score), code (124|137)\n$/);
  expect(code).toBe(0);
  expect(running(mark)).toEqual([]);
});

it("says what it needs", async () => {
  expect(await grade([])).toMatchObject({
    code: 2,
    output: expect.stringMatching(/^usage: grade\.sh <submissions>/) as unknown,
  });
  expect((await grade([join(folder, "nowhere"), folder, "1"])).code).toBe(2);
});

/** Makes a submission of a driver; its command ends with the mark. */
function submit(own: string, text: string, ...mark: string[]): void {
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "driver.mjs"), text);
  const manifest = { name: "l", version: "1", command: ["node", "driver.mjs", ...mark] };
  writeFileSync(join(own, "agent-loop.json"), JSON.stringify(manifest));
}

/** What was said about each submission, for whoever has to find out why a line is not the expected one. */
function logsIn(results: string): string {
  const logs = readdirSync(results).map((name) => join(results, name, "log.txt"));
  return logs.map((log) => `${log}:\n${readFileSync(log, "utf8")}`).join("\n");
}

/** The command lines with this mark. */
function running(mark: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(mark));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

/** Runs the script with the limits that it has by itself, but for those that are given. */
function grade(args: string[], limits: Record<string, string> = {}): Promise<{ code: number | null; output: string }> {
  const child = spawn("sh", [script, ...args], { env: { ...process.env, PATH: path, ...limits } });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (output += bytes.toString()));
  // Where the kernel lets no group be made, that is said first.
  const lines = () => output.replace(/^no group of processes .*\n/, "");
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output: lines() })));
}
