// Installs the packed package into an empty project, and uses it there as its users do; on the oldest version of Node, too.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fixture } from "../../schemas/types.ts";
import { startUpstream } from "../traffic/testing/upstream.ts";
import { deadLinks } from "./dead-links.ts";
import { checkPacked } from "./packed.ts";
import { root } from "./schema-files.ts";

const oldestMajor = "22";
const maxPackages = 15;
/** What importing the root may cost, as a part of what starting Node costs: times alone differ from machine to machine. */
const mostOfStart = 1.2;

const folder = mkdtempSync(join(tmpdir(), "pack-"));
const project = join(folder, "project");
const own = process.execPath;
/** By major version. */
const nodes = { [oldestMajor]: join(folder, "node22/node_modules/node/bin/node"), "24": own };

let archive = "";

beforeAll(() => {
  run("npm", ["pack", "--pack-destination", folder], root);
  archive = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  run("npm", ["install", "--no-audit", "--no-fund", join(folder, archive)], project);

  const node22 = join(folder, "node22");
  mkdirSync(node22);
  writeFileSync(join(node22, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
  run("npm", ["install", "--no-audit", "--no-fund", `node@${oldestMajor}`], node22);
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`an install adds at most ${maxPackages} packages`, () => {
  const { packages } = JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8")) as {
    packages: object;
  };
  const names = Object.keys(packages).map((path) => path.replace("node_modules/", ""));
  expect(names.length, names.join(", ")).toBeLessThanOrEqual(maxPackages);
});

test.each(["publint", "attw"])("%s finds nothing wrong with the package", { timeout: 120_000 }, (program) => {
  const [command, args] = checkPacked(join(folder, archive)).find(([path]) => path.endsWith(`/${program}`))!;
  run(command, args);
});

test("every page that README leads to is in the package, and so is what those link to", () => {
  expect(deadLinks(join(project, "node_modules/agent-loop-spec"))).toEqual([]);
});

test("the API reference has every export, each requirement with its sentence, and so has the text of an editor", () => {
  const installed = join(project, "node_modules/agent-loop-spec");
  const api = readFileSync(join(installed, "dist/api.md"), "utf8");
  const [, ofRoot = ""] = /\n## agent-loop-spec\n([^]*?)\n## /.exec(api) ?? [];
  const names = program(own, `console.log(Object.keys(await import("agent-loop-spec")).join(" "));`);
  const all = names.trim().split(" ");
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter((name) => !ofRoot.includes(`\n### ${name}\n`))).toEqual([]);
  const bare = /@see [A-Z]+-\d+(?![:\d])/;
  expect(api).not.toMatch(bare);
  expect(readFileSync(join(installed, "dist/reference/run/run.d.ts"), "utf8")).not.toMatch(bare);
  expect(deadLinks(installed, "dist/api.md")).toEqual([]);
});

test("an example and a step of the tour run where the package is installed", () => {
  const dist = join(project, "node_modules/agent-loop-spec/dist");
  expect(run(process.execPath, [join(dist, "reference/examples/weather.js")])).toMatch(/^completed after 2 turns/m);
  const tour = [join(project, "node_modules/.bin/agent-loop-spec"), "tour"];
  expect(run(process.execPath, tour)).toMatch(/^10\. .*10-approve-and-resume\/README\.md$/m);
  expect(run(process.execPath, [...tour, "3"])).toMatch(/\S/);
  expect(run(process.execPath, [...tour, "4", "diff"])).toContain("+async function agentLoop(");
});

/** What is handed on to people as TypeScript: skeletons, starters, what `eject` copies, and what is there to be read. */
const handedOn =
  /^(conformance\/(templates|starters|eject|peers|teaching\/tour)|reference)\/|^schemas\/types(\/\w+)?\.ts$/;

/** What pages link to, beside what is handed on. */
const linkedSources = new Set([
  "conformance/drivers/wire/door.ts",
  "conformance/matrix/standalone.ts",
  "conformance/traffic/record/recorder.ts",
  "conformance/traffic/replay/tape.ts",
]);

test("the package has no tests, no development scripts, and no sources but those that it hands on", () => {
  const shipped = readdirSync(join(project, "node_modules/agent-loop-spec"), { recursive: true, encoding: "utf8" });
  expect(shipped.filter((path) => /\.test\.|(^|\/)testing\//.test(path))).toEqual([]);
  const notToShip = /\.test\.|(^|\/)(dev|testing)\/|(^|\/)test_|__pycache__|(?<!\.d)\.ts$/;
  expect(shipped.filter((path) => notToShip.test(path) && !handedOn.test(path) && !linkedSources.has(path))).toEqual(
    [],
  );
  expect(shipped).toContain("SECURITY.md");
});

test("npx alone records: nothing is installed where it is run, and help says so", { timeout: 300_000 }, async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  writeFileSync(join(empty, "ask.mjs"), ask);
  await using host = await startUpstream((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  // One npx runs them all: it installs the archive each time, which takes longer than everything else.
  const { code, output } = await npxIn(empty, [
    "--yes",
    "--package",
    join(folder, archive),
    "-c",
    `
    agent-loop-spec --help && agent-loop-spec record --help &&
    agent-loop-spec record -o recorded.json --upstream openai=${host.url} -- "${process.execPath}" ask.mjs &&
    agent-loop-spec replay recorded.json -- "${process.execPath}" ask.mjs`,
  ]);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/Hello\.[^]*1 exchange recorded[^]*Hello\.[^]*replayed, 1 of 1/),
  });
  expect(output).toMatch(/^ {2}record /m);
  // The registry does not have the name yet: what help prints can be copied into the same folder.
  expect(output).toContain(`npx --package ${join(folder, archive)} agent-loop-spec record -o `);
  const { origin, exchanges } = JSON.parse(readFileSync(join(empty, "recorded.json"), "utf8")) as Fixture;
  expect([origin, exchanges[0]!.request!.body, exchanges[0]!.response.body]).toEqual(["recorded", question, answer]);
  // The host was not asked again: the fixture answered.
  expect(host.requests).toHaveLength(1);
  expect(readdirSync(empty).toSorted()).toEqual(["ask.mjs", "recorded.json"]);
});

test("it records without anything else", () => {
  const command = join(project, "node_modules/.bin/agent-loop-spec");
  const args = [command, "record", "-o", "recorded.json", "--", process.execPath, "-e", "0"];
  const { stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8", timeout: 100_000 });
  expect(stderr).toMatch(/nothing was recorded. Does the program use the base URL/);
});

test("the core can be ejected, and the copy passes", { timeout: 120_000 }, () => {
  const command = join(project, "node_modules/.bin/agent-loop-spec");
  run(process.execPath, [command, "eject", "loop"]);
  expect(run(process.execPath, [command, "test", "--driver", "loop", "--case", "tools/"])).toContain("none failed");
});

test.each(["nodenext", "preserve"])("its types work in a strict project with modules %s", (module) => {
  writeFileSync(join(project, "consumer.ts"), consumer);
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2024"];
  run(join(root, "node_modules/.bin/tsc"), [
    ...flags,
    "--lib",
    "es2024,dom",
    "--types",
    "",
    "--module",
    module,
    "consumer.ts",
  ]);
});

describe.each(Object.entries(nodes))("on Node %s", (major, node) => {
  test("is this version", () => {
    expect(run(node, ["--version"])).toMatch(new RegExp(`^v${major}\\.`));
  });

  test("the root, a provider, the kit and a schema can be imported", () => {
    expect(
      program(
        node,
        `import { agentLoop, defineTool } from "agent-loop-spec";
         import { replay } from "agent-loop-spec/providers/replay";
         import { openTape } from "agent-loop-spec/replay";
         import * as kit from "agent-loop-spec/conformance";
         import schema from "agent-loop-spec/schemas/session.schema.json" with { type: "json" };
         console.log(typeof agentLoop, typeof defineTool, typeof replay, typeof openTape, Object.keys(kit).length > 0, schema.title);`,
      ),
    ).toBe("function function function function true Session\n");
  });

  test("both commands answer --help", () => {
    for (const command of ["agent-loop", "agent-loop-spec"]) {
      const file = join(project, "node_modules/.bin", command);
      expect(existsSync(file)).toBe(true);
      expect(run(node, [file, "--help"])).toMatch(/Usage: /);
    }
  });

  test("the track is there, with its starters, and examines one", () => {
    const command = join(project, "node_modules/.bin/agent-loop-spec");
    const loop = `loop-on-${major}`;
    expect(run(node, [command, "learn", "start", loop, "--lang", "typescript"])).toContain("learn 1");
    expect(run(node, [command, "learn", "5", "--reference"])).toMatch(/export async function agentLoop\(/);
    expect(() => run(node, [command, "test", "--driver", loop, "--stage", "1"])).toThrow(
      /You are at stage 1, Shake hands/,
    );
    expect(existsSync(join(project, loop, "agent-loop-progress.json"))).toBe(true);
  });

  test("a report becomes a page, made of the built modules", () => {
    expect(program(node, reportPage)).toMatch(
      /^<!doctype html>[^]*<style>[^]*modules\["page\/main"\] = [^]*<\/html>\n$/,
    );
  });

  test("the loop runs where code generation is forbidden", () => {
    expect(program(node, tinyRun, ["--disallow-code-generation-from-strings"])).toBe("completed 18 °C.\n");
  });

  test("a variant of a provider says what it needs, where there is no SDK", () => {
    const command = join(project, "node_modules/.bin/agent-loop-spec");
    expect(() => run(node, [command, "repro", "stop/end-turn-text", "openai-chat/json"])).toThrow(
      /npm install @anthropic-ai\/sdk openai\. Or name a driver that needs none/,
    );
  });

  test("a name is explained, and a planted fault is asked for", () => {
    const command = (...args: string[]) => run(node, [join(project, "node_modules/.bin/agent-loop-spec"), ...args]);
    expect(command("explain", "LOOP-9")).toMatch(
      /For example[^]*Real bugs[^]*core\/stop-table\.[jt]s:\d+ {2}stopTable/,
    );
    expect(command("explain", "tool_end")).toMatch(/For example: \{"type":"tool_end"/);
    expect(command("quiz", "executes-calls-of-a-full-window", "--answer", "LOOP-9")).toMatch(/^\nRight: LOOP-9\./);
  });

  test("the kit finds its cases, and validates them", () => {
    expect(Number(program(node, suiteSize))).toBeGreaterThan(0);
  });
});

test(`importing the root takes at most ${mostOfStart} times the processor time that starting Node takes`, () => {
  const spend = (code: string) =>
    Number(program(own, `${code} const { user, system } = process.cpuUsage(); console.log(user + system);`));
  const rounds = Array.from({ length: 9 }, () => [spend(""), spend(`await import("agent-loop-spec");`)] as const);
  // The best of several: what else the machine does only adds to it.
  const bare = Math.min(...rounds.map(([start]) => start));
  const ratio = Math.min(...rounds.map(([, imported]) => imported)) / bare - 1;
  console.log(`import of the root: ${ratio.toFixed(2)} of starting Node`);
  expect(ratio).toBeLessThanOrEqual(mostOfStart);
});

const question = { model: "gpt-4.1", messages: [{ role: "user", content: "Say hello." }] };
const answer = {
  id: "chatcmpl-1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }],
};

/** A program that knows nothing but the base URL of its environment. */
const ask = `
  const headers = { "content-type": "application/json", authorization: "Bearer none" };
  const body = ${JSON.stringify(JSON.stringify(question))};
  const answered = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", headers, body });
  console.log((await answered.json()).choices[0].message.content);`;

const consumer = `
  import { agentLoop, defineTool, type Message, type Provider } from "agent-loop-spec";
  import { replay } from "agent-loop-spec/providers/replay";
  const tool = defineTool({
    name: "get_weather",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    execute: async ({ city }) => city.toUpperCase(),
  });
  export function say(provider: Provider, messages: Message[]): Promise<string> {
    const run = agentLoop({ session: { spec_version: "1.0", id: "s", messages }, provider, tools: [tool] });
    return run.result.then(({ final_text }) => final_text);
  }
  export const text = (message: Message): string => (message.role === "assistant" ? message.content : "");
  export const name = (message: Message) => (message.type === "tool_call" ? message.name : undefined);
  export const scripted = (fixture: Parameters<typeof replay>[0]): Provider => replay(fixture);`;

const tinyRun = `
  import { agentLoop, defineTool } from "agent-loop-spec";
  const tool = defineTool({
    name: "get_weather",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    execute: async ({ city }) => (city === "Paris" ? "18 °C." : "?"),
  });
  const answers = [
    { messages: [{ type: "tool_call", id: "1", name: "get_weather", input: { city: "Paris" } }], stop_reason: "tool_use" },
    { messages: [{ role: "assistant", content: "18 °C." }], stop_reason: "end_turn" },
  ];
  const provider = { name: "scripted", invokeModel: async () => answers.shift() };
  const session = { spec_version: "1.0", id: "s", messages: [{ role: "user", content: "Weather in Paris?" }] };
  const { status, final_text } = await agentLoop({ session, provider, tools: [tool] }).result;
  console.log(status, final_text);`;

const reportPage = `
  import { loadSuite } from "agent-loop-spec/conformance";
  import { htmlReporter } from "./node_modules/agent-loop-spec/dist/conformance/reporters/html.js";
  const verdicts = ["pass", "fail", "expected-fail", "unexpected-pass", "unsupported", "not-applicable", "not-run", "harness-error"];
  const totals = Object.fromEntries(["selected", ...verdicts].map((verdict) => [verdict, 0]));
  const report = { kit: "0", spec: "1", driver: "x", started_at: new Date().toISOString(), duration_ms: 1, totals, variants: [] };
  htmlReporter({ suite: await loadSuite(), write: (text) => process.stdout.write(text) }).end(report);`;

const suiteSize = `
  import { loadSuite } from "agent-loop-spec/conformance";
  console.log((await loadSuite()).cases.length);`;

function program(node: string, code: string, flags: string[] = []): string {
  const file = join(project, `program-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(file, code);
  return run(node, [...flags, file], project);
}

/** Runs npx with a cache of its own, so that nothing which was installed before helps it. */
function npxIn(cwd: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, npm_config_cache: join(folder, "npm-cache"), npm_config_update_notifier: "false" };
  const child = spawn("npx", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (output += bytes.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

function run(command: string, args: string[], cwd = project): string {
  try {
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: "pipe", timeout: 150_000 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
