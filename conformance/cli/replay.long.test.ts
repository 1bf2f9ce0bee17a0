// `replay` and `serve` as a person meets them, with programs that know nothing of this project.

import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { startUpstream } from "../traffic/testing/upstream.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-replay-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: "1", ...environment };
    execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const exchange = (body: unknown) => ({
  provider: "openai-chat",
  request: { method: "POST", path: "/v1/chat/completions", body },
  response: { status: 200, body: { choices: [{ message: { role: "assistant", content: "Hello." } }] } },
});
const body = { model: "m", messages: [{ role: "user", content: "Hi." }] };
const fixture = file(
  "f.json",
  JSON.stringify({ fixture: 1, origin: "crafted", why: "test", exchanges: [exchange(body)] }),
);
const ask = (payload: unknown) => `
  const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } = process.env;
  const headers = { authorization: "Bearer " + key, "content-type": "application/json" };
  const answer = await fetch(url + "/chat/completions", { method: "POST", headers, body: ${JSON.stringify(JSON.stringify(payload))} });
  console.log(answer.status, await answer.text());`;
const program = file("agent.mjs", ask(body));
const other = file("other.mjs", ask({ ...body, model: "other" }));
const replay = (script: string, ...options: string[]) =>
  run(["replay", fixture, ...options, "--", process.execPath, script]);

describe.concurrent("replay", () => {
  test("answers the program as recorded", async () => {
    const { code, stdout, stderr } = await replay(program);
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(/^200 .*Hello\./),
      expect.stringMatching(/replayed, 1 of 1/),
    ]);
  });

  test("fails a program that asks something else, and shows both what was recorded and what came", async () => {
    const { code, stdout, stderr } = await replay(other);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^400 /)]);
    expect(stderr).toMatch(
      /failed, 0 of 1[^]*\/model[^]*- recorded {2}"m"[^]*\+ received {2}"other"[^]*exchange 1 was not used/,
    );
  });

  test("fails a program that asks nothing", async () => {
    const { code, stderr } = await replay(file("idle.mjs", ""));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/no request was received: does the program use the base URL/),
    ]);
  });

  test("keeps the exit code of the program", async () => {
    const { code } = await replay(file("exit.mjs", `${ask(body)}\nprocess.exit(7);`));
    expect(code).toBe(7);
  });

  test("gives the program no key that opens anything [REPLAY-8]", async () => {
    const script = file("keys.mjs", `${ask(body)}\nconsole.log(JSON.stringify(process.env));`);
    const keys = { OPENAI_API_KEY: "sk-very-real", GEMINI_API_KEY: "very-real" };
    const { stdout } = await run(["replay", fixture, "--", process.execPath, script], keys);
    expect(stdout).not.toMatch("very-real");
  });

  test("makes a request fail where it is told to", async () => {
    const twice = file("twice.mjs", `${ask(body)}\n{${ask(body)}}`);
    const { code, stdout } = await replay(twice, "--fault", "429@1");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^429 [^]*\n200 /)]);
  });

  test("holds what the program did against a file of expectations [REPLAY-11]", async () => {
    const met = file("met.yaml", "request_count: 1\nrequests: [{ model: m }]");
    expect(await replay(program, "--expect", met)).toMatchObject({ code: 0 });
    const unmet = file("unmet.yaml", "request_count: 1\ntools: [get_weather]");
    const { code, stderr } = await replay(program, "--expect", unmet);
    expect(code).toBe(1);
    expect(stderr).toMatch(/replayed, 1 of 1[^]*unmet\.yaml:2: \/tools\/0 is missing[^]*- expected {2}.*get_weather/);
  });

  test.each([
    [["replay", fixture], /expected a program after --/],
    [["replay", fixture, "--expect", "nowhere.yaml", "--", "true"], /nowhere\.yaml cannot be read/],
    [["replay", fixture, "--expect", file("bad.yaml", "tool: 1"), "--", "true"], /bad\.yaml:1:1: \/tool: unknown/],
    [["replay", "nowhere.json", "--", "true"], /no file nowhere\.json/],
    [["replay", file("broken.json", "{}"), "--", "true"], /broken\.json is not a fixture[^]*is missing/],
    [["replay", fixture, "--fault", "x", "--", "true"], /--fault: expected a fault such as/],
    [["replay", fixture, "--", "no-such-program"], /no-such-program could not be started: there is no such program/],
    [["serve", "--port", "70000"], /expected a port from 0 to 65535/],
  ])("%j is refused in words", async (args, message) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe("replay --update", () => {
  const recorded = (name: string) => {
    const provenance = { date: "2026-01-31", recorder: "test" };
    return file(
      name,
      JSON.stringify({ fixture: 1, origin: "recorded", recorded: provenance, exchanges: [exchange(body)] }),
    );
  };
  const update = (name: string, script: string, environment: Record<string, string>, ...options: string[]) =>
    run(["replay", recorded(name), "--update", ...options, "--", process.execPath, script], environment);

  test("asks the provider only for what is new, and writes the fixture anew", async () => {
    await using upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"fresh":true}');
    });
    const both = file("both.mjs", `${ask(body)}\n{${ask({ ...body, model: "new" })}}`);
    const options = ["--upstream", `openai=${upstream.url}`];
    const { code, stdout, stderr } = await update("renewed.json", both, { CI: "", OPENAI_API_KEY: "k" }, ...options);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Hello\.[^]*"fresh":true/)]);
    expect(stderr).toMatch(/exchange 2 was recorded again: .*all are used/);
    expect(upstream.requests.map(({ body: requestBody }) => JSON.parse(requestBody.toString()))).toEqual([
      { ...body, model: "new" },
    ]);
    const twice = ["--expect", file("twice.yaml", "requests: [{ model: m }, { model: other }]")];
    const held = await update("held.json", both, { CI: "", OPENAI_API_KEY: "k" }, ...options, ...twice);
    expect(held).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\/requests\/1\/model differs from the expected value/),
    });
    const after = await run(["replay", join(folder, "renewed.json"), "--", process.execPath, both]);
    expect([after.code, after.stderr]).toEqual([0, expect.stringMatching(/replayed, 2 of 2/)]);
  });

  test("is refused in CI, and for what a person wrote [REPLAY-10]", async () => {
    expect(await update("ci.json", program, { CI: "true" })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not for CI/),
    });
    const crafted = await run(["replay", fixture, "--update", "--", process.execPath, program], { CI: "" });
    expect(crafted).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is crafted, and a recording must not overwrite it/),
    });
  });
});

test("a body that is nested too deep gets the program a refusal, and the replay its verdict", async () => {
  const script = file(
    "deep.mjs",
    `const { OPENAI_BASE_URL: url } = process.env;
    const body = '{"model":"m","messages":[{"role":"user","content":' + "[".repeat(8000) + "]".repeat(8000) + "}]}";
    const headers = { authorization: "Bearer none", "content-type": "application/json" };
    const answer = await fetch(url + "/chat/completions", { method: "POST", headers, body });
    console.log(answer.status);`,
  );
  for (const options of [[], ["--expect", file("deep.yaml", "request_count: 1")]]) {
    const { code, stdout, stderr } = await replay(script, ...options);
    expect([code, stdout]).toEqual([1, "400\n"]);
    expect(stderr).toMatch(/f\.json: failed, 0 of 1[^]*nested deeper than 500 levels[^]*exchange 1 was not used/);
    expect(stderr).not.toMatch(/RangeError|at .*\.ts/);
  }
});

test("serve lives on, and opens no file but those of its folder and its command line [REPLAY-13, REPLAY-14]", async () => {
  const inside = join(folder, "served");
  mkdirSync(inside);
  writeFileSync(join(inside, "own.json"), readFileSync(fixture));
  writeFileSync(join(folder, "foreign.json"), readFileSync(fixture));
  const server = spawn(process.execPath, ["--max-old-space-size=256", main, "serve", fixture], { cwd: inside });
  const ended = new Promise((resolve) => server.on("close", resolve));
  let stdout = "";
  const origin = await new Promise<string>((resolve) => {
    server.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      const place = /POST (http:\S+)\/_tapes/.exec(stdout)?.[1];
      if (place !== undefined) resolve(place);
    });
  });
  const post = async (path: string, payload: string) => {
    const headers = { "content-type": "application/json", authorization: "Bearer none" };
    const answer = await fetch(origin + path, { method: "POST", headers, body: payload });
    return { status: answer.status, text: await answer.text() };
  };
  const open = (named: unknown) => post("/_tapes", JSON.stringify({ fixture: named }));
  const deep = "[".repeat(8000) + "]".repeat(8000);
  expect(await post("/_tapes", "null")).toMatchObject({ status: 400, text: expect.stringMatching(/got null/) });
  expect(await post("/_tapes", deep)).toMatchObject({ status: 400 });
  expect(await post("/openai/v1/chat/completions", `{"messages":${deep}}`)).toMatchObject({ status: 400 });
  const words = new Set<string>();
  for (const path of ["/dev/zero", "/etc/shadow", "/etc/nowhere", "../foreign.json", "../nowhere.json"]) {
    const { status, text } = await open(path);
    expect(status).toBe(403);
    words.add(text.replace(JSON.stringify(JSON.stringify(path)).slice(1, -1), "…"));
  }
  expect(words.size).toBe(1);
  expect([await open("own.json"), await open("../f.json")]).toMatchObject([{ status: 201 }, { status: 201 }]);
  expect(await post("/openai/v1/chat/completions", JSON.stringify(body))).toMatchObject({ status: 200 });
  server.kill("SIGINT");
  expect(await ended).toBe(1);
});

test("serve plays a fixture until it is told to stop, and then says what came of it", async () => {
  const server = spawn(process.execPath, [main, "serve", fixture], { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  server.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const url = await new Promise<string>((resolve) => {
    server.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      const place = /openai +(http\S+)/.exec(stdout)?.[1];
      if (place !== undefined && stdout.includes("_tapes")) resolve(place);
    });
  });
  const headers = { authorization: "Bearer none", "content-type": "application/json" };
  const answer = await fetch(`${url}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  server.kill("SIGINT");
  const code = await new Promise((resolve) => server.on("close", resolve));
  expect([code, stderr]).toEqual([0, expect.stringMatching(/replayed, 1 of 1 exchanges used/)]);
});
