// That nothing which is sent to the server ends it, opens a file that it should not, or is taken from a web page.

import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { Fixture, FixtureResponse } from "../../../schemas/types.ts";
import { FixtureFolder } from "./fixture-folder.ts";
import { maxBodyBytes, maxFixtureBytes, maxProblems, maxTapes } from "./server-limits.ts";
import { TapeServer } from "./tape-server.ts";

const servers: TapeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const outside = realpathSync(mkdtempSync(join(tmpdir(), "agent-loop-door-")));
const inside = join(outside, "inside");
mkdirSync(inside);
afterAll(() => rmSync(outside, { recursive: true }));

async function start(named: string[] = []): Promise<TapeServer> {
  const server = await TapeServer.start(0, new FixtureFolder(inside, named));
  servers.push(server);
  return server;
}

interface Answered {
  status: number;
  text: string;
}

/** Sends what `fetch` would not: any header, any path. */
function send(
  server: TapeServer,
  path: string,
  { method = "POST", headers = {}, body = "" }: { method?: string; headers?: object; body?: string } = {},
): Promise<Answered> {
  const { port } = new URL(server.origin);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: "127.0.0.1",
      port,
      path,
      method,
      agent: false,
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers },
    });
    request.on("error", reject).on("response", (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    request.end(body);
  });
}

function fixture(response: FixtureResponse = { status: 200, body: { say: "ok" } }): Fixture {
  const exchanges = [{ provider: "openai-chat", request: null, response }];
  return { fixture: 1, origin: "crafted", why: "test", exchanges };
}

const completions = "/openai/v1/chat/completions";
const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const openTape = (server: TapeServer, body: unknown, headers = {}) =>
  send(server, "/_tapes", { headers, body: typeof body === "string" ? body : JSON.stringify(body) });
const isAlive = async (server: TapeServer) => (await openTape(server, { fixture: fixture() })).status === 201;

describe("a request for a tape that makes no sense", () => {
  const valid = JSON.stringify(fixture());
  test.each(
    [
      ["null", /expected an object such as .*, got null/],
      ["[]", /expected an object such as .*, got an array/],
      ["5", /expected an object such as .*, got a number/],
      ['"x"', /expected an object such as .*, got a string/],
      ["", /expected JSON/],
      ["{}", /fixture: expected the path of a file, or a fixture, got nothing/],
      ['{"fixture":5}', /fixture: expected the path of a file, or a fixture, got a number/],
      ['{"fixture":null}', /fixture: expected .*, got null/],
      [`{"fixture":${valid},"order":5}`, /order: expected "strict" or "any", got 5; leave it out/],
      [`{"fixture":${valid},"order":null}`, /order: expected "strict" or "any", got null/],
      [`{"fixture":${valid},"timing":{"a":1}}`, /timing: expected "fast" or "recorded", got an object/],
      [`{"fixture":${valid},"rules":"no"}`, /rules: expected true or false, got "no"/],
      [`{"fixture":${valid},"repeat":1}`, /repeat: expected true or false, got 1/],
      [`{"fixture":${valid},"__proto__":{}}`, /__proto__ is not known/],
      [deep(8000), /nested deeper than 500 levels/],
      [`{"fixture":${deep(100_000)}}`, /nested deeper than 500 levels/],
      [`{"fixture":${valid.replace('"ok"', deep(8000))}}`, /nested deeper than 500 levels/],
    ].map(([body, message]) => [body!.toString().slice(0, 60), body, message] as [string, string, RegExp]),
  )("is answered with what was expected: %s [REPLAY-15]", async (_what, body, message) => {
    const server = await start();
    const { status, text } = await openTape(server, body);
    expect([status, JSON.parse(text)]).toEqual([400, { error: { message: expect.stringMatching(message) as string } }]);
    expect(await isAlive(server)).toBe(true);
  });
});

describe("a model request that is nested too deep", () => {
  const messages = [
    deep(8000),
    `{"messages":[{"role":"user","content":${deep(8000)}}]}`,
    `{"model":"m","messages":[],"tools":[${'{"a":'.repeat(5000)}1${"}".repeat(5000)}]}`,
  ];
  const withRequest = {
    ...fixture().exchanges[0]!,
    request: { method: "POST", path: "/v1/chat/completions", body: {} },
  };

  test.each([
    ["with rules", fixture(), true],
    ["without rules", fixture(), false],
    ["against a recorded request", { ...fixture(), exchanges: [withRequest] }, true],
  ])("is refused with a reason, %s [REPLAY-15]", async (_what, played, rules) => {
    const server = await start();
    const { tape } = server.openRoot(played, { name: "f.json", rules });
    for (const body of messages) {
      const { status, text } = await send(server, completions, { body });
      expect([status, text]).toEqual([400, expect.stringMatching(/nested deeper than 500 levels/)]);
    }
    expect(tape.verdict).toMatchObject({ passed: false, used: 0, requests: 3 });
    expect(await isAlive(server)).toBe(true);
  });
});

test("what breaks while a request is answered is an answer with 500, and stands in the verdict [REPLAY-15]", async () => {
  const server = await start();
  const onRequest = () => {
    throw new Error("unforeseen");
  };
  const { tape } = server.openRoot(fixture(), { name: "f.json", rules: false, onRequest });
  const { status, text } = await send(server, completions, { body: "{}" });
  expect([status, text]).toEqual([500, expect.stringMatching(/could not answer/)]);
  expect(text).not.toMatch(/\.ts:/);
  expect(tape.verdict).toMatchObject({ passed: false, problems: [{ kind: "server", message: /unforeseen/ }] });
  expect(await isAlive(server)).toBe(true);
});

describe("a web page", () => {
  const body = JSON.stringify({ fixture: fixture() });
  const portOf = ({ origin }: TapeServer) => new URL(origin).port;

  test.each([
    ["a name that leads here (DNS rebinding)", () => ({ host: "evil.example" }), 403, /Host/],
    ["such a name with the port", (port: string) => ({ host: `evil.example:${port}` }), 403, /Host/],
    [
      "a name that begins like one of this machine",
      (port: string) => ({ host: `localhost.evil.example:${port}` }),
      403,
      /Host/,
    ],
    ["another port", () => ({ host: "127.0.0.1:1" }), 403, /Host/],
    ["another origin", () => ({ origin: "https://evil.example" }), 403, /Origin/],
    ["no origin that it may name", () => ({ origin: "null" }), 403, /Origin/],
    ["another server of this machine", () => ({ origin: "http://127.0.0.1:1" }), 403, /Origin/],
    ["a form", () => ({ "content-type": "text/plain" }), 415, /content-type/],
    ["a type that only begins like JSON", () => ({ "content-type": "application/jsonp" }), 415, /content-type/],
  ])("opens no tape: %s [REPLAY-12]", async (_what, headers, status, message) => {
    const server = await start();
    const answer = await send(server, "/_tapes", { headers: headers(portOf(server)), body });
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(message)]);
  });

  test.each(["GET", "DELETE"])("neither reads nor closes one: %s [REPLAY-12]", async (method) => {
    const server = await start();
    const { id } = server.open(fixture(), { name: "f.json" });
    for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }])
      expect((await send(server, `/_tapes/${id}`, { method, headers })).status).toBe(403);
    expect(server.find(id)).toBeDefined();
  });

  test.each([
    ["a name that leads here", { host: "evil.example" }],
    ["its origin", { origin: "https://evil.example" }],
    ["what the browser says of it", { "sec-fetch-site": "cross-site" }],
  ])("takes no exchange, and leaves no trace in the verdict: %s [REPLAY-12]", async (_what, headers) => {
    const server = await start();
    const { tape } = server.openRoot(fixture(), { name: "f.json", rules: false });
    const { status, text } = await send(server, completions, { headers, body: "{}" });
    expect([status, text]).toEqual([403, expect.stringMatching(/error/)]);
    expect(tape.verdict).toMatchObject({ requests: 0, problems: [] });
  });

  test("is told from a program of this machine, which may use any of its names", async () => {
    const server = await start();
    const port = portOf(server);
    for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
      const host = `${name}:${port}`;
      server.openRoot(fixture(), { name: "f.json", rules: false });
      expect((await send(server, completions, { headers: { host }, body: "{}" })).status).toBe(200);
      const type = "application/json; charset=utf-8";
      const own = { host, origin: `http://${host}`, "content-type": type };
      expect((await openTape(server, body, own)).status).toBe(201);
    }
    // A port that was forwarded has another number.
    server.openRoot(fixture(), { name: "f.json", rules: false });
    expect((await send(server, completions, { headers: { host: "localhost:1" }, body: "{}" })).status).toBe(200);
  });
});

describe("a file that a request names", () => {
  const text = JSON.stringify(fixture());
  const secret = JSON.stringify({ private_key: "very-secret" });
  const refusal = /expected a \.json file below the folder that the server was started in, or one of its command line/;
  const put = (path: string, content: string) => writeFileSync(path, content);
  put(join(outside, "fixture.json"), text);
  put(join(outside, "secret.json"), secret);
  put(join(inside, "own.json"), text);
  put(join(inside, "own.txt"), text);
  put(join(inside, ".env"), "KEY=very-secret");
  put(join(inside, "credentials.json"), secret);
  put(join(inside, "broken.json"), "very-secret");
  put(join(inside, "bad.json"), JSON.stringify({ ...fixture(), exchanges: [] }));
  put(join(inside, "large.json"), " ".repeat(64 * 1024 * 1024 + 1));
  mkdirSync(join(inside, "folder.json"));
  mkdirSync(join(inside, "below"));
  linkSync(join(inside, "own.json"), join(inside, "below", "own.json"));
  symlinkSync(join(outside, "fixture.json"), join(inside, "link.json"));
  symlinkSync("/", join(inside, "root"));
  if (process.platform !== "win32") execFileSync("mkfifo", [join(inside, "pipe.json")]);

  test.each(["own.json", "./below/../own.json", "below/own.json", join(inside, "own.json")])(
    "is played if it is below the folder: %s",
    async (path) => {
      expect((await openTape(await start(), { fixture: path })).status).toBe(201);
    },
  );

  test("is played if the command line names it [REPLAY-13]", async () => {
    const server = await start([join(outside, "fixture.json"), join(inside, "own.txt")]);
    for (const path of ["../fixture.json", "own.txt"])
      expect((await openTape(server, { fixture: path })).status).toBe(201);
    expect((await openTape(server, { fixture: "../secret.json" })).status).toBe(403);
  });

  test.each([
    "/dev/zero",
    "/etc/shadow",
    "/etc/passwd",
    "/etc/nowhere.json",
    "../fixture.json",
    "../secret.json",
    "../nowhere.json",
    join(outside, "fixture.json"),
    `${inside}.json`,
    "link.json",
    "root/dev/zero",
    "root/etc/nowhere.json",
    "..",
    ".",
    "",
    "own.txt",
    ".env",
    "nowhere.env",
    "own.json\0",
    "\0.json",
  ])("is refused with the same words, whether it exists or not: %j [REPLAY-13, REPLAY-14]", async (path) => {
    const server = await start();
    const answer = await openTape(server, { fixture: path });
    expect([answer.status, answer.text]).toEqual([403, expect.stringMatching(refusal)]);
    expect(await isAlive(server)).toBe(true);
  });

  test.each([
    ["nowhere.json", /there is no file nowhere\.json/],
    ["own.json/x.json", /there is no file own\.json\/x\.json/],
    [`${"x".repeat(5000)}.json`, /cannot be read \(ENAMETOOLONG\)/],
    ["folder.json", /folder\.json is no regular file/],
    ["pipe.json", /pipe\.json is no regular file/],
    ["large.json", /large\.json is larger than 64 MiB/],
    ["credentials.json", /credentials\.json is not a fixture; npx agent-loop-spec serve credentials\.json says why/],
    ["broken.json", /broken\.json is not JSON; npx agent-loop-spec serve broken\.json says where/],
    ["bad.json", /bad\.json is not a fixture[^]*exchanges/],
  ])("is refused with a reason, and without what is in it: %s [REPLAY-13, REPLAY-14]", async (path, message) => {
    const server = await start();
    const answer = await openTape(server, { fixture: path });
    expect([answer.status, JSON.parse(answer.text).error.message]).toEqual([400, expect.stringMatching(message)]);
    expect(answer.text).not.toMatch(/very-secret|private_key/);
    expect(answer.text).not.toContain(outside);
  });
});

describe("a fixture that no server can play", () => {
  const answer = (response: object) => ({
    ...fixture(),
    exchanges: [{ provider: "openai-chat", request: null, response }],
  });
  test.each([
    [
      "a line break in a header",
      { headers: { "x-a": "b\r\nset-cookie: c" } },
      /\/exchanges\/0\/response\/headers\/x-a/,
    ],
    ["a control character", { headers: { "x-a": "\0" } }, /headers\/x-a/],
    ["a character that no header has", { headers: { "x-a": "…" } }, /headers\/x-a/],
    [
      "a space in a name",
      { headers: { "x a": "b" } },
      /\/exchanges\/0\/response\/headers: expected names that match .*, got \\"x a\\"/,
    ],
    ["no name", { headers: { "": "b" } }, /\/exchanges\/0\/response\/headers/],
    ["a status of no answer", { status: 101 }, /response\/status/],
    ["a status that there is not", { status: 600 }, /response\/status/],
  ])("is refused when it is read: %s [REPLAY-15]", async (_what, change, message) => {
    const server = await start();
    const { status, text } = await openTape(server, { fixture: answer({ status: 200, body: {}, ...change }) });
    expect([status, text]).toEqual([400, expect.stringMatching(message)]);
    expect(await isAlive(server)).toBe(true);
  });

  test.each([
    { "Content-Length": "5" },
    { "Transfer-Encoding": "chunked" },
    { Trailer: "x" },
    { "proxy-connection": "close", upgrade: "h2c", te: "trailers", "keep-alive": "x" },
  ])("is none if it has headers of the connection: %j", async (headers) => {
    const server = await start();
    const response = { status: 200, headers, body: { say: "ok" } };
    server.openRoot(fixture(response), { name: "f.json", rules: false });
    expect(await send(server, completions, { body: "{}" })).toEqual({ status: 200, text: '{"say":"ok"}' });
  });

  test("is none if its provider has the name of something else", async () => {
    const server = await start();
    const odd = { provider: "constructor", request: { method: "POST", path: "/v1/x", body: {} } };
    const exchanges = [{ ...fixture().exchanges[0]!, ...odd }];
    server.openRoot({ ...fixture(), exchanges }, { name: "f.json" });
    expect((await send(server, "/openai/v1/x", { body: "{}" })).status).toBe(200);
  });
});

describe("what is too much", () => {
  test("of a body is refused with a reason, and the server goes on [REPLAY-19]", async () => {
    const server = await start();
    const tape = server.openRoot(fixture(), { name: "f.json" });
    const { status, text } = await send(server, completions, { body: "a".repeat(maxBodyBytes + 1) });
    expect([status, text]).toEqual([413, expect.stringMatching(/larger than 32 MiB/)]);
    expect(tape.tape.verdict.problems).toMatchObject([{ kind: "server" }]);
    expect(await isAlive(server)).toBe(true);
  });

  test("of tapes is refused until one is closed [REPLAY-19]", async () => {
    const server = await start();
    const ids = Array.from({ length: maxTapes }, () => server.open(fixture(), { name: "f.json" }).id);
    const { status, text } = await openTape(server, { fixture: fixture() });
    expect([status, text]).toEqual([503, expect.stringMatching(/1000 tapes are open.*DELETE/)]);
    server.close(ids[0]!);
    expect(await isAlive(server)).toBe(true);
  });

  test("of fixtures is refused, whoever sent them [REPLAY-19]", async () => {
    const server = await start();
    server.open(fixture(), { name: "f.json" }, maxFixtureBytes);
    expect((await openTape(server, { fixture: fixture() })).status).toBe(503);
  });

  test("of problems is counted, and the tape has failed all the same [REPLAY-19]", async () => {
    const server = await start();
    const { tape } = server.openRoot(fixture(), { name: "f.json" });
    for (let n = 0; n < maxProblems + 5; n += 1) tape.reportBlocked("elsewhere.test");
    const { problems, more_problems, passed } = tape.verdict;
    expect([problems.length, more_problems, passed]).toEqual([maxProblems, 5, false]);
  });
});
