// That no command writes a secret to the disk: recorder, reports, pages, imports and kept folders, each run as a user runs it, with
// secrets in everything that passes through; also where it is killed in the middle.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { made } from "../traffic/testing/planted.ts";
import { startUpstream } from "../traffic/testing/upstream.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const lab = mkdtempSync(join(tmpdir(), "agent-loop-lab-"));
afterAll(() => rmSync(lab, { recursive: true }));

/** A key of a known shape, and a password that only its name gives away. */
const key = `sk-ant-api03-${made(60)}`;
const password = `q7${made(16)}`;
const given = { LAB_VALUE: key, LAB_PASSWORD: password };
const long = 180_000;

/** A folder of its own for a command. */
function ownFolder(): string {
  return mkdtempSync(join(lab, "run-"));
}

interface Run {
  child: ChildProcess;
  ended: Promise<{ code: number | null; printed: string }>;
}

/** Runs a command in a folder, with the secrets in its environment. */
function start(cwd: string, ...args: string[]): Run {
  // `--update` is refused where CI says that nobody is there.
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { ...process.env, CI: "", ...given } });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return { child, ended: new Promise((resolve) => child.on("close", (code) => resolve({ code, printed }))) };
}

/** Every place of a folder where a part of a secret stands: in a name, as it is, or encoded. */
function leaksIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const texts = [path, ...readings(readFileSync(path))];
    return parts.filter((part) => texts.some((text) => text.includes(part))).map((part) => `${part} in ${path}`);
  });
}

const parts = [key.slice(13, 40), key.slice(40), password];

/** What a file says: as it is, and what its base64 and its compressed bytes stand for. */
function readings(bytes: Buffer, nested = 2): string[] {
  const text = bytes.toString("latin1");
  const encoded = nested > 0 ? [...text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/g)].map(([run]) => run) : [];
  const inner = encoded.flatMap((run) => readings(Buffer.from(run, "base64"), nested - 1));
  return [text, ...unzipped(bytes), ...inner];
}

function unzipped(bytes: Buffer): string[] {
  try {
    return [gunzipSync(bytes).toString("latin1")];
  } catch {
    return [];
  }
}

/** What a program says to its model, as the options of `fetch`; `key` and `password` are there. */
const sent: readonly [place: string, path: string, options: string][] = [
  ["an environment that the program prints", "/chat/completions", `{ body: ask(JSON.stringify(process.env)) }`],
  [
    "a form of several parts",
    "/files",
    `{ body: form({ purpose: key, file: new Blob([password], { type: "text/plain" }) }) }`,
  ],
  ["the name of a file", "/files", `{ body: form({ file: new File(["x"], key + ".txt") }) }`],
  [
    "base64 in JSON",
    "/chat/completions",
    `{ body: ask(btoa(JSON.stringify({ key, password: "LAB_PASSWORD=" + password }))) }`,
  ],
  [
    "gzip",
    "/chat/completions",
    `{ headers: { "content-encoding": "gzip" }, body: zlib.gzipSync(ask(key + password)) }`,
  ],
  [
    "br",
    "/chat/completions",
    `{ headers: { "content-encoding": "br" }, body: zlib.brotliCompressSync(ask(key + " " + password)) }`,
  ],
  ["the query", "/chat/completions?key=KEY&q=PASSWORD", `{ body: ask("x") }`],
  ["the path", "/files/KEY/PASSWORD", `{ method: "GET" }`],
  ["cookies", "/chat/completions", `{ headers: { cookie: "s=" + key + "; t=" + password }, body: ask("x") }`],
  [
    "the user of an address",
    "/chat/completions",
    `{ body: ask("https://joe:" + password + "@example.com and https://" + key + "@example.com") }`,
  ],
  [
    "the error of a tool",
    "/chat/completions",
    `{ body: ask(new Error("no access with " + key).stack + " LAB_PASSWORD=" + password) }`,
  ],
  ["YAML", "/chat/completions", `{ body: ask("auth:\\n  password: " + password + "\\n  key: " + key + "\\n") }`],
  ["a picture", "/chat/completions", `{ body: ask("data:image/png;base64," + btoa("\\x89PNG" + key + password)) }`],
  ["letters one by one", "/chat/completions", `{ body: ask([...key].join("\\u200b") + [...password].join(" ")) }`],
  [
    "an upgrade",
    "/realtime",
    `{ method: "GET", headers: { "sec-websocket-protocol": "openai-insecure-api-key." + key } }`,
  ],
];

/** A program that says one of them, prints what it knows, and crashes with it. */
function programOf(place: string): string {
  const [, path, options] = sent.find(([name]) => name === place)!;
  const address = JSON.stringify(path).replace("KEY", `" + key + "`).replace("PASSWORD", `" + password + "`);
  return `
    const { LAB_VALUE: key, LAB_PASSWORD: password, OPENAI_BASE_URL: base } = process.env;
    const zlib = process.getBuiltinModule("node:zlib");
    const ask = (content) => JSON.stringify({ model: "gpt-4.1", messages: [{ role: "user", content }] });
    const form = (fields) => Object.entries(fields).reduce((all, [name, value]) => (all.append(name, value), all), new FormData());
    const answer = await fetch(base + ${address}, { method: "POST", ...${options} });
    await answer.text().catch(() => "");
    throw new Error(key + password);`;
}

/** A host whose answers have the secrets in them: in headers, in an error, or in a stream where they are split. */
const startHost = () =>
  startUpstream(({ path }, response) => {
    const headers = { "x-ratelimit-reset": key, "set-cookie": `s=${password}`, "www-authenticate": `Bearer ${key}` };
    if (path.includes("files"))
      return response.writeHead(400, headers).end(`no access with ${key}, LAB_PASSWORD=${password}`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const secret of [key, password])
      for (const piece of [secret.slice(0, 9), secret.slice(9)])
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: piece } }] })}\n\n`);
    return response.end("data: [DONE]\n\n");
  });

const modes: [string, string[]][] = [
  ["with --redact", ["--redact"]],
  ["without", []],
];
const places = sent.map(([place]) => place);

describe.each(modes)("record %s", (_, mode) => {
  test.each(places)("writes no secret in %s", { timeout: long }, async (place) => {
    const folder = ownFolder();
    await using host = await startHost();
    const reports = reporters("record");
    const own = ["record", "--out", "f.json", "--upstream", `openai=${host.url}`, ...mode, "--audit", ...reports];
    const { printed } = await start(folder, ...own, "--", process.execPath, "-e", programOf(place)).ended;
    expect(leaksIn(folder)).toEqual([]);
    expect(host.requests).toHaveLength(1);
    expect(printed).toMatch(/was found in the|not recorded/);
  });

  test("leaves nothing of a secret when it is killed while it passes", { timeout: long }, async () => {
    const folder = ownFolder();
    await using host = await startUpstream((_received, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const text of [key.slice(0, 30), key.slice(30, 60), "z ".repeat(200_000)])
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`);
    });
    const program = `
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: process.env.LAB_VALUE }] });
      const answer = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body });
      let bytes = 0;
      for await (const chunk of answer.body) if ((bytes += chunk.length) > 400_000) console.log("most of it");`;
    const own = ["record", "--out", "f.json", "--upstream", `openai=${host.url}`, ...mode];
    const { child, ended } = start(folder, ...own, "--", process.execPath, "-e", program);
    child.stdout!.once("data", () => child.kill("SIGKILL"));
    await ended;
    expect(leaksIn(folder)).toEqual([]);
    expect(existsSync(join(folder, "f.json"))).toBe(false);
  });
});

/** A recording of somebody who asked something else, so that everything which a program asks now is new. */
const former = {
  fixture: 1,
  origin: "recorded",
  recorded: { date: "2026-01-31", recorder: "test" },
  exchanges: [
    {
      provider: "openai-chat",
      request: { method: "POST", path: "/v1/chat/completions", body: { model: "m", messages: [] } },
      response: { status: 200, body: { choices: [] } },
    },
  ],
};

describe.each(modes)("replay --update %s", (_, mode) => {
  const begin = (url: string) => {
    const folder = ownFolder();
    writeFileSync(join(folder, "f.json"), JSON.stringify(former));
    return { folder, own: ["replay", "f.json", "--update", "--upstream", `openai=${url}`, ...mode, "--"] };
  };

  test.each(places)("writes no secret in %s", { timeout: long }, async (place) => {
    await using host = await startHost();
    const { folder, own } = begin(host.url);
    const { printed } = await start(folder, ...own, process.execPath, "-e", programOf(place)).ended;
    expect(leaksIn(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual(["f.json"]);
    expect(host.requests).toHaveLength(1);
    expect(printed).toMatch(/was found in the|not recorded/);
  });

  test("leaves nothing of a secret when it is killed, and the fixture as it was", { timeout: long }, async () => {
    await using host = await startHost();
    const { folder, own } = begin(host.url);
    const program = `
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: process.env.LAB_VALUE }] });
      const answer = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body }).catch(() => {});
      await answer?.text().catch(() => {});
      console.log("it was answered");
      process.stdin.resume();`;
    const { child, ended } = start(folder, ...own, process.execPath, "-e", program);
    // What is killed cannot end its program: that ends with its input.
    child.once("exit", () => child.stdin!.end());
    child.stdout!.once("data", () => child.kill("SIGKILL"));
    await ended;
    expect(leaksIn(folder)).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, "f.json"), "utf8"))).toEqual(former);
  });
});

/** Every reporter that writes a file. */
function reporters(name: string): string[] {
  const all = ["json", "junit", "html", "tap", "ctrf", "github", "badge"];
  return all.flatMap((reporter) => ["--reporter", `${reporter}=${name}.${reporter}`]);
}

/** Somebody else's fixture, with the secrets in all that is quoted of it. */
const foreign = {
  fixture: 1,
  origin: "crafted",
  why: `made to be quoted, with ${key}`,
  exchanges: [
    {
      provider: "openai-chat",
      request: {
        method: "POST",
        path: "/v1/chat/completions",
        body: {
          model: "gpt-4.1",
          messages: [
            { role: "user", content: `use ${key}` },
            { role: "tool", tool_call_id: `call_${key}`, content: `LAB_PASSWORD=${password}` },
          ],
          tools: [{ type: "function", function: { name: key, parameters: { type: "object" } } }],
        },
      },
      response: { status: 400, body: { error: { message: `wrong key: ${key}, password=${password}` } } },
    },
  ],
};

describe("what is made of a fixture that has secrets", { timeout: long }, () => {
  const begin = () => {
    const folder = ownFolder();
    const file = join(ownFolder(), "f.json");
    writeFileSync(file, JSON.stringify(foreign));
    return { folder, file };
  };

  test("has none of them in the reports of audit, nor in what it prints", async () => {
    const { folder, file } = begin();
    const { printed } = await start(folder, "audit", file, ...reporters("audit"), "--reporter", "pretty").ended;
    expect(leaksIn(folder)).toEqual([]);
    expect(parts.filter((part) => printed.includes(part))).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(7);
  });

  test("has none of them in the page of show", async () => {
    const { folder, file } = begin();
    await start(folder, "show", file, "--html", "page.html").ended;
    expect(leaksIn(folder)).toEqual([]);
    expect(readFileSync(join(folder, "page.html"), "utf8")).toContain("wrong key");
  });

  test("has none of them in the verdict of replay", async () => {
    const { folder, file } = begin();
    const { printed } = await start(folder, "replay", file, "--", process.execPath, "-e", programOf("YAML")).ended;
    const verdict = printed.slice(printed.indexOf("differs from"));
    expect(verdict).toContain("recorded");
    // What the program itself prints is its own: here, the error of which it dies.
    expect(parts.filter((part) => verdict.replaceAll(`${key}${password}`, "").includes(part))).toEqual([]);
  });
});

describe("what copies a fixture that has secrets", { timeout: long }, () => {
  test.each([
    ["export-har", ["export-har", "f.json", "--out", "made.json"]],
    ["convert", ["convert", "f.json", "--to", "anthropic-messages", "--output", "made.json"]],
    ["normalize", ["normalize", "f.json"]],
  ])("is %s, which says so, and scan finds them in what it made", async (command, args) => {
    const folder = ownFolder();
    writeFileSync(join(folder, "f.json"), JSON.stringify(foreign));
    expect((await start(folder, command, "--help").ended).printed).toMatch(
      /copied as it stands[^]*agent-loop-spec scan/,
    );
    await start(folder, ...args).ended;
    expect(leaksIn(folder)).not.toEqual([]);
    const { code, printed } = await start(folder, "scan", args.includes("made.json") ? "made.json" : "f.json").ended;
    expect([code, printed]).toEqual([1, expect.stringMatching(/\.json:\d+ .*key/i)]);
    expect(parts.filter((part) => printed.includes(part))).toEqual([]);
  });
});

/** What other tools keep of one exchange. */
const cassettes: Record<string, string> = {
  "cassette.yaml": `interactions:
- request:
    method: POST
    uri: https://joe:${password}@api.openai.com/v1/chat/completions?key=${key}
    headers: {Authorization: ['Bearer ${key}'], Cookie: ['s=${key}']}
    body: '{"model":"m","messages":[{"role":"user","content":"${key}"}]}'
  response:
    status: {code: 200, message: OK}
    headers: {content-encoding: [gzip], content-type: [application/json], set-cookie: ['s=${key}'], x-ratelimit-reset: ['${key}']}
    body: {string: !!binary ${gzipSync(`{"id":"x","text":"${key}"}`).toString("base64")}}
version: 1
`,
  "binary.yml": `http_interactions:
- request:
    method: post
    uri: https://api.openai.com/v1/chat/completions
    body: {encoding: UTF-8, string: !binary ${Buffer.from(`{"messages":[{"role":"user","content":"${key}"}]}`).toString("base64")}}
    headers: {Authorization: ['Bearer ${key}']}
  response:
    status: {code: 200, message: OK}
    headers: {Set-Cookie: ['s=${key}']}
    body: {encoding: UTF-8, string: '{"say":"LAB_PASSWORD=${password}"}'}
`,
  "traffic.har": JSON.stringify({
    log: {
      version: "1.2",
      creator: { name: "x", version: "1" },
      entries: [
        {
          startedDateTime: "2026-01-31T00:00:00.000Z",
          time: 1,
          request: {
            method: "POST",
            url: `https://api.openai.com/v1/chat/completions?code=${key}`,
            headers: [{ name: "Authorization", value: `Bearer ${key}` }],
            cookies: [{ name: "s", value: key }],
            postData: {
              mimeType: "application/json",
              text: `{"model":"m","messages":[{"role":"user","content":"${key}"}]}`,
            },
          },
          response: {
            status: 200,
            headers: [{ name: "set-cookie", value: key }],
            content: {
              mimeType: "application/json",
              encoding: "base64",
              text: Buffer.from(`{"a":"${key}"}`).toString("base64"),
            },
          },
        },
      ],
    },
  }),
  "pairs.json": JSON.stringify([
    {
      request: { method: "POST", url: "https://api.openai.com/v1/chat/completions", body: { messages: [], user: key } },
      response: { status: 200, body: { say: `password=${password}`, key } },
    },
  ]),
};

describe.each(modes)("import %s", (_, mode) => {
  test.each(Object.keys(cassettes))("writes no secret of %s", { timeout: long }, async (name) => {
    const folder = ownFolder();
    const file = join(ownFolder(), name);
    writeFileSync(file, cassettes[name]!);
    const { printed } = await start(folder, "import", file, "--out", "f.json", ...mode).ended;
    expect(leaksIn(folder)).toEqual([]);
    expect(parts.filter((part) => printed.includes(part))).toEqual([]);
    expect(printed).toMatch(/was found|replaced|cannot be replaced/);
  });
});

/** An agent that says and prints the secrets that it was given, and crashes with one of them. */
const talker = `
  const { LAB_VALUE: key, LAB_PASSWORD: password, OPENAI_BASE_URL: base } = process.env;
  const parameters = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
  const tools = [{ type: "function", function: { name: "shell", description: key, parameters } }];
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: process.argv.at(-1) + key + " " + password }], tools });
  const answer = await fetch(base + "/chat/completions", { method: "POST", body });
  console.log(key, password, await answer.text());
  if (process.argv.includes("stay")) await new Promise(() => setInterval(() => console.log(key), 50));
  throw new Error(key);`;

describe("probe", { timeout: long }, () => {
  const scenarios = ["tools/once", "network/rate-limit", "secrets/key-of-somebody"].flatMap((name) => [
    "--scenario",
    name,
  ]);
  const own = ["probe", ...scenarios, "--env", "LAB_VALUE", "--env", "LAB_PASSWORD", "--keep", "kept"];

  test("writes no secret that a program was given into its folders and reports", async () => {
    const folder = ownFolder();
    const reports = [...reporters("probe"), "--reporter", "pretty"];
    const { printed } = await start(folder, ...own, ...reports, "--", process.execPath, "-e", talker, "Hi.").ended;
    expect(leaksIn(folder)).toEqual([]);
    expect(parts.filter((part) => printed.includes(part))).toEqual([]);
    expect(readFileSync(join(folder, "kept", "tools-once", "traffic.json"), "utf8")).toContain("[redacted");
    expect(readFileSync(join(folder, "kept", "tools-once", "output-1.txt"), "utf8")).toContain("[redacted");
  });

  test("leaves none when it is killed", async () => {
    const folder = ownFolder();
    mkdirSync(join(folder, "kept"));
    const { child, ended } = start(folder, ...own, "--", process.execPath, "-e", talker, "Hi.", "stay");
    await until(() => readdirSync(join(folder, "kept")).length > 0);
    child.kill("SIGKILL");
    await ended;
    expect(leaksIn(folder)).toEqual([]);
  });
});

/** A driver that says the secrets wherever a driver can say anything; `how` it goes on is what differs. */
const leakingDriver = (how: string) => `
  import { createInterface } from "node:readline";
  const [key, password] = ${JSON.stringify([key, password])};
  const text = key + " and LAB_PASSWORD=" + password;
  const how = ${JSON.stringify(how)};
  const unknown = { input_tokens: null, output_tokens: null, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
  const result = {
    status: "error", error: { kind: "provider_error", message: text }, agent: "main", turns: 0, tool_calls: 0, final_text: text, stop_reason: null,
    raw_stop_reason: text, steps: [], usage: unknown, usage_by_model: {},
  };
  const say = (frame) => console.log(JSON.stringify({ jsonrpc: "2.0", ...frame }));
  const refuse = (id) => say({ id, error: { code: -32000, message: text, data: { stack: text } } });
  const answers = {
    initialize: (id) => how === "refuses to start" ? refuse(id) : say({ id, result: {
      protocol: 1, implementation: { name: "l", version: "1", language: text }, seams: ["generic"], reports: ["session", "result", "events"],
    } }),
    run: (id, { session }) => {
      if (how === "dies") process.exit(3);
      if (how === "talks garbage") return console.log(text);
      if (how === "refuses to run") return refuse(id);
      if (how === "sends what nobody knows") say({ method: text, params: { [text]: text } });
      const messages = [...session.messages, { role: "assistant", content: text }, { type: "tool_call", id: text, name: key, input: { text } }];
      say({ id, result: { session: { ...session, messages }, result } });
    },
    shutdown: (id) => say({ id, result: {} }),
  };
  console.error(text);
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    console.error(method, text);
    answers[method]?.(id, params);
  }`;

describe("test", { timeout: long }, () => {
  const ways = ["answers", "dies", "talks garbage", "refuses to start", "refuses to run", "sends what nobody knows"];

  test.each(ways)("has no secret of a driver that %s in its reports, nor in what it prints", async (how) => {
    const folder = ownFolder();
    const driver = join(ownFolder(), "driver.mjs");
    writeFileSync(driver, leakingDriver(how));
    const own = [
      "test",
      "--driver",
      `${process.execPath} ${driver}`,
      "--case",
      "stop/end-turn-text",
      "--timeout",
      "3000",
    ];
    const { code, printed } = await start(folder, ...own, ...reporters("test"), "--reporter", "pretty").ended;
    expect(leaksIn(folder)).toEqual([]);
    expect(parts.filter((part) => printed.includes(part))).toEqual([]);
    expect(code).not.toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith("test."))).toHaveLength(7);
    expect(printed).toContain("[redacted");
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
